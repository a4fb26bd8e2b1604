/**
 * @module
 * The entries of a journal. The state of a task is what results from all entries, in order.
 */
import type { Json } from './durable.ts'
import type { AddedItems } from './list-table.ts'
import type { SavedStepOutput, SavedTask } from './saved-task.ts'
import type { TaskStepDict } from './task-step.ts'

/** A change of the extra state of a task. */
export interface StateChange {
  /** The keys with new values. */
  set: Record<string, unknown>
  /** The deleted keys. */
  unset: string[]
  /** New items of arrays that occur in the values. */
  lists: AddedItems[]
}

/** A change of a task. */
export type JournalEvent =
  /** The task as it was when its journal began: new, forked or loaded. */
  | { type: 'task'; task: SavedTask; forked_from?: { task_id: string; at_step: number } }
  /** A runner started these steps. Other runners can no longer continue the task. */
  | {
      type: 'step_start'
      steps: { step_id: string; number: number }[]
      /** The changes that the user of the task has made since the last entry. */
      state: StateChange
    }
  /** A model, a tool or a retriever returned a value in a step that runs. */
  | { type: 'result'; step: number; name: string; value: Json }
  /** A step failed before it called a tool; the next attempt starts from the beginning. */
  | { type: 'drop'; step: number }
  /** Steps are completed. */
  | {
      type: 'step'
      /** The steps as they were before they ran. */
      steps: TaskStepDict[]
      outputs: SavedStepOutput[]
      /** The ids of the failed steps. */
      failed: string[]
      /** The upcoming steps. */
      queue: TaskStepDict[]
      state: StateChange
    }
  /** The agent behind a tool call appended entries to its part of the journal, which had `at` entries before. `place`: of the call. */
  | { type: 'inner'; place: string; at: number; entries: readonly object[] }
  /** A person decided about a tool call, or its result came from outside. */
  | { type: 'decision'; call_id: string; decision: string; by?: string; state: StateChange }
  /** The last operation was undone. */
  | { type: 'undo' }
  /** The messages of the task are being added to the conversation, which had `memory_length` messages before. */
  | { type: 'finalizing'; memory_length: number }
  /** The messages are in the conversation. */
  | { type: 'finalized' }

/** An entry of a journal: the change, and the position of the entry, from 0. */
export type JournalEntry = JournalEvent & { n: number }
