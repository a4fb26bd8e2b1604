/**
 * @module
 * Where the tasks of agents are stored.
 */
import { checkGiven, list } from '@x/core/options'
import { isPlainObject } from '@x/core/values'

/** The data that a store keeps of a task. */
export interface TaskSummary {
  taskId: string
  /** The conversation whose messages are stored elsewhere; null if the task has a copy of its conversation. */
  conversationId: string | null
  isFinished: boolean
  /** The number of entries of its journal. */
  revision: number
}

/** Which tasks {@link TaskStore.list} returns. */
export interface TaskFilter {
  /** Whether finished tasks are left out. @defaultValue false */
  unfinished?: boolean | undefined
  /** Only tasks of this conversation. @defaultValue all */
  conversationId?: string | undefined
  /**
   * Only journals for which a worker has something to do, or does it: those that `taskFacts` finds active and not finished. A worker asks
   * for them again and again, so a store should find them by an index. A store that ignores it returns too many, which is slower.
   * @defaultValue false
   */
  active?: boolean | undefined
}

/**
 * Stores the journals of tasks in files, a database or elsewhere. A journal only grows. Its entries are JSON objects: `JournalEntry` of
 * `@x/agents`. A damaged journal stops its own task alone: `list` returns it with the others, with what the store knows, `load` throws
 * `StoreReadError` of `@x/storage` with the id of the task (`readingRecord`), and `delete` deletes it. Check your own store with
 * `taskStoreChecks` of `@x/testing/agents`.
 */
export interface TaskStore {
  /** Stores strings above 64 kB once for all tasks. @defaultValue journals contain them */
  readonly blobs?: TaskBlobs | undefined
  /**
   * Adds entries to the journal of a task atomically, if exactly `revision` entries are stored; 0 if the journal does not exist yet. When
   * the promise resolves, the entries are stored durably.
   * @returns false if the number is different; nothing is stored then.
   */
  append(taskId: string, entries: readonly object[], revision: number): Promise<boolean> | boolean
  /**
   * Returns all entries in order, as parsed JSON; null if the journal does not exist.
   * @throws an error with the code `store_read` and the `taskId`, if one is damaged or missing.
   */
  load(taskId: string): Promise<readonly unknown[] | null> | readonly unknown[] | null
  /** Returns the tasks, in order of creation. */
  list(filter?: TaskFilter): Promise<readonly TaskSummary[]> | readonly TaskSummary[]
  /** Deletes a journal, if there is one, and the blobs that no other task has. */
  delete(taskId: string): Promise<void> | void
}

/**
 * Large strings of tasks by their hash, each stored once for all tasks of a store. A blob is deleted with the last task for which it was
 * put.
 */
export interface TaskBlobs {
  /**
   * Stores blobs for a task, durably when the promise resolves. A task may not have a journal yet, or have some of them already.
   * @param blobs - by their SHA-256 in hexadecimal digits: valid Unicode without U+0000.
   */
  put(taskId: string, blobs: ReadonlyMap<string, string>): Promise<void> | void
  /** Returns the blobs of a task with these hashes. Those that do not exist are missing. */
  get(taskId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string>
}

/** Summary fields that can be computed from journal entries. */
export interface TaskFacts {
  conversationId?: string | null
  /** Whether the task has ended. A task that failed may be continued later: then it has not ended any more. */
  isFinished?: boolean
  /** Whether a worker has something to do for a submitted task, or does it, unless the task has ended. */
  isActive?: boolean
}

/**
 * Returns what entries say of their journal, for your own stores. What is not returned stays as it was; a new journal has no conversation,
 * is not finished, and is not active.
 * @returns `conversationId` if the first entry is among them, `isFinished` if they end the task or open it again, `isActive` if a worker
 *   has something to do from now on, or waits for a decision.
 * @example
 * taskFacts([{ type: 'finalized', n: 7 }]) // => { isFinished: true }
 */
export function taskFacts(entries: readonly unknown[]): TaskFacts {
  checkGiven('taskFacts', { entries }, list)
  const facts: TaskFacts = {}
  for (const entry of entries) {
    const { type, task } = isPlainObject(entry) ? entry : {}
    const saved = type === 'task' && isPlainObject(task) ? task : null
    if (saved) facts.conversationId = typeof saved['conversation_id'] === 'string' ? saved['conversation_id'] : null
    if (type === 'retried') facts.isFinished = false
    if (type === 'submitted' || type === 'retried' || type === 'decided' || type === 'due') facts.isActive = true
    if (type === 'waiting') facts.isActive = false
    if (type === 'finalized' || saved?.['finalized'] === true) facts.isFinished = true
  }
  return facts
}
