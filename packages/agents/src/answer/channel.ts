/**
 * @module
 * A queue between one producer and one consumer.
 */

/** An async iterable that a producer fills. It buffers items until they are read. */
export class Channel<T> implements AsyncIterable<T> {
  private waiting: T[] = []
  /** The end of the channel, with or without an error. */
  private end: (() => void) | undefined
  private wake: (() => void) | undefined

  push(item: T): void {
    this.waiting.push(item)
    this.wake?.()
  }

  /** Ends the channel after the buffered items. */
  close(): void {
    this.end = () => {}
    this.wake?.()
  }

  /** Ends the channel after the buffered items. The reader receives the error then. */
  fail(error: unknown): void {
    this.end = () => {
      throw error
    }
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const items = this.waiting
      this.waiting = []
      yield* items
      if (this.waiting.length > 0) continue
      if (this.end) return this.end()
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = undefined
    }
  }
}
