/**
 * @module
 * Runs the submitted tasks of a task store.
 */
import { type AgentEvent, answerToJson, journal } from '@x/agents'
import { type BaseAgentRunner, errorEvent, taskEndEvent } from '@x/agents/protocol'
import type { JournalOptions } from '@x/agents/store'
import { type ChatStore, ConfigurationError, isToolkitError, type TaskStore } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { taskFailure } from './durable-errors.ts'
import type { TaskRun } from './durable-tasks.ts'
import { TaskDecisions } from './task-decisions.ts'
import type { TaskEventLog } from './task-events.ts'
import { isDue, type RecordEntry, type TaskRecord, type TaskRecords } from './task-record.ts'
import { createSubmittedTask, submittedMemory } from './task-submission.ts'

/** Options of `StoredTasks`. */
export interface StoredTasksOptions {
  /** Where the tasks are stored. */
  store: TaskStore
  /**
   * Creates the agent of a run, with the `taskStore` of its argument. Agents may share models and tools.
   * @defaultValue none: another process runs the tasks
   */
  agent?: ((run: TaskRun) => BaseAgentRunner | Promise<BaseAgentRunner>) | undefined
  /** Stores conversations, for tasks with a `conversation`. They may only grow. */
  chatStore?: ChatStore | undefined
  /** How the tasks of agents are saved, such as your own classes in them. */
  journal?: JournalOptions | undefined
  /** Stores the events of tasks. Readers in other processes need one that both share. @defaultValue a `MemoryEventLog` */
  events?: TaskEventLog | undefined
  /** The number of tasks that run at the same time; others are queued, and waiting ones do not count. @defaultValue 10 */
  maxRunning?: number | undefined
  /** How often in a row a task may be interrupted by the end of its process, before it fails with `task_abandoned`. @defaultValue 20 */
  maxInterruptions?: number | undefined
  /** How often the store is read for changes by other processes, in milliseconds. @defaultValue 1000 */
  pollingIntervalMs?: number | undefined
  /**
   * Receives errors of the store and of the event log. What failed is tried again after `pollingIntervalMs`. @defaultValue none
   */
  onError?: ((error: unknown) => void) | undefined
}

/** The options of a worker. */
type WorkerOptions = StoredTasksOptions & Required<Pick<StoredTasksOptions, 'agent'>> & { events: TaskEventLog }

/** A run of a task in this process. */
interface Running {
  /** The id of the run, as soon as it is in the record. */
  run?: string
  controller: AbortController
  done: Promise<void>
}

/** Runs the submitted tasks of a task store in this process. */
export class StoredWorker {
  private readonly options: WorkerOptions
  private readonly records: TaskRecords
  private readonly changed: (taskId: string, isEvent: boolean) => void
  /** The revisions of the records that need nothing at the moment. */
  private readonly seen = new Map<string, number>()
  private readonly running = new Map<string, Running>()
  /** The last runs of tasks that ended because something could not be stored. */
  private readonly unstored = new Map<string, string>()
  private state: 'new' | 'started' | 'stopped' = 'new'
  private looking: Promise<void> | undefined
  private mustLookAgain = false
  private timer: ReturnType<typeof setInterval> | undefined

  /** @param changed - called when a task has a new event, or its record has changed. */
  constructor(options: WorkerOptions, records: TaskRecords, changed: (taskId: string, isEvent: boolean) => void) {
    this.options = options
    this.records = records
    this.changed = changed
  }

  async start(): Promise<void> {
    if (this.state !== 'new') throw new ConfigurationError('StoredTasks.start: it was started before; make a new one.')
    // The process that ran the task has ended.
    for (const { taskId } of await this.records.unfinished())
      await this.records.change(taskId, (record) => (record.status === 'running' ? this.interrupted(record) : []))
    this.state = 'started'
    const { pollingIntervalMs = 1000 } = this.options
    this.timer = setInterval(() => this.look(), pollingIntervalMs)
    this.look()
  }

