/**
 * @module
 * The stores of this package with file operations, for Node: entry `@x/storage/node`.
 */
export { type PersistOptions, SimpleChatStore } from './simple-chat-store-file.ts'
export { SimpleDocumentStore } from './simple-document-store-file.ts'
