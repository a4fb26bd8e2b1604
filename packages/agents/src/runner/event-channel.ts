/**
 * @module
 * Handing events from one who makes them to one who reads them.
 */

/** An async iterable that is filled from outside. Nothing is lost: what is not read yet waits. */
export class EventChannel<T> implements AsyncIterable<T> {
  private waiting: T[] = []
  /** How it ends: silently or with an error. */
  private end: (() => void) | undefined
  private wake: (() => void) | undefined

  push(event: T): void {
    this.waiting.push(event)
    this.wake?.()
  }

  /** Ends the channel after what is waiting. */
  close(): void {
    this.end = () => {}
    this.wake?.()
  }

  /** Ends the channel after what is waiting; the reader gets the error then. */
  fail(error: unknown): void {
    this.end = () => {
      throw error
    }
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const events = this.waiting
      this.waiting = []
      yield* events
      if (this.waiting.length > 0) continue
      if (this.end) return this.end()
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
  }
}
