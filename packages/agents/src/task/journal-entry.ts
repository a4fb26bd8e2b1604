/**
 * @module
 * The entries of a journal. The state of a task is what results from all entries, in order.
 */
import type { Json } from './durable.ts'
import type { LeanOutput, LeanStep } from './lean-step.ts'
import type { AddedItems } from './list-table.ts'
import type { SavedTask } from './saved-task.ts'

/** A change of the extra state of a task. */
export interface StateChange {
  /** New values, each after the keys that lead to it: `['usage', 'toolCalls', 2]`. */
  put?: unknown[][]
  /** New items at the end of arrays, after the keys: `['sources', [{ … }]]`, or `{ Kind: [{ … }] }` if all of them have that kind. */
  add?: unknown[][]
  /** The deleted keys. */
  unset?: string[]
  /** New items of other arrays that occur in the values. */
  lists?: AddedItems[]
}

/** A change of a task. */
export type JournalEvent =
  /** The task as it was when its journal began: new, forked or loaded. */
  | { type: 'task'; task: SavedTask; forked_from?: { task_id: string; at_step: number } }
  /** A runner started these steps. Other runners can no longer continue the task. */
  | {
      type: 'step_start'
      /** A number alone is that of the step at the same place in the queue. */
      steps: ({ step_id: string; number: number } | number)[]
      /** The changes that the user of the task has made since the last entry. */
      state?: StateChange
    }
  /** A model, a tool or a retriever returned a value in a step that runs. `step`: its number, and part of the name, if not the one that started last. */
  | { type: 'result'; step?: number; name: string; value: Json }
  /** A step failed before it called a tool; the next attempt starts from the beginning. */
  | { type: 'drop'; step: number }
  /** Steps are completed. */
  | {
      type: 'step'
      /** The steps as they were before they ran, if they are not those that started last. An id is that of a step in the queue before. */
      steps?: (LeanStep | string)[]
      /** Missing if all are the answer so far without a text. */
      outputs?: LeanOutput[]
      /** The ids of the failed steps. */
      failed?: string[]
      /** The upcoming steps. An id is that of a step in the queue before, or of a new step like the one that ran, without input. */
      queue: (LeanStep | string)[]
      state?: StateChange
    }
  /** The agent behind a tool call appended entries to its part of the journal, which had `at` entries before. `place`: of the call. */
  | { type: 'inner'; place: string; at: number; entries: readonly object[] }
  /** A person decided about a tool call, or its result came from outside. */
  | { type: 'decision'; call_id: string; decision: string; by?: string; state?: StateChange }
  /** The last operation was undone. */
  | { type: 'undo' }
  /** The messages of the task are being added to the conversation, which had `memory_length` messages before. */
  | { type: 'finalizing'; memory_length: number }
  /** The messages are in the conversation. */
  | { type: 'finalized' }

/** An entry of a journal: the change, and the position of the entry, from 0. */
export type JournalEntry = JournalEvent & { n: number }
