/**
 * @module
 * The journals of tasks in memory.
 */
import {
  readJsonText,
  type TaskBlobs,
  type TaskFilter,
  type TaskStore,
  type TaskSummary,
  taskFacts,
  writeJsonText,
} from '@x/core-model'

interface MemoryTask {
  entries: string[]
  summary: TaskSummary
  isActive: boolean
}

/**
 * Stores journals in memory, as JSON text.
 * @example
 * const taskStore = new MemoryTaskStore()
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), taskStore: journal(taskStore) })
 * await agent.chat('How much is 2 + 2?')
 * taskStore.list().map(({ isFinished }) => isFinished) // => [true]
 */
export class MemoryTaskStore implements TaskStore {
  /** Strings above 64 kB, each once. */
  readonly blobs: TaskBlobs = {
    put: (taskId, blobs) => {
      for (const [hash, content] of blobs) {
        const blob = this.contents.get(hash) ?? { content, tasks: new Set() }
        this.contents.set(hash, blob)
        blob.tasks.add(taskId)
      }
    },
    get: (taskId, hashes) => {
      const found = hashes.flatMap((hash): [string, string][] => {
        const blob = this.contents.get(hash)
        return blob?.tasks.has(taskId) ? [[hash, blob.content]] : []
      })
      return new Map(found)
    },
  }
  private readonly contents = new Map<string, { content: string; tasks: Set<string> }>()
  private readonly tasks = new Map<string, MemoryTask>()
  /** The tasks that are not finished, and the active ones. A list of these does not look at the others. */
  private readonly unfinished = new Map<string, MemoryTask>()
  private readonly active = new Map<string, MemoryTask>()

  append(taskId: string, entries: readonly object[], revision: number): boolean {
    const found = this.tasks.get(taskId)
    if ((found?.entries.length ?? 0) !== revision) return false
    const facts = taskFacts(entries)
    const texts = entries.map((entry) => writeJsonText(entry))
    const known = found ?? {
      entries: [],
      summary: { taskId, conversationId: null, isFinished: false, revision: 0 },
      isActive: false,
    }
    known.entries.push(...texts)
    const { isActive = known.isActive, ...others } = facts
    Object.assign(known.summary, others, { revision: known.entries.length })
    known.isActive = isActive
    this.tasks.set(taskId, known)
    if (known.summary.isFinished) this.unfinished.delete(taskId)
    else this.unfinished.set(taskId, known)
    if (isActive && !known.summary.isFinished) this.active.set(taskId, known)
    else this.active.delete(taskId)
    return true
  }

  load(taskId: string): readonly unknown[] | null {
    return this.tasks.get(taskId)?.entries.map((text) => readJsonText(text)) ?? null
  }

  list({ unfinished = false, conversationId, active = false }: TaskFilter = {}): TaskSummary[] {
    const tasks = active ? this.active : unfinished ? this.unfinished : this.tasks
    return Array.from(tasks.values(), ({ summary }) => ({ ...summary })).filter(
      (task) => conversationId === undefined || task.conversationId === conversationId,
    )
  }

  delete(taskId: string): void {
    this.tasks.delete(taskId)
    this.unfinished.delete(taskId)
    this.active.delete(taskId)
    for (const [hash, { tasks }] of this.contents)
      if (tasks.delete(taskId) && tasks.size === 0) this.contents.delete(hash)
  }
}
