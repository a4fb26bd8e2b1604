/**
 * @module
 * Durable tasks on a task store: in files, SQLite, PostgreSQL or memory.
 */
import type { AgentInput, AnswerJson, ToolDecision } from '@x/agents'
import { TaskAlreadyExistsError, TaskBusyError } from '@x/agents/errors'
import { readToolDecision } from '@x/agents/protocol'
import { journalEntries, readJournal } from '@x/agents/store'
import { callOptions, checkOptions, flag, milliseconds, text, unchecked } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { ConfigurationError, isToolkitError } from '@x/core-model'
import { raceAbort, untilLeft } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { damageOf, failureError, TaskCancelledError, unlessDamaged } from './durable-errors.ts'
import type {
  AnswerOptions,
  DurableTasks,
  ForkTaskOptions,
  ListTasksOptions,
  SubmitTaskOptions,
  TaskOverview,
  TaskStatus,
  WaitingCall,
} from './durable-tasks.ts'
import { timedStore } from './noted-store.ts'
import { ownerPart } from './owned-by.ts'
import { printableAnswer } from './printable-answer.ts'
import { STORED_TASKS, type StoredTasksOptions, storeMs } from './stored-tasks-options.ts'
import { StoredWorker } from './stored-worker.ts'
import { checkEnded, checkForkStep, checkRetry, checkTaskId, hasEnded, listedTasks } from './task-checks.ts'
import { waitingCall } from './task-decisions.ts'
import {
  followEvents,
  MemoryEventLog,
  type TaskEventLog,
  type TaskEvents,
  type TaskEventsOptions,
} from './task-events.ts'
import { finalized, type TaskRecord, TaskRecords } from './task-record.ts'
import { submittedText, taskSubmission } from './task-submission.ts'

/** Options of {@link StoredTasks.start}. */
interface StartTasksOptions {
  /** Whether no other process runs tasks of this store. @defaultValue false */
  alone?: boolean | undefined
}

/** Options of {@link StoredTasks.stop}. */
interface StopTasksOptions {
  /** How long calls that have begun may take to end, in milliseconds. @defaultValue 0 */
  drainMs?: number | undefined
}

/**
 * Durable tasks on a task store. An object with an `agent` runs the tasks. Objects without one submit tasks, read their state and decide,
 * in other processes. Several processes may run the tasks of a store: a worker renews its lease while it runs a task; if its process was
 * killed, another one continues the task after `leaseMs`, where it was. `stop` releases tasks at once.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { FunctionTool, MemoryTaskStore, ReActAgent } from '@x/agents'
 * const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}', 'Thought: ok\nAnswer: Paid.'] })
 * const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
 * const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [pay], taskStore })
 * const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
 * await tasks.start()
 * await tasks.submit('Pay!', { taskId: 'rent' })
 * await settled(tasks, 'rent')
 * const [call] = await tasks.waiting('rent')
 * await tasks.decide('rent', { callId: call?.id ?? '', type: 'approve' })
 * const { response } = await tasks.answer('rent')
 * await tasks.stop()
 * response // => 'Paid.'
 */
export class StoredTasks implements DurableTasks {
  private readonly options: StoredTasksOptions
  private readonly records: TaskRecords
  private readonly log: TaskEventLog
  private readonly worker: StoredWorker | undefined
  private readonly changes = new Changes()

  constructor(given: StoredTasksOptions) {
    checkOptions('StoredTasks', given, STORED_TASKS)
    const { agent, events } = given
    const store = timedStore('StoredTasks.store', given.store, storeMs(given))
    this.options = { ...given, store }
    this.records = new TaskRecords(store)
    this.log = events ? timedStore('StoredTasks.events', events, storeMs(given)) : new MemoryEventLog()
    const changed = (taskId: string, isEvent: boolean) => (isEvent ? this.reportEvent(taskId) : this.report(taskId))
    this.worker = agent && new StoredWorker({ ...given, store, agent, events: this.log }, changed)
  }

  /**
   * Runs tasks from now on, also those of processes that have ended.
   * @param options.alone - whether no other process runs tasks of this store: tasks that a killed process has left continue at once,
   *   instead of after `leaseMs`. @defaultValue false
   * @throws {ConfigurationError} if there is no `agent`.
   */
  async start(options: StartTasksOptions = {}): Promise<void> {
    checkOptions('StoredTasks.start', options, { alone: flag })
    if (!this.worker)
      throw new ConfigurationError('StoredTasks.start: pass the option agent, or start in the process that has it.')
    this.worker.start(options.alone === true)
  }

