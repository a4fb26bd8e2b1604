/**
 * @module
 * Writes the events of a task to a stream of DBOS.
 */
import type { AgentEvent } from '@x/agents'
import { newId } from '@x/core-model/data'
import type { TaskEvents } from '@x/durable'
import type { DbosRuntime } from './dbos-types.ts'
import { EVENTS } from './task-protocol.ts'

/** A call whose events are written. */
export interface EventCall {
  /** Writes the events before the call. Call it only within the step of the call. */
  open(): void
  /** Resolves when all events so far are written. */
  close(): Promise<void>
}

/** Writes the events of one run of a workflow from within its steps, so that the events are not steps themselves. */
export class EventWriter {
  private readonly dbos: DbosRuntime
  /** The events since the latest call began. */
  private between: AgentEvent[] = []
  /** The calls that are running, by the number of their step. */
  private readonly open = new Map<number | undefined, Omit<TaskEvents, 'events'>>()
  /** The latest call, with the events before it. */
  private latest: { call: string; events: AgentEvent[]; isRecorded: boolean } | undefined
  private queue: TaskEvents[] = []
  private writing: Promise<void> | undefined
  private finished = 0

  constructor(dbos: DbosRuntime) {
    this.dbos = dbos
  }

  /** Reports an event. While a call runs, it is written immediately. */
  readonly report = (event: AgentEvent): void => {
    const call = this.dbos.isInStep() && this.open.get(this.dbos.stepID)
    if (call) this.write({ ...call, events: [event] })
    else this.between.push(event)
  }

  /** Starts a call. A call with a recorded result is never opened, because its events are already in the stream. */
  begin(call: string): EventCall {
    const events = this.between
    const before = this.latest
    const latest = { call, events, isRecorded: true }
    this.between = []
    this.latest = latest
    let step: number | undefined
    return {
      open: () => {
        step = this.dbos.stepID
        latest.isRecorded = false
        const place = { call, attempt: newId() }
        this.open.set(step, place)
        // The text of a recorded call is in the stream, maybe in pieces, and is reported again as a whole: it replaces what the call has
        // written.
        const texts = before?.isRecorded ? events.findLastIndex(isText) + 1 : 0
        if (before && texts > 0)
          this.write({ call: before.call, attempt: newId(), events: [...before.events, ...events.splice(0, texts)] })
        // Also without events, so that those of an interrupted attempt do not count.
        if (events.length > 0 || texts > 0) this.write({ ...place, events })
      },
      close: async () => {
        this.open.delete(step)
        await this.writing
      },
    }
  }

  /** Writes the events since the latest call, in a separate step. */
  async finish(): Promise<void> {
    // A unique name: records of the same call with different attempts would invalidate each other.
    const name = `${EVENTS}/${++this.finished}`
    const call = this.begin(name)
    const write = async () => {
      call.open()
      await call.close()
    }
    await this.dbos.runStep(write, { name })
  }

  private write(record: TaskEvents): void {
    const last = this.queue.at(-1)
    if (last?.attempt === record.attempt) last.events.push(...record.events)
    else this.queue.push({ ...record, events: [...record.events] })
    this.writing ??= this.writeQueue().finally(() => {
      this.writing = undefined
    })
    // The error is thrown to the callers that wait for this promise.
    this.writing.catch(() => {})
  }

  /** Writes one record after the other. Events that arrive during a write become one record. */
  private async writeQueue(): Promise<void> {
    for (let record = this.queue.shift(); record; record = this.queue.shift())
      await this.dbos.writeStream(EVENTS, record)
  }
}

function isText({ type }: AgentEvent): boolean {
  return type === 'text_delta' || type === 'reasoning'
}
