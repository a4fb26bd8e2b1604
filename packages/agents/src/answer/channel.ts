/**
 * @module
 * A queue between one producer and one consumer.
 */

/** Resolves when there is room in the buffer. */
interface Room {
  promise: Promise<void>
  resolve: () => void
}

function newRoom(): Room {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** An async iterable that a producer fills. It buffers items until they are read; when the reader has left, it drops them. */
export class Channel<T> implements AsyncIterable<T> {
  private readonly limit: number
  private waiting: T[] = []
  /** The number of items of `waiting` that were read. */
  private read = 0
  /** The end of the channel, with or without an error. */
  private end: (() => void) | undefined
  private wake: (() => void) | undefined
  private room: Room | undefined
  private hasLeft = false

  /** @param limit - the number of items in the buffer from which on the producer should wait. @defaultValue no limit */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.limit = limit
  }

  /** Adds an item. If the buffer is full, returns a promise that resolves when there is room again, or the reader has left. */
  push(item: T): Promise<void> | undefined {
    if (this.hasLeft) return undefined
    this.waiting.push(item)
    this.wake?.()
    if (this.waiting.length - this.read < this.limit) return undefined
    this.room ??= newRoom()
    return this.room.promise
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
    try {
      for (;;) {
        while (this.read < this.waiting.length) yield this.take()
        if (this.end) return this.end()
        await new Promise<void>((resolve) => {
          this.wake = resolve
        })
        this.wake = undefined
      }
    } finally {
      this.hasLeft = true
      this.waiting = []
      this.read = 0
      this.makeRoom()
    }
  }

  private take(): T {
    const item = this.waiting[this.read++]!
    if (this.read === this.waiting.length) {
      this.waiting = []
      this.read = 0
    }
    if (this.waiting.length - this.read < this.limit) this.makeRoom()
    return item
  }

  private makeRoom(): void {
    this.room?.resolve()
    this.room = undefined
  }
}
