/**
 * @module
 * Runs the submitted tasks of a task store.
 */
import { type AgentEvent, answerToJson, journal } from '@x/agents'
import { TaskNotFoundError } from '@x/agents/errors'
import { type BaseAgentRunner, errorEvent, GIVEN_BACK, taskEndEvent } from '@x/agents/protocol'
import { type BaseMemory, ConfigurationError, isToolkitError, type TaskStore } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { memoryForTurn } from '@x/core-model/memory'
import { taskFailure } from './durable-errors.ts'
import { noted, notedStore } from './noted-store.ts'
import { type Running, RunningTasks } from './running-tasks.ts'
import { showLife } from './signs-of-life.ts'
import type { StoredTasksOptions } from './stored-tasks-options.ts'
import { applyDecisions, TaskDecisions } from './task-decisions.ts'
import type { TaskEventLog } from './task-events.ts'
import { entriesOf, isDue, isForkOfOther, type RecordChange, type TaskRecord, type TaskRecords } from './task-record.ts'
import { createSubmittedTask, submittedMemory } from './task-submission.ts'

/** The options of the worker of `StoredTasks`. */
type WorkerOptions = StoredTasksOptions & Required<Pick<StoredTasksOptions, 'agent'>> & { events: TaskEventLog }

/** What is known of a record that needs nothing at the moment. */
interface Seen {
  revision: number
  /** When the lease of the process that runs the task ends, in milliseconds of `performance.now()`, if it is not renewed. */
  lostAt: number | undefined
}

/** After so many interruptions in a row a task runs alone. */
const SUSPECT = 3
/** A task that has to run alone waits so long for others to end, before no other one starts, in milliseconds. */
const MOST_WAIT = 60_000

/** Runs the submitted tasks of a task store in this process. */
export class StoredWorker {
  private readonly options: WorkerOptions
  private readonly records: TaskRecords
  private readonly changed: (taskId: string, isEvent: boolean) => void
  private readonly seen = new Map<string, Seen>()
  private readonly running = new RunningTasks()
  /** The last runs of tasks that ended because something could not be stored. */
  private readonly unstored = new Map<string, string>()
  private state: 'new' | 'started' | 'stopped' = 'new'
  /** Whether a task that runs elsewhere when this process starts may really run there. */
  private mayHaveOthers = true
  /** Whether the next task that starts is a new one, if there is one: new tasks do not wait for all that continue, nor these for all new ones. */
  private takesNew = true
  /** Since when a task has waited until it can run alone. */
  private waitsAlone: number | undefined
  private looking: Promise<void> | undefined
  private mustLookAgain = false
  private timer: ReturnType<typeof setInterval> | undefined

  /** @param changed - called when a task has a new event, or its record has changed. */
  constructor(options: WorkerOptions, records: TaskRecords, changed: (taskId: string, isEvent: boolean) => void) {
    this.options = options
    this.records = records
    this.changed = changed
  }

  /** @param alone - whether no other process runs tasks of the store. */
  start(alone: boolean): void {
    if (this.state !== 'new') throw new ConfigurationError('StoredTasks.start: it was started before; make a new one.')
    this.state = 'started'
    const { pollingIntervalMs = 1000, leaseMs = LEASE_MS } = this.options
    this.mayHaveOthers = !alone
    this.timer = setInterval(() => this.look(), Math.min(pollingIntervalMs, leaseMs))
    this.look()
  }

  /** Returns the entry for a task whose process has ended. The task may be the reason. */
  private async interrupted({ taskId, interruptions, progress }: TaskRecord): Promise<RecordChange> {
    const { maxInterruptions = 20, store } = this.options
    const entries = (await store.load(taskId)) ?? []
    const now = progressOf(entries)
    if (now > progress || interruptions < maxInterruptions) return { type: 'interrupted', progress: now }
    const message = `Task "${taskId}" was abandoned: ${interruptions + 1} processes ended while they ran it, and it made no progress. Find the reason, then retry it.`
    const error = { name: 'TaskAbandonedError', code: 'task_abandoned', message }
    return { type: 'failed', error, entries: entries.length }
  }