  /**
   * Ends the runs of this process. Their tasks continue elsewhere or after the next start; it is no interruption. Then the worker calls the
   * store no more, so that it can be closed. If the store hangs, this takes `drainMs` and four times `leaseMs`, at least a second.
   * @param options.drainMs - how long calls that have begun may take to end, in milliseconds, so that they are not made again.
   * @defaultValue 0
   */
  async stop(options: StopTasksOptions = {}): Promise<void> {
    checkOptions('StoredTasks.stop', options, { drainMs: milliseconds(0, 'or infinity') })
    await this.worker?.stop(options)
  }

  /**
   * Returns the tasks that have not ended, in order of submission, or those of one state; of all users, or of one. Reads the record of each
   * task that has not ended, of this user alone; with a `status` of tasks that have ended, of each task. Without a `status`, damaged ones
   * are among them.
   * @throws {ModelValidationError} if `status` is not a state, or `user` not a user, such as an empty string or undefined.
   */
  async list(options: ListTasksOptions = {}): Promise<TaskOverview[]> {
    const isListed = listedTasks('StoredTasks.list', options)
    const { status: state } = options
    const mayHaveEnded = state !== undefined && hasEnded(state)
    const found: TaskOverview[] = []
    for (const { taskId, isFinished } of await this.records.list({ unfinished: !mayHaveEnded })) {
      if (!isListed(taskId) || (mayHaveEnded && !isFinished)) continue
      const record = await this.records.find(taskId).catch((error: unknown) => {
        const problem = damageOf(error)
        if (!problem) throw error
        if (state === undefined) found.push({ taskId, status: 'damaged', problem, input: '', at: null, calls: [] })
        return null
      })
      // It may have been deleted meanwhile.
      if (!record || (state === undefined ? hasEnded(record.status) : record.status !== state)) continue
      const { status, request, submittedAt = null, calls, error, problem = error } = record
      const input = submittedText(request)
      found.push({ taskId, status, input, at: submittedAt, calls, ...(problem && { problem }) })
    }
    return found
  }

  /**
   * Deletes a task that has ended, with its journal and, if the log can, its events. Its conversation stays, and what layers have stored
   * about it elsewhere, unless the option `onDelete` deletes it. If `onDelete` throws, nothing is deleted. A damaged task can always be
   * deleted.
   * @throws {TaskNotFoundError} if there is no such task.
   * @throws {TaskBusyError} if it has not ended, or a worker still has to begin a fork of it; `cancel` that one first.
   */
  async delete(taskId: string): Promise<void> {
    const record = await unlessDamaged(() => this.records.read(taskId), null)
    if (record) checkEnded(taskId, record.status)
    const fork = record && (await this.newFork(record))
    if (fork)
      throw new TaskBusyError(taskId, `is copied when its fork "${fork}" begins; wait for that, or cancel the fork`)
    await this.options.onDelete?.(taskId)
    await this.options.store.delete(taskId)
    await this.log.deleteEvents?.(taskId)
    await this.records.delete(taskId)
  }

  /** Returns a fork of a task that no worker has begun: it is made from the journal of the task. */
  private async newFork({ taskId: original, children }: TaskRecord): Promise<string | undefined> {
    for (const taskId of children) {
      const record = await unlessDamaged(() => this.records.find(taskId), null)
      const fork = record?.request.fork
      if (!record || hasEnded(record.status) || fork?.taskId !== original || fork.atStep === undefined) continue
      if ((await unlessDamaged(() => this.options.store.load(taskId), [])) === null) return taskId
    }
    return undefined
  }

