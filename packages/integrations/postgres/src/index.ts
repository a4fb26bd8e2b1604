/**
 * @module
 * Stores and indexes in Postgres.
 */
export { PostgresConflictError, PostgresConnectionError, PostgresVersionError } from './errors.ts'
export { openDatabase, type PostgresOptions } from './open-database.ts'
export { PostgresAnswerCache } from './postgres-answer-cache.ts'
export { PostgresChatStore } from './postgres-chat-store.ts'
export type { PostgresDatabase, TransactionOptions } from './postgres-database.ts'
export { PostgresDocumentStore } from './postgres-document-store.ts'
export type { PostgresClient, PostgresPool, PostgresResult } from './postgres-driver.ts'
export { PostgresEventLog } from './postgres-event-log.ts'
export { PostgresKeyValueStore } from './postgres-key-value-store.ts'
export { PostgresKeywordRetriever, type PostgresKeywordRetrieverOptions } from './postgres-keyword-retriever.ts'
export {
  type ClaimOptions,
  PostgresTaskStore,
  type ReleaseOptions,
} from './postgres-task-store.ts'
export {
  type HnswOptions,
  PostgresVectorRetriever,
  type PostgresVectorRetrieverOptions,
} from './postgres-vector-retriever.ts'
export { type PythonTable, pythonTable } from './python-table.ts'
