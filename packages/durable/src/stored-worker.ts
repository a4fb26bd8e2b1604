/**
 * @module
 * Runs the submitted tasks of a task store.
 */
import { type AgentEvent, answerToJson } from '@x/agents'
import { errorEvent, taskEndEvent } from '@x/agents/protocol'
import { ConfigurationError, isToolkitError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { newId } from '@x/core-model/data'
import { memoryForTurn } from '@x/core-model/memory'
import { agentOf } from './durable-agent.ts'
import { damageOf, lacksTool, taskFailure, unlessDamaged } from './durable-errors.ts'
import { noted, notedStore, optionsUntil } from './noted-store.ts'
import { givenBack, type Running, RunningTasks, settledWithin } from './running-tasks.ts'
import { showLife } from './signs-of-life.ts'
import { LEASE_MS, type StoredTasksOptions, storeMs } from './stored-tasks-options.ts'
import { applyDecisions } from './task-decisions.ts'
import type { TaskEventLog } from './task-events.ts'
import { entriesOf, interruption, isDue, isOf, type RecordChange, type TaskRecord, TaskRecords } from './task-record.ts'

/** The options of the worker of `StoredTasks`. */
type WorkerOptions = StoredTasksOptions & Required<Pick<StoredTasksOptions, 'agent'>> & { events: TaskEventLog }

/** A task of the store. */
type Listed = Pick<TaskRecord, 'taskId' | 'revision'>

/** A look at all tasks. */
interface Look {
  /** Whether nothing may start, because a task has waited for too long until it can run alone. */
  mustEnd: boolean
  /** Whether a task had no place. Those behind it do not start before it. */
  isFull: boolean
  /** The tasks that have to run alone. */
  suspects: TaskRecord[]
}

/** What is known of a record that needs nothing at the moment. */
interface Seen {
  revision: number
  /**
   * When it is read again although it has not changed, in milliseconds of `performance.now()`: when the lease of the process that runs the
   * task ends, or when this worker, which has left it to others, tries again.
   */
  until: number | undefined
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
  private readonly running: RunningTasks
  /** When this worker tries the tasks again that it has left to others, in milliseconds of `performance.now()`. */
  private readonly left = new Map<string, number>()
  /** The last runs of tasks that ended because something could not be stored. */
  private readonly unstored = new Map<string, string>()
  /** Aborts when the worker has stopped: a store that hung may answer later. */
  private readonly over = new AbortController()
  private state: 'new' | 'started' | 'stopped' = 'new'
  /** Whether a task that runs elsewhere when this process starts may really run there. */
  private mayHaveOthers = true
  /**
   * Whether the next task that starts is a new one, if there is one: new tasks do not wait for all that continue, nor these for all new
   * ones.
   */
  private takesNew = true
  /** Since when a task has waited until it can run alone. */
  private waitsAlone: number | undefined
  private looking: Promise<void> | undefined
  private mustLookAgain = false
  private timer: ReturnType<typeof setInterval> | undefined

  /** @param changed - called when a task has a new event, or its record has changed. */
  constructor(options: WorkerOptions, changed: (taskId: string, isEvent: boolean) => void) {
    this.options = optionsUntil(this.over.signal, options)
    this.running = new RunningTasks(options.leaseMs ?? LEASE_MS)
    this.records = new TaskRecords(this.options.store)
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

  /** Notes that the process of a run has ended, unless the record has changed. */
  private async interrupt(record: TaskRecord): Promise<void> {
    const entries = (await unlessDamaged(() => this.options.store.load(record.taskId), [])) ?? []
    const entry = interruption(record, entries, this.mostInterruptions)
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
    const done = Promise.all([this.looking, ...running.map((run) => run.done)])
    if (drainMs > 0) {
      await settledWithin(drainMs, done)
      for (const { controller } of running) controller.abort(givenBack())
    }
    await settledWithin(storeMs(this.options), done)
    this.over.abort(givenBack())
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
    const active = await this.records.list({ active: true })
    const ids = new Set(active.map(({ taskId }) => taskId))
    for (const known of [this.seen, this.left])
      for (const taskId of known.keys()) if (!ids.has(taskId)) known.delete(taskId)
    const mustEnd = this.waitsAlone !== undefined && performance.now() - this.waitsAlone > MOST_WAIT
    const look: Look = { mustEnd, isFull: false, suspects: [] }
    for (const listed of this.inTurn(active)) {
      if (this.state !== 'started') return
      const { taskId, revision } = listed
      try {
        await this.lookAt(listed, look)
      } catch (error) {
        if (!damageOf(error)) throw error
        this.seen.set(taskId, { revision, until: undefined })
        this.options.onError?.(error, taskId)
      }
    }
    this.mayHaveOthers = true
    this.runAlone(look.suspects)
  }

  /** Runs or stops a task if its record asks for it. */
  private async lookAt({ taskId, revision }: Listed, look: Look): Promise<void> {
    const { maxRunning = 10 } = this.options
    await this.interruptUnstored(taskId)
    const seen = this.seen.get(taskId)
    if (seen?.revision === revision && !isOver(seen)) return
    const run = this.running.get(taskId)
    if (!run && (look.isFull ||= !this.running.hasRoom(maxRunning))) return
    // The record may be older than a run that starts while it is read.
    const id = run?.run
    const record = await this.records.find(taskId)
    // It was deleted meanwhile.
    if (!record) return
    if (run) {
      if (id === undefined || this.running.get(taskId) !== run) return
      if (!isOf(id, record)) run.controller.abort()
      this.seen.set(taskId, { revision: record.revision, until: undefined })
    } else if (isDue(record)) {
      const until = record.problem && this.left.get(taskId)
      if (until !== undefined && !isOver({ until })) this.seen.set(taskId, { revision: record.revision, until })
      else if (record.interruptions >= SUSPECT) look.suspects.push(record)
      else if (!look.mustEnd) {
        this.takesNew = revision > 1
        this.run(taskId, false)
      }
    } else {
      const known = seen?.revision === record.revision ? seen : this.see(record)
      if (!isOver(known)) return
      await this.interrupt(record)
      this.mustLookAgain = true
    }
  }

  /** Notes a record of which this process runs nothing. */
  private see({ taskId, revision, isRun, leaseMs }: TaskRecord): Seen {
    const seen = { revision, until: isRun ? performance.now() + (this.mayHaveOthers ? leaseMs : 0) : undefined }
    this.seen.set(taskId, seen)
    return seen
  }

  /**
   * Returns tasks in the order in which they may start: those that others wait for, then one that is new and one that continues,
   * alternately, all oldest first.
   */
  private *inTurn(tasks: readonly Listed[]): Generator<Listed> {
    const isAwaited = ({ taskId }: Listed) => this.running.isAwaited(taskId)
    yield* tasks.filter(isAwaited)
    const left = tasks.filter((task) => !isAwaited(task))
    const isNew = ({ revision }: Listed) => revision === 1
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
    const record = await this.records.find(taskId)
    if (record && isOf(run, record)) await this.interrupt(record)
    this.unstored.delete(taskId)
  }

  private run(taskId: string, isAlone: boolean): void {
    if (this.state !== 'started') return
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
        onError?.(error, taskId)
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
    const { leaseMs } = this.running
    const record = await records.change(taskId, (found) => (isDue(found) ? [{ type: 'started', run, leaseMs }] : []))
    if (!isDue(record)) return
    running.run = run
    const signs = showLife({
      leaseMs,
      // It was deleted, or the next sign tries again.
      onError: (error) =>
        isToolkitError(error, 'task_not_found') ? running.controller.abort() : this.options.onError?.(error, taskId),
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
      if (!isToolkitError(error, 'task_not_found')) throw error
      // It was deleted before this run noticed that it was cancelled. The first run of a new one with its id clears what is left itself.
      if (!(await records.find(taskId))) await this.clear(taskId)
    } finally {
      signs.stop()
    }
  }

  /** Deletes the journal and the events of a task, if there are any. */
  private async clear(taskId: string): Promise<void> {
    const { store, events } = this.options
    if ((await unlessDamaged(() => store.load(taskId), [])) !== null) await store.delete(taskId)
    await events.deleteEvents?.(taskId)
  }

  /** Runs a task until it waits or ends, and returns the entry for its record. */
  private async endOf(record: TaskRecord, running: Running): Promise<RecordChange> {
    const { taskId } = record
    const { signal } = running.controller
    const { store, events } = this.options
    const unstored = new Set<unknown>()
    let written = Promise.resolve()
    const report = (event: AgentEvent, call = 'stepId' in event ? `step/${event.stepId}` : 'end'): Promise<void> => {
      if (event.type === 'tool_call') running.calls.add(event.callId)
      if (event.type === 'tool_result') running.calls.delete(event.callId)
      const write = async () => {
        await noted(unstored, () => events.addEvents(taskId, { call, attempt: running.run!, events: [event] }))
        this.changed(taskId, true)
      }
      // One after the other: a log on several connections would store them in another order.
      written = written.then(write, write)
      return written
    }
    try {
      let looked = performance.now()
      const appended = async (created: string | undefined) => {
        if (running.isDraining && running.calls.size === 0) running.controller.abort(givenBack())
        if (created === undefined && performance.now() - looked < LOOK_MS) return
        looked = performance.now()
        const found = await this.records.find(taskId)
        if (found?.submittedAt === record.submittedAt && found?.status !== 'cancelled') return
        running.controller.abort()
        // The task may be deleted meanwhile: the journal would be that of the next one with its id.
        if (created !== undefined) await store.delete(created)
      }
      const large = (characters: number) => this.running.lengthenLeases(running, characters)
      const { agent, memory } = await agentOf(record, this.records, {
        ...this.options,
        store: notedStore(store, unstored, { appended, large }),
        signal,
      })
      const applied = record.decisions.length
      const { made, calls, question } = await applyDecisions(agent, record)
      if (question) await report(question, `asked/${running.run}`)
      const waits = calls.length > 0
      // A process that ended, or a stop, may have left the turn as one that does not wait.
      const turn = waits && memory ? await memoryForTurn(memory, taskId)?.own() : undefined
      if (waits && turn?.state !== 'open') return { type: 'waiting', calls, applied }
      const onEvent = waits ? undefined : (event: AgentEvent) => report(event)
      try {
        const answer = await agent.streamTask(taskId, { signal, context: record.request.context, onEvent })
        await answer.done
        await report(taskEndEvent(taskId, answer))
        return { type: 'answered', answer: answerToJson(answer) }
      } catch (error) {
        if (!isToolkitError(error, 'approval_required') || error.taskId !== taskId) throw error
        await written
        return { type: 'waiting', calls: made.calls, applied }
      }
    } catch (error) {
      if (signal.aborted || isToolkitError(error, 'task_claimed')) return { type: 'yielded' }
      // The task is not the reason, unless it is damaged, or has a value that cannot be stored.
      if (unstored.has(error) && !isToolkitError(error, 'serialization') && !damageOf(error)) throw error
      this.options.onError?.(error, taskId)
      const isOfWorker = isToolkitError(error, 'agent_setup') || lacksTool(error)
      if (isOfWorker && record.left < this.mostInterruptions) return this.leave(taskId, error)
      await report(errorEvent(taskId, error))
      const entries = (await unlessDamaged(() => store.load(taskId), []))?.length ?? 0
      return { type: 'failed', error: taskFailure(error), entries }
    } finally {
      // Nothing is written after the run, such as into a task that was deleted. A failure was thrown where somebody waited.
      await written.catch(() => {})
    }
  }

  /**
   * Returns the entry that leaves a task to another worker. This one tries again later: one of all that it has left in each polling
   * interval, so that a worker that can run nothing does not use up their tries, and one whose tool is missing hardly ever.
   */
  private leave(taskId: string, error: unknown): RecordChange {
    const { pollingIntervalMs = 1000 } = this.options
    this.left.delete(taskId)
    const wait = lacksTool(error) ? NO_TOOL_MS : pollingIntervalMs * (this.left.size + 1)
    this.left.set(taskId, performance.now() + wait)
    return { type: 'left', problem: taskFailure(error) }
  }

  private get mostInterruptions(): number {
    return this.options.maxInterruptions ?? 20
  }
}

/** Whether a record has to be read again although it has not changed. */
const isOver = ({ until }: Pick<Seen, 'until'>): boolean => until !== undefined && performance.now() >= until

/**
 * So often, in milliseconds, a run that stores something looks whether another process has cancelled its task, so that no further call begins:
 * signs of life come later.
 */
const LOOK_MS = 100

/** After this time a worker looks whether it has the tool of an approved call now, in milliseconds. */
const NO_TOOL_MS = 3_600_000
