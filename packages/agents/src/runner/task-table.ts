/**
 * @module
 * The tasks of a runner, in memory and in the task store.
 */
import type { TaskStore } from '@x/core-model'
import type { AgentState, TaskState } from '../task/agent-state.ts'
import { undecidedCalls } from '../task/approvals.ts'
import type { BeginOptions, Journal, JournalPart, LoadedJournal, MakeEvent, SavedBy } from '../task/journal.ts'
import type { JournalWriter } from '../task/journal-writer.ts'
import { TaskAlreadyExistsError } from '../task/task-errors.ts'
import type { SavedTask } from '../task/versions.ts'

/** Which finished tasks are kept. */
export interface TaskLimits {
  readonly deleteTaskOnFinish: boolean
  readonly maxFinishedTasks: number | null
}

/** Options of {@link TaskTable.add}. */
interface AddOptions extends BeginOptions {
  /** How this task is saved, if the runner saves none. */
  journal?: Journal | undefined
}

/** Ids, the oldest first. */
class Order extends Set<string> {
  /** Kept between deletions: a new iterator would visit all deleted entries again. */
  private readonly oldest = this.values()

  /** Removes the oldest ids above the maximum, and returns them. */
  removeAbove(most: number | null): string[] {
    const removed: string[] = []
    while (most !== null && this.size > 0 && !(this.size <= most)) {
      const id = this.oldest.next().value!
      this.delete(id)
      removed.push(id)
    }
    return removed
  }
}

/** The unfinished and the last finished tasks of a runner, by id. */
export class TaskTable<State extends TaskState> {
  private readonly state: AgentState<State>
  private readonly journal: Journal | undefined
  private readonly limits: TaskLimits
  private readonly now: () => number
  /** How tasks are saved. Undefined until one is. */
  saved: WeakMap<TaskState, SavedBy> | undefined
  /** Finalized tasks. */
  private readonly finished = new Order()
  /** Unfinished tasks whose last run has ended. */
  private readonly ended = new Order()

  constructor(state: AgentState<State>, journal: Journal | undefined, limits: TaskLimits, now: () => number) {
    this.state = state
    this.journal = journal
    this.limits = limits
    this.now = now
    // Tasks in the options of the runner.
    if (journal) for (const known of state.taskDict.values()) this.note(known, { code: journal, journal: undefined })
  }

  /** @throws {TaskAlreadyExistsError} if the id is used. */
  refuseDuplicate(taskId: string): void {
    if (this.state.taskDict.has(taskId)) throw new TaskAlreadyExistsError(taskId)
  }

  find(taskId: string): State | undefined {
    return this.state.taskDict.get(taskId)
  }

