/**
 * @module
 * Finding objects, such as tools, for a query.
 */

/** Gives the objects that suit a query, the best first. */
export interface ObjectRetriever<T> {
  retrieve(query: string, options?: { signal?: AbortSignal | undefined }): Promise<T[]> | T[]
}
