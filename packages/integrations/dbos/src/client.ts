/**
 * Submits and follows tasks of agents and runs of documents, from a web server, a terminal or another workflow.
 * @module
 */
export { DbosTasks } from './dbos-tasks.ts'
export type { DbosStep } from './dbos-types.ts'
export { JournalMismatchError, TaskAbandonedError, UnknownQueueError } from './errors.ts'
export {
  type FailedDocument,
  IngestionRuns,
  type IngestionState,
} from './ingestion-runs.ts'
export type { TaskAnswer, TaskRequest } from './task-protocol.ts'
