/**
 * @module
 * Indexes in the database of browsers and their workers: entry `@x/retrieval/indexeddb`.
 */

export {
  IndexedDBKeywordRetriever,
  type IndexedDBKeywordRetrieverOptions,
} from './indexeddb/indexed-db-keyword-retriever.ts'
export type { IndexedDBIndexOptions } from './indexeddb/indexed-db-nodes.ts'
export {
  IndexedDBVectorRetriever,
  type IndexedDBVectorRetrieverOptions,
} from './indexeddb/indexed-db-vector-retriever.ts'
