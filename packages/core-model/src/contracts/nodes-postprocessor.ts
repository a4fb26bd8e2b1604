import type { NodeWithScore } from '../nodes/node-with-score.ts'

/** Filters, reorders or changes nodes that were found for a query: each postprocessor of `@x/postprocessors`, and your own objects. */
export interface NodesPostprocessor {
  /**
   * Returns the nodes that are left, in their new order.
   * @param options.signal - cancels the work.
   * @param options.parentId - the event that the work belongs to, where the platform has no async context.
   */
  postprocessNodes(
    nodes: readonly NodeWithScore[],
    options: {
      queryStr: string
      signal?: AbortSignal | undefined
      onProgress?: ((progress: unknown) => void) | undefined
      parentId?: string | undefined
    },
  ): Promise<readonly NodeWithScore[]> | readonly NodeWithScore[]
}