  /**
   * Deletes the tasks that ended before a time, as `delete` does: finished, failed and cancelled ones, of all users, forks too. For a job
   * that runs every day. A task that another one has started stays until that one has ended too, and one with a fork until a worker has
   * begun that. Reads the record of each task that has ended.
   * @returns the number of deleted tasks.
   * @throws AggregateError with the errors of the tasks that could not be deleted, such as those of `onDelete`. All others were deleted.
   */
  async deleteEndedBefore(time: Date): Promise<number> {
    if (!(time instanceof Date) || Number.isNaN(time.getTime()))
      throw new ConfigurationError('StoredTasks.deleteEndedBefore: expected a Date.')
    let count = 0
    const failed: { taskId: string; error: unknown }[] = []
    const listed = await this.records.list({})
    const open = new Set(listed.flatMap(({ taskId, isFinished }) => (isFinished ? [] : [taskId])))
    for (const { taskId, isFinished } of listed) {
      if (!isFinished) continue
      try {
        const record = await this.records.find(taskId)
        if (!record || (record.endedAt ?? Infinity) >= time.getTime()) continue
        if (open.has(record.request.startedBy ?? '') || (await this.newFork(record)) !== undefined) continue
        await this.delete(taskId)
        count += 1
      } catch (error) {
        // Another process may have deleted it.
        if (!isToolkitError(error, 'task_not_found')) failed.push({ taskId, error })
      }
    }
    if (failed.length === 0) return count
    const which = failed.map(({ taskId, error }) => `"${taskId}" (${errorMessage(error)})`).join(', ')
    throw new AggregateError(
      failed.map(({ error }) => error),
      `StoredTasks.deleteEndedBefore: ${count} were deleted, ${failed.length} could not be: ${which}`,
    )
  }

  /** Resolves when a task has changed in this process, or when it is time to look for changes by others. */
  changed(): Promise<void> {
    return this.next(ANY).passed
  }

  async submit(input: AgentInput, options: SubmitTaskOptions = {}): Promise<string> {
    const submission = taskSubmission('StoredTasks.submit', input, options)
    const { taskId = newId() } = options
    checkTaskId('StoredTasks.submit: taskId', taskId)
    const startedBy = options.startedBy && (await this.records.submitted(options.startedBy))
    if (startedBy) await this.records.addChild(startedBy, taskId)
    await this.records.create(taskId, { ...submission, startedBy })
    this.report(taskId)
    // Its call may not have noticed the cancellation yet.
    if (startedBy && (await this.status(startedBy)) === 'cancelled') await this.cancel(taskId)
    return taskId
  }

  async status(taskId: string): Promise<TaskStatus> {
    return (await this.records.read(taskId)).status
  }

  async answer(taskId: string, options: AnswerOptions = {}): Promise<AnswerJson> {
    checkOptions('StoredTasks.answer', options, { inPlaceOf: text, signal: callOptions.signal })
    const { inPlaceOf, signal } = options
    const waiting = inPlaceOf && (await this.records.submitted(inPlaceOf))
    const endWait = waiting ? this.worker?.wait(waiting, taskId) : undefined
    try {
      return await this.untilAnswered(taskId, signal)
    } finally {
      endWait?.()
    }
  }

  private async untilAnswered(taskId: string, signal: AbortSignal | undefined): Promise<AnswerJson> {
    for (;;) {
      // Before the record is read, so that no change is missed.
      const next = this.next(recordOf(taskId))
      try {
        const { status, answer, error } = await this.records.read(taskId)
        if (answer) return printableAnswer(answer)
        if (error) throw failureError(error)
        if (status === 'cancelled') throw new TaskCancelledError(taskId)
        await raceAbort(next.passed, signal)
      } finally {
        next.stop()
      }
    }
  }

  async waiting(taskId: string): Promise<readonly WaitingCall[]> {
    return (await this.records.read(taskId)).calls
  }

  async decide(taskId: string, data: ToolDecision): Promise<void> {
    const decision = readToolDecision(data)
    await this.records.change(taskId, ({ calls }) => {
      waitingCall(taskId, calls, decision)
      return [{ type: 'decided', decision }]
    })
    this.report(taskId)
  }

  events(taskId: string, options: TaskEventsOptions = {}): AsyncGenerator<TaskEvents> {
    return untilLeft(options?.signal, (signal) => this.follow(taskId, options && { ...options, signal }))
  }

  private async *follow(taskId: string, options: TaskEventsOptions): AsyncGenerator<TaskEvents> {
    await this.records.read(taskId)
    let next = this.next(eventsOf(taskId))
    try {
      yield* followEvents(this.log, taskId, options, {
        hasEnded: async () => {
          // Before the record and the events are read, so that no change is missed.
          next.stop()
          next = this.next(eventsOf(taskId))
          return hasEnded(await this.status(taskId))
        },
        pause: () => next.passed,
      })
    } finally {
      next.stop()
    }
  }

