/**
 * @module
 * Stores for nodes and chat messages for every runtime: in memory, or over a key-value store.
 */
export {
  type AddDocumentsOptions,
  BaseDocumentStore,
  nodeReader,
  type ReadAllOptions,
} from './base-document-store.ts'
export { mergedMetadata, type RefDocInfo, type UpsertResult } from './document-records.ts'
export {
  checkEntryCount,
  NodeExistsError,
  type RecordPlace,
  RefDocNotFoundError,
  readableRecords,
  readingRecord,
  StoreChangedError,
  StoreReadError,
  StoreTooLargeError,
  StoreWriteError,
} from './errors.ts'
export {
  InMemoryKeyValueStore,
  type KeyValueOperations,
  type KeyValueStore,
  pairsOf,
  type StoredCollections,
  type StoredValue,
} from './key-value-store.ts'
export { KVDocumentStore } from './kv-document-store.ts'
export { type NodeClassOptions, NodeRecords, nodeClassOptions } from './node-records.ts'
export { nodeOfText, nodeText } from './node-text.ts'
export { SimpleDocumentStore } from './simple-document-store.ts'