  /** Returns the entry for a task whose process has ended. The task may be the reason. */
  private interrupted({ taskId, interruptions }: TaskRecord): RecordEntry[] {
    const { maxInterruptions = 20 } = this.options
    if (interruptions < maxInterruptions) return [{ type: 'interrupted' }]
    const message = `Task "${taskId}" was abandoned: ${interruptions + 1} processes ended while they ran it. Find the reason, then retry it.`
    return [{ type: 'failed', error: { name: 'TaskAbandonedError', code: 'task_abandoned', message } }]
  }

  async stop(): Promise<void> {
    this.state = 'stopped'
    clearInterval(this.timer)
    for (const { controller } of this.running.values()) controller.abort()
    await this.looking
    await Promise.all(Array.from(this.running.values(), ({ done }) => done))
  }

  abort(taskId: string): void {
    this.running.get(taskId)?.controller.abort()
  }

  /** Looks for tasks that have to be run, or stopped. */
  look(): void {
    if (this.state !== 'started') return
    if (this.looking) this.mustLookAgain = true
    else
      this.looking = this.lookOnce()
        // The next look tries again.
        .catch((error) => this.options.onError?.(error))
        .finally(() => {
          this.looking = undefined
          if (!this.mustLookAgain) return
          this.mustLookAgain = false
          this.look()
        })
  }

  private async lookOnce(): Promise<void> {
    const { maxRunning = 10 } = this.options
    const unfinished = await this.records.unfinished()
    const ids = new Set(unfinished.map(({ taskId }) => taskId))
    for (const taskId of this.seen.keys()) if (!ids.has(taskId)) this.seen.delete(taskId)
    for (const { taskId, revision } of unfinished) {
      if (this.state !== 'started') return
      await this.interruptUnstored(taskId)
      if (this.seen.get(taskId) === revision) continue
      const run = this.running.get(taskId)
      if (!run && this.running.size >= maxRunning) continue
      // The record may be older than a run that starts while it is read.
      const id = run?.run
      const record = await this.records.read(taskId)
      if (run) {
        if (id === undefined || this.running.get(taskId) !== run) continue
        if (!isOf(id, record)) run.controller.abort()
        this.seen.set(taskId, record.revision)
      } else if (isDue(record)) this.run(taskId)
      else this.seen.set(taskId, record.revision)
    }
  }

  /** A task of which something could not be stored continues, as after the end of a process. */
  private async interruptUnstored(taskId: string): Promise<void> {
    const run = this.unstored.get(taskId)
    if (run === undefined) return
    await this.records.change(taskId, (record) => (isOf(run, record) ? this.interrupted(record) : []))
    this.unstored.delete(taskId)
  }

  private run(taskId: string): void {
    const controller = new AbortController()
    const running: Running = { controller, done: Promise.resolve() }
    this.running.set(taskId, running)
    running.done = this.runTask(taskId, running)
      .catch(async (error) => {
        const { onError, pollingIntervalMs = 1000 } = this.options
        onError?.(error)
        await pause(pollingIntervalMs, controller.signal).catch(() => {})
        if (running.run !== undefined) this.unstored.set(taskId, running.run)
      })
      .finally(() => {
        this.running.delete(taskId)
        this.seen.delete(taskId)
        this.changed(taskId, false)
      })
  }

  private async runTask(taskId: string, running: Running): Promise<void> {
    const run = newId()
    const { records } = this
    const record = await records.change(taskId, (found) => (isDue(found) ? [{ type: 'started', run }] : []))
    if (!isDue(record)) return
    running.run = run
    const end = await this.endOf(record, run, running.controller.signal)
    // Another process may have cancelled the task, or taken it over.
    if (end) await records.change(taskId, (found) => (isOf(run, found) ? end : []))
  }