  /** Notes that the process of a run has ended, unless the record has changed. */
  private async interrupt(record: TaskRecord): Promise<void> {
    const entry = await this.interrupted(record)
    await this.records.change(record.taskId, ({ revision }) => (revision === record.revision ? entriesOf(entry) : []))
  }

  async stop({ drainMs = 0 }: { drainMs?: number | undefined } = {}): Promise<void> {
    this.state = 'stopped'
    clearInterval(this.timer)
    const running = [...this.running.values()]
    for (const run of running) {
      run.isDraining = true
      const isIdle = run.awaited.length > 0 && run.calls.size === 0
      if (drainMs === 0 || isIdle) run.controller.abort(givenBack())
    }
    await this.looking
    const done = Promise.all(running.map((run) => run.done))
    if (drainMs > 0) {
      const late = new AbortController()
      await Promise.race([done, pause(drainMs, late.signal).catch(() => {})])
      late.abort()
      for (const { controller } of running) controller.abort(givenBack())
    }
    await done
  }

  abort(taskId: string): void {
    this.running.get(taskId)?.controller.abort()
  }

  /** A task of this process waits for the answer of another one, which may run in its place. Returns a function that ends the waiting. */
  wait(waiting: string, taskId: string): () => void {
    const end = this.running.wait(waiting, taskId)
    this.look()
    return end
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
    const active = await this.records.list({ active: true })
    const ids = new Set(active.map(({ taskId }) => taskId))
    for (const taskId of this.seen.keys()) if (!ids.has(taskId)) this.seen.delete(taskId)
    const suspects: TaskRecord[] = []
    const mustEnd = this.waitsAlone !== undefined && performance.now() - this.waitsAlone > MOST_WAIT
    for (const { taskId, revision } of this.inTurn(active)) {
      if (this.state !== 'started') return
      await this.interruptUnstored(taskId)
      const seen = this.seen.get(taskId)
      if (seen?.revision === revision && !isLost(seen)) continue
      const run = this.running.get(taskId)
      if (!run && !this.running.hasRoom(maxRunning)) continue
      // The record may be older than a run that starts while it is read.
      const id = run?.run
      const record = await this.records.read(taskId)
      if (run) {
        if (id === undefined || this.running.get(taskId) !== run) continue
        if (!isOf(id, record)) run.controller.abort()
        this.seen.set(taskId, { revision: record.revision, lostAt: undefined })
      } else if (isDue(record)) {
        if (record.interruptions >= SUSPECT) suspects.push(record)
        else if (!mustEnd) {
          this.takesNew = revision > 1
          this.run(taskId, false)
        }
      } else {
        const known = seen?.revision === record.revision ? seen : this.see(record)
        if (!isLost(known)) continue
        await this.interrupt(record)
        this.mustLookAgain = true
      }
    }
    this.mayHaveOthers = true
    this.runAlone(suspects)
  }

  /** Notes a record of which this process runs nothing. */
  private see({ taskId, revision, isRun, leaseMs }: TaskRecord): Seen {
    const seen = { revision, lostAt: isRun ? performance.now() + (this.mayHaveOthers ? leaseMs : 0) : undefined }
    this.seen.set(taskId, seen)
    return seen
  }

  /**
   * Returns tasks in the order in which they may start: those that others wait for, then one that is new and one that continues, alternately, all
   * oldest first.
   */
  private *inTurn<Task extends { taskId: string; revision: number }>(tasks: readonly Task[]): Generator<Task> {
    const isAwaited = ({ taskId }: Task) => this.running.isAwaited(taskId)
    yield* tasks.filter(isAwaited)
    const left = tasks.filter((task) => !isAwaited(task))
    const isNew = ({ revision }: Task) => revision === 1
    const [added, others] = [left.filter(isNew), left.filter((task) => !isNew(task))]
    for (let a = 0, o = 0; a < added.length || o < others.length; )
      yield a < added.length && (this.takesNew || o === others.length) ? added[a++]! : others[o++]!
  }

