/** Finds objects, such as tools, for a query. */
export interface ObjectRetriever<T> {
  /** Returns the objects that match the query, best first. */
  retrieve(query: string, options?: { signal?: AbortSignal | undefined }): Promise<T[]> | T[]
}
