/**
 * @module
 * Tasks that survive their processes: one protocol for all engines, and tasks on a task store.
 */
export {
  type AgentDescription,
  checkDescription,
  type DescribedAgent,
  describeAgent,
} from './agent-description.ts'
export { type AskedDecision, argumentsOf, askedDecision } from './asked-decision.ts'
export { durableAgent } from './durable-agent.ts'
export {
  AgentSetupError,
  createAgent,
  failureError,
  RunChangedError,
  TaskCancelledError,
  type TaskFailure,
  taskFailure,
  UnsupportedOperationError,
} from './durable-errors.ts'
export type {
  DurableTasks,
  ForkTaskOptions,
  ListTasksOptions,
  RefusedDecision,
  SubmitTaskOptions,
  TaskOverview,
  TaskRun,
  TaskStatus,
  WaitingCall,
} from './durable-tasks.ts'
export { type AllowFile, checkFiles, isUser, linesResponse, requestText } from './http.ts'
export { limitPerUser } from './limit-per-user.ts'
export { type FoundTask, findTask, type ListedTask, listTasks } from './list-tasks.ts'
export { localOnly } from './local-only.ts'
export { isOwned, type OwnedBy, ownedBy, ownedId, ownerPart } from './owned-by.ts'
export { printableAnswer } from './printable-answer.ts'
export { ReplayGate } from './replay-gate.ts'
export { settled } from './settled.ts'
export { KeptResults, runNextStep, type SteppingAgent } from './single-steps.ts'
export { StoredTasks } from './stored-tasks.ts'
export { checkEnded, checkForkStep, checkRetry, checkTaskId, hasEnded, listedTasks, stepNumber } from './task-checks.ts'
export { notWaiting, TaskDecisions, waitingCall } from './task-decisions.ts'
export {
  followEvents,
  isPiece,
  MemoryEventLog,
  type TaskEventLog,
  type TaskEvents,
  type TaskEventsOptions,
  validEvents,
} from './task-events.ts'
export {
  createSubmittedTask,
  readSubmission,
  type SubmissionAgent,
  submittedTask,
  submittedText,
  type TaskSubmission,
  taskSubmission,
} from './task-submission.ts'
export { type TimelineRow, taskTimeline } from './task-timeline.ts'
export { type OpenTask, TasksAgent } from './tasks-agent.ts'
export { type MayUse, type TaskOperation, tasksHandler } from './tasks-handler.ts'