  /** Runs the first of the tasks that may be why their processes ended, when nothing else runs. */
  private runAlone([suspect]: readonly TaskRecord[]): void {
    if (suspect === undefined) this.waitsAlone = undefined
    else if (this.running.busy.length > 0) this.waitsAlone ??= performance.now()
    else {
      this.waitsAlone = undefined
      this.run(suspect.taskId, true)
    }
  }

  /** A task of which something could not be stored continues, as after the end of a process. */
  private async interruptUnstored(taskId: string): Promise<void> {
    const run = this.unstored.get(taskId)
    if (run === undefined) return
    const record = await this.records.read(taskId)
    if (isOf(run, record)) await this.interrupt(record)
    this.unstored.delete(taskId)
  }

  private run(taskId: string, isAlone: boolean): void {
    const controller = new AbortController()
    const running: Running = {
      controller,
      isAlone,
      calls: new Set(),
      large: 0,
      awaited: [],
      isDraining: false,
      done: Promise.resolve(),
    }
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
    const { records, leaseMs } = this
    const record = await records.change(taskId, (found) => (isDue(found) ? [{ type: 'started', run, leaseMs }] : []))
    if (!isDue(record)) return
    running.run = run
    const signs = showLife({
      leaseMs,
      onError: this.options.onError,
      sign: (entry) =>
        records.change(taskId, (found) => {
          if (isOf(run, found)) return [entry]
          running.controller.abort()
          return []
        }),
    })
    running.signs = signs
    try {
      // The process of a task that was deleted may have left them under its id.
      if (record.run === undefined) await this.clear(taskId)
      const end = await this.endOf(record, running)
      // Another process may have cancelled the task, or taken it over.
      await records.change(taskId, (found) => (isOf(run, found) ? entriesOf(end, found) : []))
    } catch (error) {
      if (!isToolkitError(error, 'task_not_found') || (await records.find(taskId))) throw error
      // It was deleted before this run noticed that it was cancelled.
      await this.clear(taskId)
    } finally {
      signs.stop()
    }
  }

  /** Deletes the journal and the events of a task, if there are any. */
  private async clear(taskId: string): Promise<void> {
    const { store, events } = this.options
    if ((await store.load(taskId)) !== null) await store.delete(taskId)
    await events.deleteEvents?.(taskId)
  }

  /** How long a lease is now, in milliseconds. */
  private get leaseMs(): number {
    return (this.options.leaseMs ?? LEASE_MS) + this.running.large / BLOCKING
  }

  /**
   * Renews the leases of all runs for the time for which strings of one may block this process: several entries and events contain them, which
   * are written one after the other, and no timer fires in between.
   */
  private async lengthenLeases(running: Running, characters: number): Promise<void> {
    if (characters < LARGE) return
    running.large = Math.max(running.large, characters)
    const { leaseMs } = this
    await Promise.all([...this.running.values()].map(({ signs }) => signs?.lengthen(leaseMs)))
  }

