/**
 * @module
 * Derives the types of an agent's context, output and tool names from its tools and its output schema.
 */
import type { ToolCallContext, TypedTool } from './base-tool.ts'
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
