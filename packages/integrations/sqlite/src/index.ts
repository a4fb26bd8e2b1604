/**
 * @module
 * Stores and indexes in SQLite.
 */
export { type ObjectStorage, objectDatabase } from './durable-object.ts'
export {
  SqliteBusyError,
  SqliteDamagedError,
  SqliteFullError,
  SqliteOpenError,
  SqliteReadOnlyError,
  SqliteVersionError,
} from './errors.ts'
export { SqliteChatStore } from './sqlite-chat-store.ts'
export { openDatabase, type SqliteDatabase } from './sqlite-database.ts'
export { SqliteDocumentStore } from './sqlite-document-store.ts'
export { SqliteEventLog } from './sqlite-event-log.ts'
export { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'
export { SqliteTaskStore } from './sqlite-task-store.ts'
export { SqliteVectorRetriever } from './sqlite-vector-retriever.ts'
