import { isModel } from '@x/core'
import type { CallbackManager } from '../callbacks/callback-manager.ts'
import type { NodeWithScore } from '../nodes/node-with-score.ts'
import type { QueryBundle } from '../nodes/query-bundle.ts'

/** Options of one query. */
export interface QueryEngineOptions {
  signal?: AbortSignal | undefined
  /** The event that the query belongs to, where the platform has no async context. */
  parentId?: string | undefined
  /** The values that metadata must have, such as `{ tenant: 'acme' }`: an engine over data of several tenants must keep to them. */
  scope?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** Anything that answers a query, such as an agent. */
export interface QueryEngine {
  /** Returns the answer. Its string form is the text; its `sourceNodes`, if any, are the nodes that it is based on. */
  query(query: string | QueryBundle, options?: QueryEngineOptions): unknown
}

/** Options of one search. `Context` is what it needs of a run. */
export interface ObjectRetrieveOptions<Context = unknown> {
  signal?: AbortSignal | undefined
  parentId?: string | undefined
  /** The option `context` of the run that searches, such as the user. Undefined outside of runs. */
  context?: Context | undefined
}

/** Finds objects, such as tools, for a query. */
export interface ObjectRetriever<T, Context = unknown> {
  /**
   * Returns the objects that match the query, best first.
   * @param options.signal - cancels the search.
   * @param options.parentId - the event that the search belongs to, where the platform has no async context.
   * @param options.context - what the run passes on to its tools.
   */
  retrieve(query: string, options?: ObjectRetrieveOptions<Context>): Promise<T[]> | T[]
}

/** The query of a postprocessor, in both forms. */
export interface PostprocessorQuery {
  /** The query as a string; null without a query. */
  queryStr: string | null
  /** The query with its strings for embedding and its embedding; null without a query. */
  queryBundle: QueryBundle | null
}

/** Filters, reorders or changes nodes that were found for a query: each postprocessor of `@x/postprocessors`, and your own objects. */
export interface NodesPostprocessor {
  /**
   * Returns the nodes that are left, in their new order.
   * @param options.signal - cancels the work.
   * @param options.parentId - the event that the work belongs to, where the platform has no async context.
   */
  postprocessNodes(
    nodes: readonly NodeWithScore[],
    options: PostprocessorQuery & {
      signal?: AbortSignal | undefined
      onProgress?: ((progress: unknown) => void) | undefined
      parentId?: string | undefined
    },
  ): Promise<readonly NodeWithScore[]> | readonly NodeWithScore[]
  /** Whether `postprocessNodes` requires a query. @defaultValue false */
  needsQuery?(): boolean
  /** Sets the callback manager that is notified of events. */
  setCallbackManager?(manager: CallbackManager): void
}

/**
 * Returns the options with a query for a step. A postprocessor of `@x/postprocessors` refuses a query in two forms, as in Python, and
 * receives the bundle alone.
 */
export function queryFor(step: NodesPostprocessor, query: QueryBundle | null): PostprocessorQuery {
  return { queryBundle: query, queryStr: isModel(step) ? null : (query?.queryStr ?? null) }
}
