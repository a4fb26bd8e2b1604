/**
 * @module
 * The entries of a journal: versions of the document of a task. An entry contains what changed since the version before.
 */
import type { Json } from './durable.ts'
import type { SavedTask } from './saved-task.ts'
import type { Change } from './versions.ts'

/** A change of a task. */
export type JournalEvent =
  /** The task as it was when its journal began: new, forked or loaded. */
  | { type: 'task'; task: SavedTask; forked_from?: { task_id: string; at_step: number } }
  /** A model, a tool or a retriever returned a value in a step that runs. `step`: its number. */
  | { type: 'result'; step: number; name: string; value: Json }
  /** The agent behind a tool call appended entries to its part of the journal, which had `length` entries before. `place`: of the call. */
  | { type: 'inner'; place: string; length: number; entries: readonly object[] }
  | JournalVersion

/** The next version of a task. */
export interface JournalVersion {
  /**
   * Why it changed:
   * - `step_start`: a runner started steps; other runners can no longer continue the task.
   * - `drop`: a step failed before it called a tool; the next attempt starts from the beginning.
   * - `step`: steps are completed. The version before can be restored.
   * - `decision`: a person decided about a tool call, or its result came from outside.
   * - `undo`: the last operation was undone.
   * - `finalizing`: the messages of the task are being added to the conversation. `finalized`: they are there.
   */
  type: 'step_start' | 'drop' | 'step' | 'decision' | 'undo' | 'finalizing' | 'finalized'
  /** The number of the entry whose version is changed, if it is not the one before. Negative: one of those before the first entry. */
  from?: number
  changes: Change
  /** The decision, for those who read the journal. */
  call_id?: string
  decision?: string
  by?: string
}

/** The types of entries that change the task. */
export const versionTypes: readonly JournalVersion['type'][] = [
  'step_start',
  'drop',
  'step',
  'decision',
  'undo',
  'finalizing',
  'finalized',
]

/** An entry of a journal: the change, the position of the entry, from 0, and when it was written, in milliseconds since 1970-01-01 UTC. */
export type JournalEntry = JournalEvent & { n: number; at: number }