  /** Registers a task and begins its journal, and removes the task again if that fails. */
  async add(state: State, { journal: given, ...begin }: AddOptions = {}): Promise<void> {
    const { taskId } = state.task
    this.refuseDuplicate(taskId)
    this.state.taskDict.set(taskId, state)
    const code = given ?? this.journal
    const journal = code?.store && code.open(taskId, this.now)
    if (code) this.note(state, { code, journal })
    if (!journal) return
    try {
      await journal.begin(state, begin)
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
    this.note(state, { code: given, journal: given.store && given.open(taskId, this.now, loaded) })
    this.recordFinished(state)
  }

  /** Removes a task that another runner took over, so that it can be loaded again. */
  removeClaimed(taskId: string): void {
    const known = this.find(taskId)
    if (known && this.saved?.get(known)?.journal?.claimed) this.state.taskDict.delete(taskId)
  }

  /** Removes a task whose journal is not in this store. */
  removeOther(taskId: string, store: TaskStore): void {
    const known = this.find(taskId)
    if (known && !this.saved?.get(known)?.journal?.isIn(store)) this.state.taskDict.delete(taskId)
  }

  /**
   * Returns a task unless another runner has appended to its journal in the store, which has this number of entries. Then it is removed.
   */
  current(taskId: string, entries: number, store: TaskStore): State | undefined {
    const known = this.find(taskId)
    if (!known) return undefined
    const isIdle = !known.busy && known.phase !== 'finalizing'
    const journal = this.saved?.get(known)?.journal
    const isThere = journal ? journal.isIn(store) : store === this.journal?.store
    if (isThere && !journal?.claimed && !(isIdle && journal?.isBehind(entries))) return known
    this.state.taskDict.delete(taskId)
    return undefined
  }

  /** Returns the part of a task's journal for the agent behind a tool call; undefined without a journal. */
  part(state: TaskState, place: string): JournalPart | undefined {
    const saved = this.has(state) ? this.saved?.get(state) : undefined
    return saved && (saved.journal?.part(place) ?? { taskStore: saved.code, check: () => {} })
  }

  private note(state: TaskState, saved: SavedBy): void {
    this.saved ??= new WeakMap()
    this.saved.set(state, saved)
  }

  recordFinished(state: State): void {
    if (state.phase === 'finalized') this.finished.add(state.task.taskId)
  }

  /** Notes that a task runs. */
  recordRun({ task }: TaskState): void {
    this.ended.delete(task.taskId)
  }

  /**
   * Notes that a run has ended without an answer, and removes the oldest such tasks that are not kept. Their journals stay in the store.
   */
  recordEnded({ task }: TaskState): void {
    this.ended.add(task.taskId)
    for (const id of this.ended.removeAbove(this.limits.maxFinishedTasks)) {
      const known = this.find(id)
      if (known?.phase === 'open' && undecidedCalls(known).length === 0) this.state.taskDict.delete(id)
    }
  }

  /** Whether this task is registered. False for a deleted task, even if a new one has the same id. */
  has(state: TaskState): boolean {
    return this.find(state.task.taskId) === state
  }

  /** Whether a task has a journal. */
  isSaved(state: TaskState): boolean {
    return this.saved?.get(state)?.journal !== undefined
  }

  /** Appends entries to the journal of a task, unless the task was deleted. */
  async append(state: TaskState, ...makes: readonly MakeEvent[]): Promise<void> {
    const journal = this.saved?.get(state)?.journal
    if (!journal || !this.has(state)) return
    await journal.append(...makes)
    journal.releaseParts(state)
  }

  /** Returns a task in JSON; undefined if nothing brings the code. @throws {SerializationError} naming the value that cannot be saved. */
  write(state: TaskState): SavedTask | undefined {
    const saved = this.saved?.get(state)
    return saved?.code.save(state, (place) => saved.journal?.openPart(place))
  }

  async delete(taskId: string): Promise<void> {
    const state = this.state.get(taskId)
    this.state.taskDict.delete(taskId)
    this.finished.delete(taskId)
    this.ended.delete(taskId)
    await this.deleteJournal(state)
  }

  async reset(): Promise<void> {
    const states = [...this.state.taskDict.values()]
    this.state.reset()
    this.finished.clear()
    this.ended.clear()
    for (const state of states) await this.deleteJournal(state)
  }

  /**
   * Saves the end of a task, then deletes the finished tasks that are not kept.
   * @param length - the number of messages before those of the task, if it is not saved yet.
   */
  async finish(state: State, length: number | undefined): Promise<void> {
    const before = length === undefined ? [] : [(writer: JournalWriter) => writer.finalizing(length)]
    if (!this.limits.deleteTaskOnFinish) await this.append(state, ...before, (writer) => writer.finalized())
    // The task was deleted while its end was being saved.
    if (!this.has(state)) return
    for (const removed of this.removeFinished(state)) await this.deleteJournal(removed)
  }

  private async deleteJournal(state: TaskState): Promise<void> {
    const journal = this.saved?.get(state)?.journal
    // The keys of the calls of an agent behind a tool are used, and its call may be made again after an undo.
    if (!journal?.isPart) await journal?.delete()
  }

  /** Removes this task if finished tasks are not kept, and the oldest finished tasks above the maximum. Returns them. */
  private removeFinished(state: State): State[] {
    const { taskDict } = this.state
    const { taskId } = state.task
    const { deleteTaskOnFinish, maxFinishedTasks } = this.limits
    this.ended.delete(taskId)
    if (!deleteTaskOnFinish) this.finished.add(taskId)
    const removed: State[] = []
    for (const id of [...(deleteTaskOnFinish ? [taskId] : []), ...this.finished.removeAbove(maxFinishedTasks)]) {
      const found = taskDict.get(id)
      if (found && taskDict.delete(id)) removed.push(found)
    }
    return removed
  }
}
