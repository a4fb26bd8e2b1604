/**
 * @module
 * The journal of one task in a store. Entries are appended one after the other.
 */
import type { ChatMessage, TaskStore } from '@x/core-model'
import type { TaskState } from './agent-state.ts'
import type { JournalEvent } from './journal-entry.ts'
import { JournalWriter } from './journal-writer.ts'
import type { ListTable } from './list-table.ts'
import type { SavedClasses } from './saved-classes.ts'
import { conversationIdOf, type SavedTask } from './saved-task.ts'
import { TaskClaimedError } from './task-errors.ts'

/** A journal that was loaded. */
export interface LoadedJournal {
  saved: SavedTask
  lists: ListTable
  /** The number of entries. */
  revision: number
}

/** See the module. */
export class TaskJournal {
  private readonly store: TaskStore
  private readonly taskId: string
  private readonly writer: JournalWriter
  /** The number of entries that are stored. */
  private revision: number
  /** Whether another runner has appended entries. */
  private isClaimed = false
  /** The last operation. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(store: TaskStore, taskId: string, classes: SavedClasses, loaded?: LoadedJournal) {
    this.store = store
    this.taskId = taskId
    this.writer = new JournalWriter(classes, loaded?.saved, loaded?.lists)
    this.revision = loaded?.revision ?? 0
  }

  /** Whether another runner has taken over the task. */
  get claimed(): boolean {
    return this.isClaimed
  }

  /** Whether the store has more entries than this journal. */
  isBehind(entries: number): boolean {
    return this.revision < entries
  }

  /** Appends the first entry. */
  async begin(state: TaskState, forkedFrom?: { task_id: string; at_step: number }): Promise<void> {
    const { memory } = state.task
    const conversation: readonly ChatMessage[] = conversationIdOf(memory) === undefined ? await memory.getAll() : []
    await this.append((writer) => ({
      type: 'task',
      task: writer.task(state, conversation),
      ...(forkedFrom && { forked_from: forkedFrom }),
    }))
  }

  /**
   * Appends an entry after all earlier ones. Resolves when it is stored.
   * @throws {TaskClaimedError} if another runner has appended entries.
   * @throws {SerializationError} naming the value that cannot be saved.
   */
  append(make: (writer: JournalWriter) => JournalEvent): Promise<void> {
    return this.inTurn(async () => {
      if (this.isClaimed) throw new TaskClaimedError(this.taskId)
      let type: JournalEvent['type'] = 'step'
      try {
        const event = make(this.writer)
        type = event.type
        const isStored = await this.store.append(this.taskId, [{ ...event, n: this.revision }], this.revision)
        this.isClaimed = !isStored
        if (!isStored) throw new TaskClaimedError(this.taskId)
      } catch (error) {
        this.writer.discard(type)
        throw error
      }
      this.revision++
      this.writer.commit(type)
    })
  }

  /** Deletes the journal, after all earlier operations. */
  delete(): Promise<void> {
    return this.inTurn(async () => {
      await this.store.delete(this.taskId)
      this.revision = 0
    })
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work)
    // The caller receives the error.
    this.last = done.catch(() => {})
    return done
  }
}
