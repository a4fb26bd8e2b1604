/**
 * @module
 * The record of a submitted task in a task store, beside the journal of its agent: what was asked for, decided, and how it ended.
 */
import type { AnswerJson, ToolDecision } from '@x/agents'
import { TaskNotFoundError } from '@x/agents/errors'
import type { TaskStore } from '@x/core-model'
import type { TaskFailure } from './durable-errors.ts'
import type { RefusedDecision, TaskStatus, WaitingCall } from './durable-tasks.ts'
import type { TaskSubmission } from './task-submission.ts'

/** What was submitted. */
export interface StoredRequest extends TaskSubmission {
  /** The task and the step that this task continues from. */
  fork?: { taskId: string; atStep: number }
}

/** An entry of a record. The state of the task is what results from all entries, in order. */
export type RecordEntry =
  /** `task`: stores read the id of a journal there. */
  | { type: 'submitted'; request: StoredRequest; task: { task: { task_id: string } } }
  /** `run`: the id of the run, which only one worker knows. */
  | { type: 'started'; run: string }
  /** A decision that the worker applies. */
  | { type: 'decided'; decision: ToolDecision }
  /** The task waits for these calls. `applied`: the number of decisions that have been applied. */
  | { type: 'waiting'; calls: WaitingCall[]; applied: number }
  | { type: 'answered'; answer: AnswerJson }
  | { type: 'failed'; error: TaskFailure }
  | { type: 'cancelled' }
  | { type: 'retried' }
  /** The process that ran the task has ended. */
  | { type: 'interrupted' }
  /** Task stores list a journal with this entry as finished. */
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
  /** How often in a row the process that ran the task has ended. */
  interruptions: number
  /** The calls that wait for a decision. */
  calls: readonly WaitingCall[]
  /** Why the last decision about a call was refused, by the id of the call. */
  refusals: ReadonlyMap<string, RefusedDecision>
  /** The decisions that were not applied yet. */
  decisions: readonly ToolDecision[]
  answer: AnswerJson | undefined
  error: TaskFailure | undefined
}

const PREFIX = 'submitted/'

/** Returns the id of a task whose record has this id in the store; undefined for the journals of agents. */
function taskOfRecord(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined
}

/** The records of a store. */
export class TaskRecords {
  private readonly store: TaskStore

  constructor(store: TaskStore) {
    this.store = store
  }

  /** Stores a new record. Returns false if there is one with its id. */
  async create(taskId: string, request: StoredRequest): Promise<boolean> {
    const id = PREFIX + taskId
    return this.store.append(
      id,
      [{ type: 'submitted', request, task: { task: { task_id: id } } } satisfies RecordEntry],
      0,
    )
  }

  /** @throws {TaskNotFoundError} */
  async read(taskId: string): Promise<TaskRecord> {
    const entries = typeof taskId === 'string' ? await this.store.load(PREFIX + taskId) : null
    if (!entries) throw new TaskNotFoundError(taskId)
    return recordOf(taskId, entries as readonly RecordEntry[])
  }

  /**
   * Adds entries that depend on the record as it is. They are computed again if another process has changed it meanwhile.
   * @returns the record before the change, or the current one if there are no entries.
   */
  async change(taskId: string, entriesFor: (record: TaskRecord) => readonly RecordEntry[]): Promise<TaskRecord> {
    for (;;) {
      const record = await this.read(taskId)
      const entries = entriesFor(record)
      if (entries.length === 0 || (await this.store.append(PREFIX + taskId, entries, record.revision))) return record
    }
  }

  /** Returns the tasks that are not finished, and the revisions of their records. */
  async unfinished(): Promise<{ taskId: string; revision: number }[]> {
    const summaries = await this.store.list({ unfinished: true })
    return summaries.flatMap(({ taskId: id, revision }) => {
      const taskId = taskOfRecord(id)
      return taskId === undefined ? [] : [{ taskId, revision }]
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
    interruptions: 0,
    calls: [],
    refusals: new Map(),
    decisions: [],
    answer: undefined,
    error: undefined,
  }
  for (const entry of entries) Object.assign(record, changeOf(record, entry))
  return record
}

function changeOf({ calls, decisions, refusals, interruptions }: TaskRecord, entry: RecordEntry): Partial<TaskRecord> {
  switch (entry.type) {
    case 'submitted':
      return { request: entry.request }
    case 'started':
      // A run that only applies decisions does not hide the calls that still wait.
      return { status: calls.length > 0 ? 'waiting' : 'running', run: entry.run }
    case 'decided': {
      const open = calls.filter(({ id }) => id !== entry.decision.callId)
      return { calls: open, decisions: [...decisions, entry.decision], ...(open.length === 0 && { status: 'queued' }) }
    }
    case 'waiting': {
      const left = decisions.slice(entry.applied)
      const open = entry.calls.filter(({ id }) => !left.some(({ callId }) => callId === id))
      const status = open.length > 0 ? 'waiting' : 'queued'
      return { calls: open, decisions: left, refusals: refusalsOf(refusals, entry.calls), status, interruptions: 0 }
    }
    case 'answered':
      return { status: 'finished', answer: entry.answer, ...NOTHING_WAITS }
    case 'failed':
      return { status: 'failed', error: entry.error, ...NOTHING_WAITS }
    case 'cancelled':
      return { status: 'cancelled', ...NOTHING_WAITS }
    case 'retried':
      return { status: 'queued', error: undefined, interruptions: 0 }
    case 'interrupted':
      return { status: 'queued', interruptions: interruptions + 1 }
    default:
      return {}
  }
}

function refusalsOf(refusals: TaskRecord['refusals'], calls: readonly WaitingCall[]): TaskRecord['refusals'] {
  const own = calls.flatMap(({ id, refused }) => (refused ? [[id, refused] as const] : []))
  return own.length > 0 ? new Map([...refusals, ...own]) : refusals
}

const NOTHING_WAITS = { calls: [], decisions: [] }

/** Whether a worker has something to do for a task. */
export function isDue({ status, decisions }: TaskRecord): boolean {
  return status === 'queued' || (status === 'waiting' && decisions.length > 0)
}
