/**
 * @module
 * Stores in files, for Node: entry `@x/storage/node`.
 */
export { FileChatStore } from './file-chat-store.ts'
export { FileKeyValueStore } from './file-key-value-store.ts'
export { FileTaskStore } from './file-task-store.ts'
export { SimpleDocumentStore } from './simple-document-store-file.ts'
export { type LeftOut, StorageFolder, type StoredIndex } from './storage-folder.ts'
export { indexRecord, readIndex, type VectorEntry, vectorEntry } from './storage-folder-records.ts'
