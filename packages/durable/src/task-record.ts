/**
 * @module
 * The record of a submitted task in a task store, beside the journal of its agent: what was asked for, decided, and how it ended.
 */
import type { AnswerJson, ToolDecision } from '@x/agents'
import { SavedTaskError, TaskNotFoundError } from '@x/agents/errors'
import { errorMessage } from '@x/core/values'
import type { TaskFilter, TaskStore } from '@x/core-model'
import type { TaskFailure } from './durable-errors.ts'
import type { RefusedDecision, TaskStatus, WaitingCall } from './durable-tasks.ts'
import { RECORDS } from './task-checks.ts'
import { submittedTask, type TaskSubmission } from './task-submission.ts'

/** What was submitted. */
export interface StoredRequest extends TaskSubmission {
  /**
   * The task and the step that this task continues from. Without the step, that task had not started. `submittedAt` is that of the task: it
   * may have been deleted, and its id used again.
   */
  fork?: { taskId: string; atStep?: number | undefined; submittedAt?: number | undefined }
  /** The task that has started this one. */
  startedBy?: string | undefined
}

/**
 * An entry of a record. The state of the task is what results from all entries, in order. `at`: when it was written, in milliseconds since
 * 1970.
 */
export type RecordEntry = RecordChange & { at: number }

/** What an entry says. */
export type RecordChange =
  /** `task`: stores read the id of a journal there. */
  | { type: 'submitted'; request: StoredRequest; task: { task: { task_id: string } } }
  /** `run`: the id of the run, which only one worker knows. `leaseMs`: it renews its lease within this time. */
  | { type: 'started'; run: string; leaseMs: number }
  /** A decision that the worker applies. */
  | { type: 'decided'; decision: ToolDecision }
  /** The task waits for these calls. `applied`: the number of decisions that have been applied. */
  | { type: 'waiting'; calls: WaitingCall[]; applied: number }
  | { type: 'answered'; answer: AnswerJson }
  /** `entries`: the number of entries that the journal of its agent had. */
  | { type: 'failed'; error: TaskFailure; entries: number }
  | { type: 'cancelled' }
  /** The task has started another one, or a fork of it is made, or this will happen at once. */
  | { type: 'child'; taskId: string }
  /** Task stores list the journal as unfinished again. */
  | { type: 'retried' }
  /** The run still works, and renews its lease again within `leaseMs`. */
  | { type: 'alive'; leaseMs: number }
  /** There are decisions that were not applied: stores list the task as active. */
  | { type: 'due' }
  /** The run has ended, and another one continues: its process stops. */
  | { type: 'yielded' }
  /** The process that ran the task has ended. `progress`: the number of entries that the journal of its agent had. */
  | { type: 'interrupted'; progress: number }
  /** The worker cannot run the task, and leaves it to another one. */
  | { type: 'left'; problem: TaskFailure }
  /** Task stores list a journal with this entry as finished: the task has ended. */
  | { type: 'finalized' }

/** The state of a submitted task. */
export interface TaskRecord {
  taskId: string
  /** The number of entries. */
  revision: number
  request: StoredRequest
  status: TaskStatus
  /** The id of the last run. */
  run: string | undefined
  /** Whether this run has not ended, as far as anybody knows. */
  isRun: boolean
  /** After this time without a heartbeat the process that runs it counts as ended, in milliseconds. */
  leaseMs: number
  /** Whether its agent has stored a journal, as far as the record knows. */
  hasJournal: boolean
  /** How often in a row the process that ran the task has ended, without progress in between. */
  interruptions: number
  /** The number of entries that the journal of its agent had at the last interruption. */
  progress: number
  /** Why the last worker left it to another one, if none has taken it since. */
  problem: TaskFailure | undefined
  /** How often in a row workers have left it to another one. */
  left: number
  /** The calls that wait for a decision. */
  calls: readonly WaitingCall[]
  /** Why the last decision about a call was refused, by the id of the call. */
  refusals: ReadonlyMap<string, RefusedDecision>
  /** The decisions that were not applied yet. */
  decisions: readonly ToolDecision[]
  answer: AnswerJson | undefined
  error: TaskFailure | undefined
  /** The tasks that it has started, and its forks. */
  children: readonly string[]
  /** When the task was submitted, in milliseconds since 1970. */
  submittedAt: number | undefined
  /** When the task ended, in milliseconds since 1970. */
  endedAt: number | undefined
  /** What its timeline has of the record, in order. */
  rows: readonly RecordRow[]
}

/** An end of a task without an answer, its continuation, or a decision that was refused. */
export type RecordRow =
  | Extract<RecordEntry, { type: 'failed' | 'cancelled' | 'retried' }>
  | { type: 'refused'; decision: ToolDecision; call: WaitingCall; at: number }

/** Returns the id of a task whose record has this id in the store; undefined for the journals of agents. */
export function taskOfRecord(id: string): string | undefined {
  return id.startsWith(RECORDS) ? id.slice(RECORDS.length) : undefined
}

