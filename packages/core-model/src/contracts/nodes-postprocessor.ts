import { isModel } from '@x/core'
import type { CallbackManager } from '../callbacks/callback-manager.ts'
import type { NodeWithScore } from '../nodes/node-with-score.ts'
import type { QueryBundle } from '../nodes/query-bundle.ts'

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
 * Returns the options with a query for a step. A postprocessor of `@x/postprocessors` refuses a query in two forms, as in Python, and receives
 * the bundle alone.
 */
export function queryFor(step: NodesPostprocessor, query: QueryBundle | null): PostprocessorQuery {
  return { queryBundle: query, queryStr: isModel(step) ? null : (query?.queryStr ?? null) }
}