  /** Runs a task until it waits or ends, and returns the entries for its record; undefined if it continues later. */
  private async endOf(record: TaskRecord, run: string, signal: AbortSignal): Promise<RecordEntry[] | undefined> {
    const { taskId } = record
    const { store, events } = this.options
    const unstored = new Set<unknown>()
    const report = async (event: AgentEvent) => {
      const call = 'stepId' in event ? `step/${event.stepId}` : 'end'
      await noted(unstored, () => events.addEvents(taskId, { call, attempt: run, events: [event] }))
      this.changed(taskId, true)
    }
    try {
      const agent = await this.agentOf(record, notedStore(store, unstored), signal)
      const applied = record.decisions.length
      const { calls } = await decided(agent, record)
      if (calls.length > 0) return [{ type: 'waiting', calls, applied }]
      try {
        const answer = await agent.streamTask(taskId, { signal, context: record.request.context, onEvent: report })
        await answer.done
        await report(taskEndEvent(taskId, answer))
        return [{ type: 'answered', answer: answerToJson(answer) }, { type: 'finalized' }]
      } catch (error) {
        if (!isToolkitError(error, 'approval_required') || error.taskId !== taskId) throw error
        return [{ type: 'waiting', calls: new TaskDecisions(agent, taskId).calls, applied }]
      }
    } catch (error) {
      if (signal.aborted || isToolkitError(error, 'task_claimed')) return undefined
      // The task is not the reason, unless it has a value that cannot be stored.
      if (unstored.has(error) && !isToolkitError(error, 'serialization')) throw error
      await report(errorEvent(taskId, error))
      return [{ type: 'failed', error: taskFailure(error) }]
    }
  }

  /** Returns an agent that has the task. */
  private async agentOf(
    { taskId, request }: TaskRecord,
    store: TaskStore,
    signal: AbortSignal,
  ): Promise<BaseAgentRunner> {
    const { agent: make, chatStore } = this.options
    const taskStore = journal(store, this.options.journal)
    const agent = await make({ taskId, taskStore, signal, context: request.context })
    const { fork, conversation } = request
    // A copy of a conversation is saved with its task.
    const shared = conversation && (await submittedMemory('StoredTasks', request, agent.memory, chatStore))
    // A fork has a copy of the conversation.
    if (await agent.resumeTask(taskId, { memory: fork ? undefined : shared })) return agent
    if (fork) {
      await agent.resumeTask(fork.taskId, { memory: shared })
      await agent.forkTask(fork.taskId, { atStep: fork.atStep, taskId })
    } else await createSubmittedTask('StoredTasks', agent, { taskId, submission: request, chatStore })
    return agent
  }
}

/** Returns the result of an operation; if it fails, notes the error. */
async function noted<T>(errors: Set<unknown>, operation: () => T): Promise<Awaited<T>> {
  try {
    return await operation()
  } catch (error) {
    errors.add(error)
    throw error
  }
}

/** Returns the same store, whose errors are noted. */
function notedStore(store: TaskStore, errors: Set<unknown>): TaskStore {
  const { blobs } = store
  return {
    append: (...args) => noted(errors, () => store.append(...args)),
    load: (taskId) => noted(errors, () => store.load(taskId)),
    list: (filter) => noted(errors, () => store.list(filter)),
    delete: (taskId) => noted(errors, () => store.delete(taskId)),
    blobs: blobs && {
      put: (...args) => noted(errors, () => blobs.put(...args)),
      get: (...args) => noted(errors, () => blobs.get(...args)),
    },
  }
}

/** Whether a run is the current one of a task. */
function isOf(run: string, record: TaskRecord): boolean {
  return record.run === run && (record.status === 'running' || record.status === 'waiting')
}

/** Applies the decisions of a record. */
async function decided(agent: BaseAgentRunner, { taskId, decisions, refusals }: TaskRecord): Promise<TaskDecisions> {
  const made = new TaskDecisions(agent, taskId, refusals)
  for (const decision of decisions) {
    // A process that ended later may have applied it.
    if (made.calls.some(({ id }) => id === decision.callId)) await made.apply(decision)
  }
  return made
}
