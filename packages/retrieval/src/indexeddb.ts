/**
 * @module
 * Indexes in the database of browsers and their workers: entry `@x/retrieval/indexeddb`.
 */

export { IndexedDBKeywordRetriever } from './indexeddb/indexed-db-keyword-retriever.ts'
export { IndexedDBVectorRetriever } from './indexeddb/indexed-db-vector-retriever.ts'
