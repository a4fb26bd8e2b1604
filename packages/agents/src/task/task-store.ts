/**
 * @module
 * The contract of task stores, and a store in memory.
 */
import { readJsonText, writeJsonText } from '@x/core-model'
import type { JournalEntry } from './journal-entry.ts'

/** The data that a store keeps of a task. */
export interface TaskSummary {
  taskId: string
  /** The conversation whose messages are stored elsewhere; null if the task has a copy of its conversation. */
  conversationId: string | null
  isFinished: boolean
  /** The number of entries. */
  revision: number
}

/** Which tasks {@link TaskStore.list} returns. */
export interface TaskFilter {
  /** Whether finished tasks are left out. @defaultValue false */
  unfinished?: boolean | undefined
  /** Only tasks of this conversation. @defaultValue all */
  conversationId?: string | undefined
}

/**
 * Stores the journals of tasks in files, a database or elsewhere. A journal only grows. Check your own store with `taskStoreChecks` of
 * `@x/agents/testing`.
 */
export interface TaskStore {
  /**
   * Adds entries to the journal of a task, all or none, if exactly `revision` entries are stored; 0 if there is no journal yet. The
   * entries are stored durably when it returns.
   * @returns false if the number is different; nothing is stored then.
   */
  append(taskId: string, entries: readonly JournalEntry[], revision: number): Promise<boolean> | boolean
  /** Returns all entries in order, as parsed JSON; null if there is no journal. */
  load(taskId: string): Promise<readonly unknown[] | null> | readonly unknown[] | null
  /** Returns the tasks, in order of creation. */
  list(filter?: TaskFilter): Promise<readonly TaskSummary[]> | readonly TaskSummary[]
  /** Deletes a journal, if there is one. */
  delete(taskId: string): Promise<void> | void
}

/**
 * Returns the parts of a {@link TaskSummary} that entries determine, for your own stores.
 * @returns `conversationId` if the first entry is among them, and `isFinished: true` if one of them ends the task.
 * @example
 * factsOf([{ type: 'finalized', n: 7 }]) // => { isFinished: true }
 */
export function factsOf(entries: readonly JournalEntry[]): { conversationId?: string | null; isFinished?: true } {
  const facts: ReturnType<typeof factsOf> = {}
  for (const entry of entries) {
    if (entry.type === 'task') facts.conversationId = entry.task.conversation_id
    if (entry.type === 'finalized' || (entry.type === 'task' && entry.task.finalized)) facts.isFinished = true
  }
  return facts
}

/**
 * Stores journals in memory, as JSON text.
 * @example
 * const taskStore = new MemoryTaskStore()
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), taskStore })
 * await agent.chat('How much is 2 + 2?')
 * taskStore.list().map(({ isFinished }) => isFinished) // => [true]
 */
export class MemoryTaskStore implements TaskStore {
  private readonly tasks = new Map<string, { entries: string[]; summary: TaskSummary }>()

  append(taskId: string, entries: readonly JournalEntry[], revision: number): boolean {
    const found = this.tasks.get(taskId)
    if ((found?.entries.length ?? 0) !== revision) return false
    const texts = entries.map((entry) => writeJsonText(entry))
    const known = found ?? {
      entries: [],
      summary: { taskId, conversationId: null, isFinished: false, revision: 0 },
    }
    known.entries.push(...texts)
    Object.assign(known.summary, factsOf(entries), { revision: known.entries.length })
    this.tasks.set(taskId, known)
    return true
  }

  load(taskId: string): readonly unknown[] | null {
    return this.tasks.get(taskId)?.entries.map((text) => readJsonText(text)) ?? null
  }

  list({ unfinished = false, conversationId }: TaskFilter = {}): TaskSummary[] {
    return Array.from(this.tasks.values(), ({ summary }) => ({ ...summary })).filter(
      (task) =>
        !(unfinished && task.isFinished) && (conversationId === undefined || task.conversationId === conversationId),
    )
  }

  delete(taskId: string): void {
    this.tasks.delete(taskId)
  }
}
