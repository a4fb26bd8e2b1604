/** Options of one search. */
export interface ObjectRetrieveOptions {
  signal?: AbortSignal | undefined
  parentId?: string | undefined
}

/** Finds objects, such as tools, for a query. */
export interface ObjectRetriever<T> {
  /**
   * Returns the objects that match the query, best first.
   * @param options.signal - cancels the search.
   * @param options.parentId - the event that the search belongs to, where the platform has no async context.
   */
  retrieve(query: string, options?: ObjectRetrieveOptions): Promise<T[]> | T[]
}
