/**
 * @module
 * Handing events from one who makes them to one who reads them.
 */

/** An async iterable that is filled from outside. Nothing is lost: what is not read yet waits. */
export class EventChannel<T> implements AsyncIterable<T> {
  private waiting: T[] = []
  private closed = false
  private error: unknown
  private wake: (() => void) | undefined

  push(event: T): void {
    this.waiting.push(event)
    this.wake?.()
  }

  /** Ends the channel after what is waiting; with an error, the reader gets that then. */
  close(error?: unknown): void {
    this.closed = true
    this.error = error
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const events = this.waiting
      this.waiting = []
      yield* events
      if (this.waiting.length > 0) continue
      if (this.closed) break
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
    if (this.error !== undefined) throw this.error
  }
}
