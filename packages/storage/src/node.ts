/**
 * @module
 * Stores in files, for Node: entry `@x/storage/node`.
 */
export { FileChatStore, type PersistOptions } from './file-chat-store.ts'
export { FileKeyValueStore } from './file-key-value-store.ts'
export { FileTaskStore } from './file-task-store.ts'
export { pythonText, pythonVector } from './python-text.ts'
export {
  type OverwriteOptions,
  type PersistDocumentsOptions,
  SimpleDocumentStore,
} from './simple-document-store-file.ts'
export { type LeftOut, StorageFolder, type StoredIndex, type WriteFolderOptions } from './storage-folder.ts'
export { indexRecord, readIndex, type VectorEntry, vectorEntry } from './storage-folder-records.ts'