  async cancel(taskId: string): Promise<void> {
    const { status, children } = await this.cancelOne(taskId)
    // The result of a task in the background may still join the conversation of one that has ended otherwise.
    if (status === 'cancelled' || !hasEnded(status)) await this.cancelStartedBy(taskId, children)
  }

  private async cancelStartedBy(startedBy: string, children: readonly string[]): Promise<void> {
    for (const taskId of children) {
      // It may have been deleted, or have existed before.
      const record = await unlessDamaged(() => this.records.find(taskId), null)
      if (record?.request.startedBy !== startedBy) continue
      await this.cancelStartedBy(taskId, (await this.cancelOne(taskId)).children)
    }
  }

  /** Returns the record before. */
  private async cancelOne(taskId: string): Promise<TaskRecord> {
    const before = await this.records.change(taskId, ({ status }) =>
      hasEnded(status) ? [] : [{ type: 'cancelled' }, finalized()],
    )
    this.worker?.abort(taskId)
    this.report(taskId)
    return before
  }

  async retry(taskId: string): Promise<void> {
    await this.records.change(taskId, ({ status }) => {
      checkRetry(taskId, status)
      return [{ type: 'retried' }]
    })
    this.report(taskId)
  }

  async fork(taskId: string, options: ForkTaskOptions = {}): Promise<string> {
    checkOptions('StoredTasks.fork', options, { atStep: unchecked, taskId: unchecked })
    const { taskId: newTaskId = ownerPart(taskId) + newId() } = options
    checkTaskId('StoredTasks.fork: taskId', newTaskId)
    const { request, submittedAt } = await this.records.read(taskId)
    const entries = await journalEntries(this.options.store, taskId)
    const completed = entries ? readJournal(entries).completed_steps.length : 0
    const { atStep = completed } = options
    checkForkStep(taskId, atStep, completed)
    // A task that has not started has nothing to continue from.
    const forked = {
      ...request,
      startedBy: undefined,
      fork: { taskId, atStep: entries ? atStep : undefined, submittedAt },
    }
    if (entries) await this.records.addChild(taskId, newTaskId)
    if (!(await this.records.create(newTaskId, forked))) throw new TaskAlreadyExistsError(newTaskId)
    this.report(newTaskId)
    return newTaskId
  }

  /** Waits for a change, or until it is time to look for changes by others. */
  private next(key: string): NextChange {
    const { pollingIntervalMs = 1000 } = this.options
    return this.changes.next(key, pollingIntervalMs)
  }

  /** Reports a change of the record of a task. */
  private report(taskId: string): void {
    this.changes.report(recordOf(taskId))
    this.reportEvent(taskId)
    this.worker?.look()
  }

  /** Reports that a task has a new event. Nothing else has changed: those who wait for its end are not woken. */
  private reportEvent(taskId: string): void {
    this.changes.report(eventsOf(taskId))
    this.changes.report(ANY)
  }
}

/** The keys of changes: of any task, of the record of a task, of its record and its events. */
const ANY = 'any'
const recordOf = (taskId: string) => `record/${taskId}`
const eventsOf = (taskId: string) => `events/${taskId}`

/** A change that is waited for. */
interface NextChange {
  /** Resolves when the change is reported, when the time is over, or after `stop`. */
  readonly passed: Promise<void>
  /** Ends the waiting. */
  stop(): void
}

/** Changes with keys, such as the id of a task. A report wakes only those who wait for its key. */
class Changes {
  private readonly listeners = new Map<string, Set<() => void>>()

  /** Waits for the next report of a key, for at most so many milliseconds. */
  next(key: string, milliseconds: number): NextChange {
    const listeners = this.listeners.get(key) ?? new Set()
    this.listeners.set(key, listeners)
    let stop = () => {}
    const passed = new Promise<void>((resolve) => {
      const timer = setTimeout(() => stop(), milliseconds)
      stop = () => {
        clearTimeout(timer)
        listeners.delete(stop)
        if (listeners.size === 0 && this.listeners.get(key) === listeners) this.listeners.delete(key)
        resolve()
      }
      listeners.add(stop)
    })
    return { passed, stop }
  }

  report(key: string): void {
    for (const stop of [...(this.listeners.get(key) ?? [])]) stop()
  }
}
