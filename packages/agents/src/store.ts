/**
 * @module
 * Tasks and journals as they are stored, and the states of runners. Entry `@x/agents/store`.
 */
export type { AgentChatResponseOptions, ChatAnswer } from './answer/chat-answer.ts'
export type { QueryAnswer } from './answer/query-answer.ts'
export { type JournalOptions, nextVersion, readToolOutput, writeToolOutput } from './journal.ts'
export type { CreateTaskOptions } from './runner/runner-tasks.ts'
export {
  AgentState,
  DAGAgentState,
  DAGTaskState,
  type TaskPhase,
  type TaskSnapshot,
  TaskState,
} from './task/agent-state.ts'
export { isHandledError, type ResultCodec, type ResultKind } from './task/durable.ts'
export { journalEntries, readJournal } from './task/read-journal.ts'
export type { Savable, SavableClass } from './task/saved-classes.ts'
export type { JournalEntry, JournalEvent, JournalVersion } from './task/saved-task.ts'
export {
  SAVED_TASK_VERSION,
  type SavedOpenStep,
  type SavedStep,
  type SavedStepOutput,
  type SavedTask,
  type SavedTurn,
  type TaskVersion,
} from './task/saved-task.ts'
export type { StepOutput, StepReference } from './task/task-step.ts'
export { type Change, type Changes, plain } from './task/versions.ts'
export { expandJournal } from './task/written-once.ts'
