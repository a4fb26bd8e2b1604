/**
 * @module
 * The tasks of a runner: which it has, which of them are finished, and where they are saved.
 */
import { TaskAlreadyExistsError } from '../errors.ts'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { type SavedTask, type TaskStore, writeSavedTask } from '../task/saved-task.ts'
import type { SavedClasses } from '../task/state-codec.ts'

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

  /** Registers a new task, and removes it again if it cannot be saved. */
  async add(state: State): Promise<void> {
    const { taskId } = state.task
    this.refuseKnown(taskId)
    this.state.taskDict.set(taskId, state)
    try {
      await this.save(state)
    } catch (error) {
      this.state.taskDict.delete(taskId)
      throw error
    }
  }

  /** Registers a task that was loaded. */
  addLoaded(state: State): void {
    const { taskId } = state.task
    this.state.taskDict.set(taskId, state)
    if (state.response) this.finished.add(taskId)
  }

  /** Whether this task, not another one of its id, is registered. */
  knows(state: TaskState): boolean {
    return this.state.taskDict.get(state.task.taskId) === state
  }

  /** Saves a task, unless it was deleted. */
  async save(state: TaskState): Promise<void> {
    const { store } = this.options
    if (store && this.knows(state)) await store.save(state.task.taskId, this.write(state))
  }

  /** A task in JSON. @throws {SerializationError} naming the value that cannot be saved. */
  write(state: TaskState): SavedTask {
    return writeSavedTask(state, this.options.classes)
  }

  async delete(taskId: string): Promise<void> {
    this.state.get(taskId)
    this.state.taskDict.delete(taskId)
    this.finished.delete(taskId)
    await this.options.store?.delete(taskId)
  }

  async reset(): Promise<void> {
    const ids = [...this.state.taskDict.keys()]
    this.state.reset()
    this.finished.clear()
    for (const taskId of ids) await this.options.store?.delete(taskId)
  }

  /** Saves a finalized task, and deletes it and the oldest finished ones as far as they are not to be kept. */
  async retire(state: State): Promise<void> {
    const { store, deleteOnFinish } = this.options
    if (!deleteOnFinish()) await this.save(state)
    // The task was deleted while it was saved.
    if (!this.knows(state)) return
    for (const id of this.forgetFinished(state.task.taskId)) await store?.delete(id)
  }

  /** Deletes this task if finished tasks are not kept, and the oldest tasks above the maximum. Returns their ids. */
  private forgetFinished(taskId: string): string[] {
    const { finished } = this
    const most = this.options.maxFinished()
    const forgotten: string[] = []
    const forget = (id: string) => {
      finished.delete(id)
      if (this.state.taskDict.delete(id)) forgotten.push(id)
    }
    if (this.options.deleteOnFinish()) forget(taskId)
    else finished.add(taskId)
    while (most !== null && finished.size > 0 && !(finished.size <= most)) forget(this.oldestFinished.next().value!)
    return forgotten
  }
}