/** The records of a store. */
export class TaskRecords {
  private readonly store: TaskStore

  constructor(store: TaskStore) {
    this.store = store
  }

  /** Stores a new record. Returns false if there is one with its id. */
  async create(taskId: string, request: StoredRequest): Promise<boolean> {
    const id = RECORDS + taskId
    return this.store.append(id, dated([{ type: 'submitted', request, task: { task: { task_id: id } } }]), 0)
  }

  /**
   * Returns null if there is no record with this id.
   * @throws {SavedTaskError} if its entries are those of something else; the error of the store if it cannot read them.
   */
  async find(taskId: string): Promise<TaskRecord | null> {
    const entries = typeof taskId === 'string' ? await this.store.load(RECORDS + taskId) : null
    return entries && recordOf(taskId, entries as readonly RecordEntry[])
  }

  /** @throws {TaskNotFoundError} */
  async read(taskId: string): Promise<TaskRecord> {
    const record = await this.find(taskId)
    if (!record) throw new TaskNotFoundError(taskId)
    return record
  }

  /** Returns the submitted task that an agent works for: the task itself, or the one whose call an agent behind a tool answers. */
  submitted(taskId: string): Promise<string | undefined> {
    return submittedTask(taskId, async (id) => (await this.find(id)) !== null)
  }

  /**
   * Adds entries that depend on the record as it is. They are computed again if another process has changed it meanwhile.
   * @returns the record before the change, or the current one if there are no entries.
   */
  async change(taskId: string, entriesFor: (record: TaskRecord) => readonly RecordChange[]): Promise<TaskRecord> {
    for (;;) {
      const record = await this.read(taskId)
      const entries = entriesFor(record)
      if (entries.length === 0 || (await this.store.append(RECORDS + taskId, dated(entries), record.revision)))
        return record
    }
  }

  /** Notes that a task has started another one, or that this is a fork of it. */
  async addChild(taskId: string, child: string): Promise<void> {
    await this.change(taskId, ({ children }) => (children.includes(child) ? [] : [{ type: 'child', taskId: child }]))
  }

  async delete(taskId: string): Promise<void> {
    await this.store.delete(RECORDS + taskId)
  }

  /** Returns the tasks of a filter, and the revisions of their records. */
  async list(filter: TaskFilter): Promise<{ taskId: string; revision: number; isFinished: boolean }[]> {
    const summaries = await this.store.list(filter)
    return summaries.flatMap(({ taskId: id, revision, isFinished }) => {
      const taskId = taskOfRecord(id)
      return taskId === undefined ? [] : [{ taskId, revision, isFinished }]
    })
  }
}

/** Returns the state of a task from the entries of its record. */
function recordOf(taskId: string, entries: readonly RecordEntry[]): TaskRecord {
  const record: TaskRecord = {
    taskId,
    revision: entries.length,
    request: { input: '' },
    status: 'queued',
    run: undefined,
    isRun: false,
    leaseMs: 0,
    hasJournal: false,
    interruptions: 0,
    progress: 0,
    problem: undefined,
    left: 0,
    calls: [],
    refusals: new Map(),
    decisions: [],
    answer: undefined,
    error: undefined,
    children: [],
    submittedAt: undefined,
    endedAt: undefined,
    rows: [],
  }
  try {
    const [first] = entries as Extract<RecordEntry, { type: 'submitted' }>[]
    if (first?.type !== 'submitted') throw new TypeError('it does not begin with an entry of type "submitted"')
    const id = first.task.task.task_id
    if (id !== RECORDS + taskId) throw new TypeError(`it is that of "${taskOfRecord(id) ?? id}"`)
    for (const entry of entries) Object.assign(record, changeOf(record, entry))
  } catch (cause) {
    throw new SavedTaskError(`The record of task "${taskId}" cannot be read: ${errorMessage(cause)}`, { cause })
  }
  return record
}

