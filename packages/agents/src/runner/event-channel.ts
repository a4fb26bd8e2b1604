/**
 * @module
 * A queue of events between one producer and one consumer.
 */

/** An async iterable that a producer fills. It buffers events until they are read. */
export class EventChannel<T> implements AsyncIterable<T> {
  private waiting: T[] = []
  /** The end of the channel, with or without an error. */
  private end: (() => void) | undefined
  private wake: (() => void) | undefined

  push(event: T): void {
    this.waiting.push(event)
    this.wake?.()
  }

  /** Ends the channel after the buffered events. */
  close(): void {
    this.end = () => {}
    this.wake?.()
  }

  /** Ends the channel after the buffered events. The reader receives the error then. */
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
