/**
 * @module
 * Tasks and journals as they are stored, and the states of runners. Entry `@x/agents/store`.
 */
export type { ChatAnswer } from './answer/chat-answer.ts'
export type { QueryAnswer } from './answer/query-answer.ts'
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export { type JournalOptions, readToolOutput, writeToolOutput } from './journal.ts'
export {
  AgentState,
  DAGAgentState,
  DAGTaskState,
  type TaskPhase,
  type TaskSnapshot,
  TaskState,
} from './task/agent-state.ts'
export { isHandledError } from './task/durable.ts'
export { journalEntries, nextVersion, readJournal } from './task/read-journal.ts'
export type { JournalEntry } from './task/saved-task.ts'
export type { StepOutput } from './task/task-step.ts'
export {
  type Change,
  type Changes,
  plain,
  SAVED_TASK_VERSION,
  type SavedTask,
  type TaskVersion,
} from './task/versions.ts'
export { expandJournal } from './task/written-once.ts'
