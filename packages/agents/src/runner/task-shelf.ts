/**
 * @module
 * The tasks of a runner: which it has, which of them are finished, and where they are saved.
 */
import { type ChatMessage, ConfigurationError } from '@x/core-model'
import { TaskAlreadyExistsError } from '../errors.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import type { JournalEvent } from '../task/journal-entry.ts'
import type { JournalWriter } from '../task/journal-writer.ts'
import type { SavedClasses } from '../task/saved-classes.ts'
import { conversationIdOf, type SavedTask, SavedTaskWriter } from '../task/saved-task.ts'
import { type LoadedJournal, TaskJournal } from '../task/task-journal.ts'
import type { TaskStore } from '../task/task-store.ts'

/** Where tasks are kept, and for how long. */
export interface TaskShelfOptions {
  store: TaskStore | undefined
  classes: SavedClasses
  deleteOnFinish: () => boolean
  maxFinished: () => number | null
}

/** See the module. */
export class TaskShelf<State extends TaskState> {
  private readonly state: AgentState<State>
  private readonly options: TaskShelfOptions
  private readonly journals = new WeakMap<TaskState, TaskJournal>()
  /** Finalized tasks, the oldest first. */
  private readonly finished = new Set<string>()
  /** Kept between deletions: a new iterator would visit all deleted entries again. */
  private readonly oldestFinished = this.finished.values()

  constructor(state: AgentState<State>, options: TaskShelfOptions) {
    this.state = state
    this.options = options
  }

  /** @throws {TaskAlreadyExistsError} if the id is used. */
  refuseKnown(taskId: string): void {
    if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
  }

  /** Registers a task and begins its journal, and removes the task again if that fails. */
  async add(state: State, forkedFrom?: { task_id: string; at_step: number }): Promise<void> {
    const { taskId } = state.task
    this.refuseKnown(taskId)
    this.state.taskDict.set(taskId, state)
    const { store, classes } = this.options
    if (!store) return
    const journal = new TaskJournal(store, taskId, classes)
    this.journals.set(state, journal)
    try {
      await journal.begin(state, forkedFrom)
    } catch (error) {
      this.state.taskDict.delete(taskId)
      throw error
    }
  }

  /** Registers a task whose journal is in the store. */
  addLoaded(state: State, loaded: LoadedJournal): void {
    const { taskId } = state.task
    this.forgetClaimed(taskId)
    this.refuseKnown(taskId)
    this.state.taskDict.set(taskId, state)
    const { store, classes } = this.options
    if (store) this.journals.set(state, new TaskJournal(store, taskId, classes, loaded))
    this.noteFinished(state)
  }

  /** A task that another runner took over may be loaded again. */
  forgetClaimed(taskId: string): void {
    const known = this.state.taskDict.get(taskId)
    if (known && this.journals.get(known)?.claimed) this.state.taskDict.delete(taskId)
  }

  noteFinished(state: State): void {
    if (state.phase === 'finalized') this.finished.add(state.task.taskId)
  }

  /** Whether this task, not another one of its id, is registered. */
  knows(state: TaskState): boolean {
    return this.state.taskDict.get(state.task.taskId) === state
  }

  /** Appends an entry to the journal of a task, unless the task was deleted. */
  async append(state: TaskState, make: (writer: JournalWriter) => JournalEvent): Promise<void> {
    if (this.knows(state)) await this.journals.get(state)?.append(make)
  }

  /** A task in JSON. @throws {SerializationError} naming the value that cannot be saved. */
  write(state: TaskState): SavedTask {
    const { memory } = state.task
    const messages: unknown = conversationIdOf(memory) === undefined ? memory.getAll() : []
    if (!Array.isArray(messages))
      throw new ConfigurationError('saveTask: the memory of the task is asynchronous and has no conversationId.')
    return new SavedTaskWriter(this.options.classes).task(state, messages as ChatMessage[])
  }

  async delete(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    this.state.taskDict.delete(taskId)
    this.finished.delete(taskId)
    await this.erase(state)
  }

  async reset(): Promise<void> {
    const states = this.state.taskDict.values()
    this.state.reset()
    this.finished.clear()
    for (const state of states) await this.erase(state)
  }

  /** Notes the end of a task, and deletes it and the oldest finished ones as far as they are not to be kept. */
  async retire(state: State): Promise<void> {
    if (!this.options.deleteOnFinish()) await this.append(state, () => ({ type: 'finalized' }))
    // The task was deleted while it was saved.
    if (!this.knows(state)) return
    for (const forgotten of this.forgetFinished(state)) await this.erase(forgotten)
  }

  private async erase(state: TaskState): Promise<void> {
    await this.journals.get(state)?.delete()
  }

  /** Deletes this task if finished tasks are not kept, and the oldest tasks above the maximum. Returns them. */
  private forgetFinished(state: State): State[] {
    const { finished } = this
    const { taskDict } = this.state
    const most = this.options.maxFinished()
    const forgotten: State[] = []
    const forget = (id: string) => {
      finished.delete(id)
      const found = taskDict.get(id)
      if (found && taskDict.delete(id)) forgotten.push(found)
    }
    if (this.options.deleteOnFinish()) forget(state.task.taskId)
    else finished.add(state.task.taskId)
    while (most !== null && finished.size > 0 && !(finished.size <= most)) forget(this.oldestFinished.next().value!)
    return forgotten
  }
}
