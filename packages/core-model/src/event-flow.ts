/**
 * @module
 * Passes events to their receiver, and lets the run wait for the promises that it returns.
 */
import { isPromise, raceAbort } from './abort.ts'

/** Receives an event. If it returns a promise, the run awaits it at the next possible point. */
export type Receive<Event> = (event: Event) => unknown

/** Passes events to their receiver, and lets the run wait for the promises that it returns. */
export class EventFlow<Event> {
  /** @internal */
  readonly receive: Receive<Event>
  /** @internal */
  waiting: Promise<unknown> | undefined

  constructor(receive: Receive<Event>) {
    this.receive = receive
  }

  /** Passes an event. Returns the promise of the receiver, if it returned one. */
  readonly report = (event: Event): PromiseLike<unknown> | undefined => {
    const done = this.receive(event)
    if (!isPromise(done)) return undefined
    // One promise, however many events are reported before the run can wait.
    this.waiting = this.waiting ? Promise.all([this.waiting, done]).then(() => {}) : Promise.resolve(done)
    // The error is thrown by `wait`; here it must only not be unhandled.
    this.waiting.catch(() => {})
    return done
  }

  /** Resolves when the receiver is ready for more events; undefined if it is. */
  ready(signal: AbortSignal | undefined): Promise<void> | undefined {
    return this.waiting && this.wait(signal)
  }

  /** @internal */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    while (this.waiting) {
      const { waiting } = this
      this.waiting = undefined
      await raceAbort(waiting, signal)
    }
  }
}

/** Lets promises end early. In contrast to a race with one long promise, what is over leaves nothing behind. */
export class EarlyEnd {
  /** @internal */
  readonly open = new Set<() => void>()

  /** Resolves with `work`, or when `end` is called. */
  orEnd(work: PromiseLike<unknown>): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      const end = () => resolve(undefined)
      this.open.add(end)
      const close = () => this.open.delete(end)
      work.then(resolve, reject).then(close, close)
    })
  }

  /** Ends all that is open. */
  end(): void {
    for (const end of this.open) end()
    this.open.clear()
  }
}