  /** Runs a task until it waits or ends, and returns the entry for its record. */
  private async endOf(record: TaskRecord, running: Running): Promise<RecordChange> {
    const { taskId } = record
    const { signal } = running.controller
    const { store, events } = this.options
    const unstored = new Set<unknown>()
    const report = async (event: AgentEvent) => {
      const call = 'stepId' in event ? `step/${event.stepId}` : 'end'
      if (event.type === 'tool_call') running.calls.add(event.callId)
      if (event.type === 'tool_result') running.calls.delete(event.callId)
      await noted(unstored, () => events.addEvents(taskId, { call, attempt: running.run!, events: [event] }))
      this.changed(taskId, true)
    }
    try {
      const appended = async (created: string | undefined) => {
        if (running.isDraining && running.calls.size === 0) running.controller.abort(givenBack())
        if (created === undefined) return
        const found = await this.records.find(taskId)
        if (found?.submittedAt === record.submittedAt && found?.status !== 'cancelled') return
        // The task may be deleted meanwhile: the journal would be that of the next one with its id.
        running.controller.abort()
        await store.delete(created)
      }
      const large = (characters: number) => this.lengthenLeases(running, characters)
      const { agent, memory } = await this.agentOf(record, notedStore(store, unstored, { appended, large }), signal)
      const applied = record.decisions.length
      const { calls } = await applyDecisions(agent, record)
      const waits = calls.length > 0
      // A process that ended, or a stop, may have left the turn as one that does not wait.
      const turn = waits && memory ? await memoryForTurn(memory, taskId)?.own() : undefined
      if (waits && turn?.state !== 'open') return { type: 'waiting', calls, applied }
      const onEvent = waits ? undefined : report
      try {
        const answer = await agent.streamTask(taskId, { signal, context: record.request.context, onEvent })
        await answer.done
        await report(taskEndEvent(taskId, answer))
        return { type: 'answered', answer: answerToJson(answer) }
      } catch (error) {
        if (!isToolkitError(error, 'approval_required') || error.taskId !== taskId) throw error
        return { type: 'waiting', calls: new TaskDecisions(agent, taskId).calls, applied }
      }
    } catch (error) {
      if (signal.aborted || isToolkitError(error, 'task_claimed')) return { type: 'yielded' }
      // The task is not the reason, unless it has a value that cannot be stored.
      if (unstored.has(error) && !isToolkitError(error, 'serialization')) throw error
      await report(errorEvent(taskId, error))
      return { type: 'failed', error: taskFailure(error), entries: (await store.load(taskId))?.length ?? 0 }
    }
  }

  /** Returns an agent that has the task, and the conversation of the task in a chat store. */
  private async agentOf(
    record: TaskRecord,
    store: TaskStore,
    signal: AbortSignal,
  ): Promise<{ agent: BaseAgentRunner; memory: BaseMemory | undefined }> {
    const { agent: make, chatStore } = this.options
    const { taskId, request } = record
    const taskStore = journal(store, this.options.journal)
    const agent = await make({ taskId, taskStore, signal, context: request.context as never })
    const { conversation, fork: { taskId: original, atStep } = {} } = request
    const isCopy = original !== undefined && atStep !== undefined
    // A copy of a conversation is saved with its task.
    const shared = conversation && (await submittedMemory('StoredTasks', request, agent.memory, chatStore))
    // A fork has a copy of the conversation.
    if (record.run !== undefined && (await agent.resumeTask(taskId, { memory: isCopy ? undefined : shared })))
      return { agent, memory: shared }
    if (isCopy) {
      if (isForkOfOther(record, await this.records.read(original))) throw new TaskNotFoundError(original)
      // A task that was cancelled while its run began has no journal: there is nothing to continue from.
      if ((await agent.resumeTask(original, { memory: shared })) || atStep > 0) {
        await agent.forkTask(original, { atStep, taskId })
        return { agent, memory: shared }
      }
    }
    await createSubmittedTask('StoredTasks', agent, { taskId, submission: request, chatStore, isExclusive: true })
    return { agent, memory: shared }
  }
}

/** How many results and steps a journal has, with those of agents behind tools. */
function progressOf(entries: readonly unknown[]): number {
  let count = 0
  for (const { type, entries: inner } of entries as { type: string; entries?: readonly unknown[] }[]) {
    if (type === 'result' || type === 'step') count += 1
    if (inner) count += progressOf(inner)
  }
  return count
}

/** Whether the process that runs a task has given no sign of life for the time of a lease. */
const isLost = ({ lostAt }: Seen): boolean => lostAt !== undefined && performance.now() >= lostAt

/** Whether a run is the current one of a task. */
const isOf = (run: string, record: TaskRecord): boolean => record.isRun && record.run === run

const LEASE_MS = 5000
/** Strings with more characters may block the process for a part of a lease. */
const LARGE = 1_000_000
/** The number of characters for which a lease is a millisecond longer. With twenty programs on two processors, they block for 0.4 ms. */
const BLOCKING = 2000

/** The reason of a run that ends although its task continues in another process: its turn stays open. */
const givenBack = () => new DOMException('The worker was stopped.', GIVEN_BACK)
