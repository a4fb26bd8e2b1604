/**
 * @module
 * Derives the types of an agent's context, output and tool names from its tools and its output schema.
 */
import type { ToolCallEvent } from '../task/agent-event.ts'
import type { ToolCallContext, ToolNames, TypedTool } from './base-tool.ts'
import type { ResultOf } from './tool-schema.ts'

/** The value of an answer that matches a schema; null without a schema. */
export type OutputOf<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { output: infer Output }
    ? Output
    : unknown
  : Schema extends object
    ? ResultOf<Schema>
    : null

/** The intersection of the contexts that the tools need; unknown if no tool needs a context. */
export type ContextOf<Tools extends readonly TypedTool[]> = (
  Tools[number] extends infer One
    ? One extends unknown
      ? (context: ContextOfTool<One>) => void
      : never
    : never
) extends (context: infer Context) => void
  ? Context
  : never

type ContextOfTool<One> = One extends { call(input: never, context?: Partial<ToolCallContext<infer Context>>): unknown }
  ? Context
  : unknown

/** The event of a call of one of the tools: the name of the tool determines the type of the arguments, if all names are known. */
export type CallEventOf<Tools extends readonly TypedTool[]> = [ToolNames<Tools>] extends [never]
  ? ToolCallEvent
  : string extends ToolNames<Tools>
    ? ToolCallEvent
    : CallOf<Tools[number]>

type CallOf<One> = One extends { readonly metadata: { readonly name: infer Name } }
  ? ToolCallEvent<
      Name & string,
      One extends { readonly '~schema'?: infer Schema } ? JsonOf<Schema> : Record<string, unknown>
    >
  : never

/** Arguments before they are converted. A mapped type can be used where a record is expected. */
type JsonOf<Schema> = unknown extends Schema
  ? Record<string, unknown>
  : { [Key in keyof ResultOf<NonNullable<Schema>>]: ResultOf<NonNullable<Schema>>[Key] }

/** What options with these tools are in addition: nothing, or, if two tools have the same name, a type that no tools have. */
export type DistinctTools<Tools extends readonly TypedTool[]> = [RepeatedName<Tools>] extends [never]
  ? unknown
  : { readonly tools: `two tools have the name "${RepeatedName<Tools>}"` }

/** A name that two tools of a list have; never, too, where names or the number of tools are not known to the compiler. */
type RepeatedName<Tools, Seen = never> = Tools extends readonly [infer First extends TypedTool, ...infer Rest]
  ? ToolNames<[First]> extends infer Name extends string
    ? [Name] extends [Seen]
      ? Name
      : RepeatedName<Rest, string extends Name ? Seen : Seen | Name>
    : never
  : never
