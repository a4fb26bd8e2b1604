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
