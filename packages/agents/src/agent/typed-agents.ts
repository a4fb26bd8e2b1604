/**
 * @module
 * What the types of its tools and its output schema say about an agent.
 */
import type { ToolCallContext } from '../tool/base-tool.ts'
import type { ResultOf } from '../tool/tool-schema.ts'

/** The value of an answer that matches a schema; null without a schema. */
export type OutputOf<Schema> = Schema extends { '~standard': { types?: infer Types } }
  ? NonNullable<Types> extends { output: infer Output }
    ? Output
    : unknown
  : Schema extends object
    ? ResultOf<Schema>
    : null

/** A tool as its type says what it needs. */
interface TypedTool {
  readonly metadata: { readonly name: string | null }
}

/** The context that a run needs so that all its tools have theirs; unknown if no tool needs one. */
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

/** The names of tools; any string if one of them is not known to the compiler. */
export type NamesOf<Tools extends readonly TypedTool[]> = Exclude<Tools[number]['metadata']['name'], null>
