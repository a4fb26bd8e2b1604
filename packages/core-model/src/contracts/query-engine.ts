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
