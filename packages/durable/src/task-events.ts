/**
 * @module
 * The events of tasks for readers in other processes.
 */

import type { AgentEvent } from '@x/agents'
import {
  callOptions,
  checkGiven,
  checkOption,
  checkOptions,
  listOf,
  type OptionTable,
  wholeNumber,
} from '@x/core/options'
import { raceAbort } from '@x/core-model/async'

/**
 * Events that were written together. An interrupted call is repeated, and its events are written again with a different `attempt`. Those of
 * its earlier attempts do not count; see {@link validEvents}.
 */
export interface TaskEvents {
  /** Names the part of the task that is repeated together, such as `step-1/model`. */
  call: string
  /** Different for every attempt of this part. */
  attempt: string
  events: AgentEvent[]
}

/** Options for reading events. */
export interface TaskEventsOptions {
  /** The number of records that are left out, from the first one: for a reader that continues. @defaultValue 0 */
  from?: number | undefined
  /** Ends the reading. */
  signal?: AbortSignal | undefined
}

const READING: OptionTable<TaskEventsOptions> = { from: wholeNumber(0), signal: callOptions.signal }

/**
 * Returns the events without those of attempts that were interrupted. Pass all records at once: a later one may be of a repeated attempt.
 * `TasksAgent` reads events one by one.
 * @param records - the records that were read so far, in order.
 * @example
 * const delta = (delta: string) => ({ type: 'text_delta' as const, taskId: 't', stepId: 's', delta })
 * const events = validEvents([
 *   { call: 'step-1/model', attempt: 'a', events: [delta('Goo')] },
 *   { call: 'step-1/model', attempt: 'b', events: [delta('Hel')] },
 *   { call: 'step-1/model', attempt: 'b', events: [delta('lo')] },
 * ])
 * events // => [delta('Hel'), delta('lo')]
 */
export function validEvents(records: readonly TaskEvents[]): AgentEvent[] {
  checkOption('validEvents', 'records', records, listOf('a record of events', 'events'))
  const latest = new Map(records.map(({ call, attempt }) => [call, attempt]))
  return records.flatMap(({ call, attempt, events }) => (latest.get(call) === attempt ? events : []))
}

/**
 * Whether an event is a piece of an answer, or progress: their number may differ when a call is repeated. For your own engine.
 * @example
 * isPiece({ type: 'text_delta' }) // => true
 */
export function isPiece(event: Pick<AgentEvent, 'type'>): boolean {
  checkGiven('isPiece', { event }, 'an event', 'type')
  const { type } = event
  return type.endsWith('_delta') || type === 'tool_progress'
}

/**
 * Stores the events of tasks between a worker and its readers, for engines without streams. A table of a database with the task, a counter
 * and the record is sufficient.
 */
export interface TaskEventLog {
  /** Adds a record at the end of those of a task. */
  addEvents(taskId: string, record: TaskEvents): Promise<void> | void
  /** Returns the records of a task in order, without the first `from`. */
  readEvents(taskId: string, from: number): Promise<readonly TaskEvents[]> | readonly TaskEvents[]
  /** Deletes the records of a task. @defaultValue they stay */
  deleteEvents?(taskId: string): Promise<void> | void
}

/**
 * Keeps the events of the latest tasks in memory, for readers in the same process.
 * @example
 * const log = new MemoryEventLog()
 * log.addEvents('t', { call: 'step-1', attempt: 'a', events: [] })
 * log.readEvents('t', 0).length // => 1
 */
export class MemoryEventLog implements TaskEventLog {
  private readonly maxTasks: number
  private readonly tasks = new Map<string, TaskEvents[]>()

  /** @param options.maxTasks - the number of tasks whose events are kept. @defaultValue 1000 */
  constructor(options: { maxTasks?: number } = {}) {
    checkOptions('MemoryEventLog', options, { maxTasks: wholeNumber(1) })
    const { maxTasks = 1000 } = options
    this.maxTasks = maxTasks
  }

  addEvents(taskId: string, record: TaskEvents): void {
    const records = this.tasks.get(taskId) ?? []
    records.push(record)
    // The task with the latest event is the last one.
    this.tasks.delete(taskId)
    this.tasks.set(taskId, records)
    const [oldest] = this.tasks.keys()
    if (this.tasks.size > this.maxTasks && oldest !== undefined) this.tasks.delete(oldest)
  }

  readEvents(taskId: string, from: number): readonly TaskEvents[] {
    return this.tasks.get(taskId)?.slice(from) ?? []
  }

  deleteEvents(taskId: string): void {
    this.tasks.delete(taskId)
  }
}

/**
 * Yields the records of a log until the task has ended: the `events` of an engine that has no streams of its own.
 * @param hasEnded - whether the task has ended. Records that were written before are still read.
 * @param pause - resolves when it is time to look again.
 */
export async function* followEvents(
  log: TaskEventLog,
  taskId: string,
  options: TaskEventsOptions,
  task: { hasEnded: () => Promise<boolean>; pause: () => Promise<void> },
): AsyncGenerator<TaskEvents> {
  checkOptions('followEvents', options, READING)
  checkGiven('followEvents', { task }, 'functions for the task', 'hasEnded')
  const { from = 0, signal } = options
  const { hasEnded, pause } = task
  for (let next = from; !signal?.aborted; ) {
    const isLast = await hasEnded()
    for (const record of await log.readEvents(taskId, next)) {
      next++
      yield record
    }
    if (isLast) return
    try {
      await raceAbort(pause(), signal)
    } catch (error) {
      if (!signal?.aborted) throw error
    }
  }
}
