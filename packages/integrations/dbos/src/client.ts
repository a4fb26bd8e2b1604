/**
 * Submits and follows tasks of agents and runs of documents, from a web server, a terminal or another workflow.
 * @module
 */
export { AgentTasks, type AgentTasksOptions, type SubmitOptions, type TaskStatus } from './agent-tasks.ts'
export type {
  DbosCommon,
  DbosControl,
  DbosEnqueueOptions,
  DbosHandle,
  DbosStep,
  DbosWorkflow,
  DbosWorkflowFilter,
} from './dbos-types.ts'
export { JournalMismatchError, TaskAbandonedError, TaskCancelledError, UnknownQueueError } from './errors.ts'
export {
  type FailedDocument,
  IngestionRuns,
  type IngestionRunsOptions,
  type IngestionState,
  type SubmitDocumentsOptions,
} from './ingestion-runs.ts'
export { type TaskAnswer, type TaskEvents, type TaskRequest, validEvents, type WaitingTask } from './task-protocol.ts'
