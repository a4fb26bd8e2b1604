/**
 * Submits and follows tasks of agents and runs of documents, from a web server, a terminal or another workflow.
 * @module
 */
export { DbosTasks, type DbosTasksOptions, type SubmitOptions } from './dbos-tasks.ts'
export type {
  DbosCommon,
  DbosControl,
  DbosEnqueueOptions,
  DbosHandle,
  DbosStep,
  DbosWorkflow,
  DbosWorkflowFilter,
} from './dbos-types.ts'
export { JournalMismatchError, TaskAbandonedError, UnknownQueueError } from './errors.ts'
export {
  type FailedDocument,
  IngestionRuns,
  type IngestionRunsOptions,
  type IngestionState,
  type SubmitDocumentsOptions,
} from './ingestion-runs.ts'
export type { TaskAnswer, TaskRequest } from './task-protocol.ts'
