/**
 * @module
 * Stores for nodes and chat messages that run in every runtime: in memory, or over a small key-value contract.
 */
export { NodeExistsError, RefDocNotFoundError, StoreReadError } from './errors.ts'
export {
  InMemoryKeyValueStore,
  type KeyValueStore,
  type StoredCollections,
  type StoredValue,
} from './key-value-store.ts'
export {
  type AddDocumentsOptions,
  type DocumentStoreOptions,
  KVDocumentStore,
  type MissingOptions,
  type RefDocInfo,
  type UpsertResult,
} from './kv-document-store.ts'
export { SimpleDocumentStore } from './simple-document-store.ts'
