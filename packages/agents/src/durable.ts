/**
 * @module
 * Tasks that survive their processes: one protocol for all engines, and tasks on a task store. Entry `@x/agents/durable`.
 */
export {
  type AgentDescription,
  checkDescription,
  type DescribedAgent,
  describeAgent,
} from './durable/agent-description.ts'
export { type ChatOfTasks, type ChatTask, lastMessageKey, type OpenTask } from './durable/chat-task.ts'
export {
  AgentSetupError,
  createAgent,
  failureError,
  RunChangedError,
  TaskCancelledError,
  type TaskFailure,
  taskFailure,
  UnsupportedOperationError,
} from './durable/durable-errors.ts'
export type {
  DurableTasks,
  ForkTaskOptions,
  RefusedDecision,
  SubmitTaskOptions,
  TaskRun,
  TaskStatus,
  WaitingCall,
} from './durable/durable-tasks.ts'
export { localOnly } from './durable/local-only.ts'
export { isOwned, isUser, type OwnedBy, ownedBy, ownedId } from './durable/owned-by.ts'
export { ReplayGate } from './durable/replay-gate.ts'
export { requestText } from './durable/request-text.ts'
export { KeptResults, type NextStepOptions, runNextStep, type SteppingAgent } from './durable/single-steps.ts'
export { StoredTasks } from './durable/stored-tasks.ts'
export type { StoredTasksOptions } from './durable/stored-worker.ts'
export type { SubmittedFile } from './durable/submitted-file.ts'
export { checkForkStep, checkRetry, checkTaskId, hasEnded, stepNumber } from './durable/task-checks.ts'
export { notWaiting, TaskDecisions, type WaitingAgent, waitingCall } from './durable/task-decisions.ts'
export {
  followEvents,
  isPiece,
  MemoryEventLog,
  type TaskEventLog,
  type TaskEvents,
  type TaskEventsOptions,
  validEvents,
} from './durable/task-events.ts'
export {
  createSubmittedTask,
  readSubmission,
  type SubmissionAgent,
  type TaskSubmission,
  taskSubmission,
} from './durable/task-submission.ts'
export { TasksAgent, type TasksAgentRunOptions } from './durable/tasks-agent.ts'
export { type MayUse, type TaskOperation, type TasksHandlerOptions, tasksHandler } from './durable/tasks-handler.ts'
