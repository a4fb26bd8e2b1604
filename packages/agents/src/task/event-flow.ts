/**
 * @module
 * Passes events to their receiver, and lets the run wait for the promises that it returns.
 */
import { raceAbort } from '@x/core-model/async'

/** Receives an event. If it returns a promise, the run awaits it at the next possible place. */
export type Receive<Event> = (event: Event) => unknown

/** Passes events to their receiver, and lets the run wait for the promises that it returns. */
export class EventFlow<Event> {
  private readonly receive: Receive<Event>
  private waiting: Promise<unknown> | undefined

  constructor(receive: Receive<Event>) {
    this.receive = receive
  }

  readonly report = (event: Event): PromiseLike<unknown> | undefined => {
    const done = this.receive(event)
    if (!isPromise(done)) return undefined
    this.waiting = this.waiting ? Promise.all([this.waiting, done]) : Promise.resolve(done)
    // The error is thrown by `wait`; here it must only not be unhandled.
    this.waiting.catch(() => {})
    return done
  }

  /** Resolves when the receiver is ready for more events; undefined if it is. */
  ready(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.waiting && this.wait(signal)
  }

  private async wait(signal: AbortSignal | undefined): Promise<void> {
    while (this.waiting) {
      const { waiting } = this
      this.waiting = undefined
      await raceAbort(waiting, signal)
    }
  }
}

/** Whether a receiver returned a promise. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function'
}
