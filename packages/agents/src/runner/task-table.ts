/**
 * @module
 * The tasks of a runner, in memory and in the task store.
 */
import type { TaskStore } from '@x/core-model'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { pendingCalls } from '../task/approvals.ts'
import type { Journal, JournalPart, LoadedJournal, OpenJournal } from '../task/journal.ts'
import type { JournalEvent } from '../task/journal-entry.ts'
import type { JournalWriter } from '../task/journal-writer.ts'
import type { SavedTask } from '../task/saved-task.ts'
import { TaskAlreadyExistsError } from '../task/task-errors.ts'

/** Options for storing and deleting tasks. */
export interface TaskTableOptions {
  journal: Journal | undefined
  deleteOnFinish: () => boolean
  maxFinished: () => number | null
}

/** Options of {@link TaskTable.add}. */
interface AddOptions {
  forkedFrom?: { task_id: string; at_step: number } | undefined
  /** How this task is saved, if the runner saves none. */
  journal?: Journal | undefined
}

/** How a task is saved. */
interface Saved {
  code: Journal
  /** Undefined without a store. */
  journal: OpenJournal | undefined
}

/** The unfinished and the last finished tasks of a runner, by id. */
export class TaskTable<State extends TaskState> {
  private readonly state: AgentState<State>
  private readonly options: TaskTableOptions
  /** How tasks are saved. Undefined until one is. */
  private saved: WeakMap<TaskState, Saved> | undefined
  /** Finalized tasks, the oldest first. */
  private readonly finished = new Set<string>()
  /** Kept between deletions: a new iterator would visit all deleted entries again. */
  private readonly oldestFinished = this.finished.values()

  constructor(state: AgentState<State>, options: TaskTableOptions) {
    this.state = state
    this.options = options
  }

  /** @throws {TaskAlreadyExistsError} if the id is used. */
  refuseDuplicate(taskId: string): void {
    if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
  }

  /** Registers a task and begins its journal, and removes the task again if that fails. */
  async add(state: State, { forkedFrom, journal: given }: AddOptions = {}): Promise<void> {
    const { taskId } = state.task
    this.refuseDuplicate(taskId)
    this.state.taskDict.set(taskId, state)
    const code = given ?? this.options.journal
    const journal = code?.store && code.open(taskId)
    if (code) this.note(state, { code, journal })
    if (!journal) return
    try {
      await journal.begin(state, forkedFrom)
    } catch (error) {
      this.state.taskDict.delete(taskId)
      throw error
    }
  }

  /** Registers a task whose journal is in the store. */
  addLoaded(state: State, loaded: LoadedJournal, given: Journal): void {
    const { taskId } = state.task
    this.removeClaimed(taskId)
    this.refuseDuplicate(taskId)
    this.state.taskDict.set(taskId, state)
    this.note(state, { code: given, journal: given.store && given.open(taskId, loaded) })
    this.recordFinished(state)
  }

  /** Removes a task that another runner took over, so that it can be loaded again. */
  removeClaimed(taskId: string): void {
    const known = this.state.taskDict.get(taskId)
    if (known && this.openJournal(known)?.claimed) this.state.taskDict.delete(taskId)
  }

  /** Removes a task whose journal is not in this store. */
  removeOther(taskId: string, store: TaskStore): void {
    const known = this.state.taskDict.get(taskId)
    if (known && !this.openJournal(known)?.isIn(store)) this.state.taskDict.delete(taskId)
  }

  /** Returns a task unless another runner has appended to its journal in the store, which has this number of entries. Then it is removed. */
  current(taskId: string, entries: number, store: TaskStore): State | undefined {
    const known = this.state.taskDict.get(taskId)
    if (!known) return undefined
    const isIdle = !known.busy && known.phase !== 'finalizing'
    const journal = this.openJournal(known)
    const isThere = journal ? journal.isIn(store) : store === this.options.journal?.store
    if (isThere && !journal?.claimed && !(isIdle && journal?.isBehind(entries))) return known
    this.state.taskDict.delete(taskId)
    return undefined
  }

  /** Whether a task has a journal. */
  isStored(state: TaskState): boolean {
    return this.openJournal(state) !== undefined
  }

  /** Returns the part of a task's journal for the agent behind a tool call; undefined without a journal. */
  part(state: TaskState, place: string): JournalPart | undefined {
    const code = this.has(state) ? this.journalOf(state) : undefined
    return code && (this.openJournal(state)?.part(place) ?? { taskStore: code, check: () => {} })
  }

  /** Returns how a task is saved. */
  journalOf(state: TaskState): Journal | undefined {
    return this.saved?.get(state)?.code ?? this.options.journal
  }

  private openJournal(state: TaskState): OpenJournal | undefined {
    return this.saved?.get(state)?.journal
  }

  private note(state: TaskState, saved: Saved): void {
    this.saved ??= new WeakMap()
    this.saved.set(state, saved)
  }

  recordFinished(state: State): void {
    if (state.phase === 'finalized') this.finished.add(state.task.taskId)
  }

  /** Whether this task is registered. False for a deleted task, even if a new one has the same id. */
  has(state: TaskState): boolean {
    return this.state.taskDict.get(state.task.taskId) === state
  }

  /** Appends an entry to the journal of a task, unless the task was deleted. */
  async append(state: TaskState, make: (writer: JournalWriter) => JournalEvent): Promise<void> {
    const journal = this.openJournal(state)
    if (!journal || !this.has(state)) return
    await journal.append(make)
    if (journal.hasParts && state.phase === 'saving')
      journal.releaseParts(new Set(pendingCalls(state).map(({ place }) => place)))
  }

  /** Returns a task in JSON; undefined if nothing brings the code. @throws {SerializationError} naming the value that cannot be saved. */
  write(state: TaskState): SavedTask | undefined {
    return this.journalOf(state)?.save(state, (place) => this.openJournal(state)?.openPart(place))
  }

  async delete(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    this.state.taskDict.delete(taskId)
    this.finished.delete(taskId)
    await this.deleteJournal(state)
  }

  async reset(): Promise<void> {
    const states = this.state.taskDict.values()
    this.state.reset()
    this.finished.clear()
    for (const state of states) await this.deleteJournal(state)
  }

  /** Saves the end of a task, then deletes the finished tasks that are not kept. */
  async finish(state: State): Promise<void> {
    if (!this.options.deleteOnFinish()) await this.append(state, () => ({ type: 'finalized' }))
    // The task was deleted while its end was being saved.
    if (!this.has(state)) return
    for (const removed of this.removeFinished(state)) {
      // The keys of its calls are used, and the call may be made again after an undo.
      if (!this.openJournal(removed)?.isPart) await this.deleteJournal(removed)
    }
  }

  private async deleteJournal(state: TaskState): Promise<void> {
    await this.openJournal(state)?.delete()
  }

  /** Removes this task if finished tasks are not kept, and the oldest finished tasks above the maximum. Returns them. */
  private removeFinished(state: State): State[] {
    const { finished } = this
    const { taskDict } = this.state
    const most = this.options.maxFinished()
    const removed: State[] = []
    const remove = (id: string) => {
      finished.delete(id)
      const found = taskDict.get(id)
      if (found && taskDict.delete(id)) removed.push(found)
    }
    if (this.options.deleteOnFinish()) remove(state.task.taskId)
    else finished.add(state.task.taskId)
    while (most !== null && finished.size > 0 && !(finished.size <= most)) remove(this.oldestFinished.next().value!)
    return removed
  }
}
