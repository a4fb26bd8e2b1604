/**
 * @module
 * What passes events to their readers: a queue, which contains what its reader has not read, and nothing else; and a flow to a receiver
 * that the run waits for.
 */
import { anySignal, isPromise, raceAbort } from './abort.ts'

/** The number of items that may wait for the reader before a run waits. */
const MAX_WAITING = 256

interface Reader<T, Result> {
  resolve: (read: IteratorResult<T, Result> | Promise<IteratorResult<T, Result>>) => void
}

/** Resolves when there is room in the queue. */
interface Room {
  promise: Promise<void>
  resolve: () => void
}

/** Settings of a {@link Channel}. */
interface ChannelOptions {
  /** The number of items in the queue from which on the producer should wait. @defaultValue no limit */
  limit?: number
  /** Called with the first read. */
  start?: () => void
  /** Called when the reader stops after the first read, which then waits for the promise. */
  leave?: () => Promise<unknown>
}

/** A generator that a producer fills. When the reader has left, it drops the items. */
export class Channel<T, Result = void> implements AsyncIterator<T, Result>, AsyncIterable<T> {
  /** @internal */
  readonly limit: number
  /** @internal */
  start: (() => void) | undefined
  /** @internal */
  leave: (() => Promise<unknown>) | undefined
  /** Items in order: those that are read now, from `at` on, and those that follow. @internal */
  items: (T | undefined)[] = []
  /** @internal */
  at = 0
  /** @internal */
  added: T[] = []
  /** @internal */
  readers: Reader<T, Result>[] = []
  /** Returns the result, or throws the error, with which the channel ends. @internal */
  end: (() => Result) | undefined
  /** @internal */
  room: Room | undefined
  /** @internal */
  hasLeft = false

  constructor({ limit = Number.POSITIVE_INFINITY, start, leave }: ChannelOptions = {}) {
    this.limit = limit
    this.start = start
    this.leave = leave
    const { asyncDispose } = Symbol as { asyncDispose?: symbol }
    if (asyncDispose) Object.defineProperty(this, asyncDispose, { value: async () => void (await this.return()) })
  }

  /** Adds an item. If the queue is full, returns a promise that resolves when there is room again, or the reader has left. */
  push(item: T): Promise<void> | undefined {
    const reader = this.readers.shift()
    if (reader) reader.resolve({ done: false, value: item })
    if (reader || this.hasLeft) return undefined
    this.added.push(item)
    return this.ready()
  }

  /** Resolves when there is room in the queue, or the reader has left; undefined if there is room. */
  ready(): Promise<void> | undefined {
    if (this.size < this.limit) return undefined
    this.room ??= newRoom()
    return this.room.promise
  }

  /** Ends the channel after the items in the queue. */
  close(result: Result): void {
    this.finish(() => result)
  }

  /** Ends the channel after the items in the queue. The reader receives the error then. */
  fail(error: unknown): void {
    this.finish(() => {
      throw error
    })
  }

  next(): Promise<IteratorResult<T, Result>> {
    const { start } = this
    this.start = undefined
    start?.()
    if (this.size > 0) return Promise.resolve({ done: false, value: this.take() })
    if (this.end) return this.ended()
    return new Promise((resolve) => this.readers.push({ resolve }))
  }

  async return(value?: Result | PromiseLike<Result>): Promise<IteratorResult<T, Result>> {
    const { start, leave } = this
    this.hasLeft = true
    this.start = this.leave = undefined
    this.items = []
    this.added = []
    this.at = 0
    this.makeRoom()
    if (!start) await leave?.()
    this.close(undefined as Result)
    return { done: true, value: (await value) as Result }
  }

  async throw(error: unknown): Promise<IteratorResult<T, Result>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** @internal */
  get size(): number {
    return this.items.length - this.at + this.added.length
  }

  /** @internal */
  take(): T {
    if (this.at === this.items.length) {
      this.items = this.added
      this.added = []
      this.at = 0
    }
    const item = this.items[this.at] as T
    this.items[this.at++] = undefined
    if (this.size < this.limit) this.makeRoom()
    return item
  }

  /** @internal */
  finish(end: () => Result): void {
    this.end = end
    for (const reader of this.readers.splice(0)) reader.resolve(this.ended())
  }

  /** The end is read once. @internal */
  async ended(): Promise<IteratorResult<T, Result>> {
    const end = this.end!
    this.end = () => undefined as Result
    return { done: true, value: end() }
  }

  /** @internal */
  makeRoom(): void {
    this.room?.resolve()
    this.room = undefined
  }
}

/**
 * Yields what a run reports. The run starts with the first read and waits for a slow reader. When the reader stops, its signal aborts, and
 * the reader waits for its end.
 * @param outer - also aborts the signal.
 */
export function reportsOf<T, Result>(
  outer: AbortSignal | undefined,
  run: (
    report: (item: T) => Promise<void> | undefined,
    signal: AbortSignal,
    ready: () => Promise<void> | undefined,
  ) => Promise<Result>,
): AsyncGenerator<T, Result> {
  const left = new AbortController()
  let running: Promise<void> | undefined
  const work = async () => {
    const { signal, release } = anySignal(outer, left.signal)
    try {
      const ready = () => raceAbort(channel.ready(), signal) as Promise<void> | undefined
      channel.close(await run((item) => channel.push(item), signal, ready))
    } catch (error) {
      channel.fail(error)
    } finally {
      release()
    }
  }
  const channel = new Channel<T, Result>({
    limit: MAX_WAITING,
    start: () => {
      running = work()
    },
    leave: async () => {
      left.abort()
      await running
    },
  })
  // Its `dispose` has a symbol that older engines and their types do not know.
  return channel as unknown as AsyncGenerator<T, Result>
}

function newRoom(): Room {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Receives an event. If it returns a promise, the run awaits it at the next possible point. */
export type Receive<Event> = (event: Event) => unknown

/** Passes events to their receiver, and lets the run wait for the promises that it returns. */
export class EventFlow<Event> {
  /** Receives the events. */
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
    this.waitFor(done)
    return done
  }

  /** Lets the run wait for a promise of the receiver. */
  waitFor(done: PromiseLike<unknown>): void {
    // One promise, however many events are reported before the run can wait.
    this.waiting = this.waiting ? Promise.all([this.waiting, done]).then(() => {}) : Promise.resolve(done)
    // The error is thrown by `wait`; here it must only not be unhandled.
    this.waiting.catch(() => {})
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
