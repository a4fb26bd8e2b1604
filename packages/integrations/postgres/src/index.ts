/**
 * @module
 * Stores and indexes in Postgres.
 */
export { PostgresConflictError, PostgresConnectionError, PostgresVersionError } from './errors.ts'
export { openDatabase } from './open-database.ts'
export { PostgresAnswerCache } from './postgres-answer-cache.ts'
export { PostgresChatStore } from './postgres-chat-store.ts'
export type { PostgresDatabase } from './postgres-database.ts'
export { PostgresDocumentStore } from './postgres-document-store.ts'
export type { PostgresPool } from './postgres-driver.ts'
export { PostgresEventLog } from './postgres-event-log.ts'
export { PostgresKeyValueStore } from './postgres-key-value-store.ts'
export { PostgresKeywordRetriever } from './postgres-keyword-retriever.ts'
export { PostgresTaskStore } from './postgres-task-store.ts'
export { PostgresVectorRetriever } from './postgres-vector-retriever.ts'
export { type PythonTable, pythonTable } from './python-table.ts'