function changeOf(record: TaskRecord, entry: RecordEntry): Partial<TaskRecord> {
  const { calls, decisions, refusals, hasJournal, interruptions, progress, rows } = record
  /** What changes when a run ends and the task goes on. */
  const givenBack = { isRun: false, status: calls.length > 0 ? ('waiting' as const) : ('queued' as const) }
  switch (entry.type) {
    case 'submitted':
      return { request: entry.request, submittedAt: entry.at }
    case 'started':
      // A run that only applies decisions does not hide the calls that still wait.
      return {
        status: calls.length > 0 ? 'waiting' : 'running',
        run: entry.run,
        isRun: true,
        leaseMs: entry.leaseMs,
        problem: undefined,
      }
    case 'alive':
      return { leaseMs: entry.leaseMs }
    case 'decided': {
      const open = calls.filter(({ id }) => id !== entry.decision.callId)
      return { calls: open, decisions: [...decisions, entry.decision], ...(open.length === 0 && { status: 'queued' }) }
    }
    case 'waiting': {
      const left = decisions.slice(entry.applied)
      const open = entry.calls.filter(({ id }) => !left.some(({ callId }) => callId === id))
      const status = open.length > 0 ? 'waiting' : 'queued'
      const refused = refusedIn(entry, record)
      return {
        ...STOPPED,
        hasJournal: true,
        calls: open,
        decisions: left,
        refusals: refusalsOf(refusals, entry.calls),
        rows: refused.length > 0 ? [...rows, ...refused] : rows,
        status,
      }
    }
    case 'answered':
      return { ...STOPPED, status: 'finished', answer: entry.answer, ...NOTHING_WAITS }
    case 'failed':
      return {
        ...STOPPED,
        status: 'failed',
        error: entry.error,
        hasJournal: hasJournal || entry.entries > 0,
        rows: [...rows, entry],
        ...NOTHING_WAITS,
      }
    case 'cancelled':
      return { isRun: false, problem: undefined, status: 'cancelled', rows: [...rows, entry], ...NOTHING_WAITS }
    case 'retried':
      return { ...STOPPED, status: 'queued', error: undefined, endedAt: undefined, rows: [...rows, entry] }
    case 'child':
      return { children: [...record.children, entry.taskId] }
    case 'finalized':
      return { endedAt: entry.at }
    case 'yielded':
      return givenBack
    case 'left':
      return { ...givenBack, problem: entry.problem, left: record.left + 1 }
    case 'interrupted': {
      const isStuck = entry.progress <= progress
      return { ...givenBack, interruptions: isStuck ? interruptions + 1 : 1, progress: entry.progress }
    }
    default:
      return {}
  }
}

function refusalsOf(refusals: TaskRecord['refusals'], calls: readonly WaitingCall[]): TaskRecord['refusals'] {
  const own = calls.flatMap(({ id, refused }) => (refused ? [[id, refused] as const] : []))
  return own.length > 0 ? new Map([...refusals, ...own]) : refusals
}

/** Whether a decision about a call was refused since. */
export function isNewRefusal(
  { id, refused }: WaitingCall,
  before: ReadonlyMap<string, RefusedDecision | undefined>,
): boolean {
  return (refused?.count ?? 0) > (before.get(id)?.count ?? 0)
}

/** Returns the decisions that a run has refused. */
function refusedIn(
  { calls, applied, at }: Extract<RecordEntry, { type: 'waiting' }>,
  { decisions, refusals }: TaskRecord,
): RecordRow[] {
  return decisions.slice(0, applied).flatMap((decision) => {
    const call = calls.find((one) => one.id === decision.callId && isNewRefusal(one, refusals))
    return call ? [{ type: 'refused', decision, call, at }] : []
  })
}

const NOTHING_WAITS = { calls: [], decisions: [] }

/** The last entry of a task that has ended. */
export const finalized = (): RecordChange => ({ type: 'finalized' })

/** The entries of an end: stores list a task that has ended as finished, and one with decisions that were not applied as active. */
export function entriesOf(entry: RecordChange, record?: TaskRecord): RecordChange[] {
  if (entry.type === 'answered' || entry.type === 'failed') return [entry, finalized()]
  const left = entry.type === 'waiting' && record ? record.decisions.slice(entry.applied) : []
  return left.length > 0 ? [entry, { type: 'due' }] : [entry]
}

/**
 * Returns the entry for a task whose process has ended. The task may be the reason.
 * @param entries - the journal of its agent.
 * @param most - how often in a row this may happen without progress.
 */
export function interruption(
  { taskId, interruptions, progress }: TaskRecord,
  entries: readonly unknown[],
  most: number,
): RecordChange {
  const now = progressOf(entries)
  if (now > progress || interruptions < most) return { type: 'interrupted', progress: now }
  const message = `Task "${taskId}" was abandoned: ${interruptions + 1} processes ended while they ran it, and it made no progress. Find the reason, then retry it.`
  const error = { name: 'TaskAbandonedError', code: 'task_abandoned', message }
  return { type: 'failed', error, entries: entries.length }
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

const dated = (changes: readonly RecordChange[]): RecordEntry[] =>
  changes.map((change) => ({ ...change, at: Date.now() }))

/** What a run changes that ends by itself. */
const STOPPED = { isRun: false, interruptions: 0, problem: undefined, left: 0 }

/** Whether the task that a task was forked from was deleted, and this is another one with its id. */
export function isForkOfOther(task: TaskRecord | null, original: TaskRecord | null): boolean {
  const { submittedAt } = task?.request.fork ?? {}
  return submittedAt !== undefined && original !== null && original.submittedAt !== submittedAt
}

/** Whether a run is the current one of a task. */
export const isOf = (run: string, record: TaskRecord): boolean => record.isRun && record.run === run

/** Whether a worker has something to do for a task that nobody runs. */
export function isDue({ status, decisions, isRun }: TaskRecord): boolean {
  return !isRun && (status === 'queued' || (status === 'waiting' && decisions.length > 0))
}
