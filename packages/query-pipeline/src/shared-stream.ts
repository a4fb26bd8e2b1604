/**
 * @module
 * Shares streams among several modules, so that each of them receives all pieces.
 */
import { isPlainObject } from '@x/core/values'
import { ConfigurationError, type Dict } from '@x/core-model'
import { streamOf } from '@x/core-model/async'

/** A stream that can be read once: an iterator or generator, or a web stream. */
type Stream = ReadableStream | AsyncIterator<unknown> | Iterator<unknown>

/** Whether a value is a stream that can be read once. Arrays and other values that can be read again are not. */
export function isStream(value: unknown): value is Stream {
  if (typeof value !== 'object' || value === null) return false
  if (isReadableStream(value)) return true
  return (
    'next' in value && typeof value.next === 'function' && (Symbol.asyncIterator in value || Symbol.iterator in value)
  )
}

function isReadableStream(value: object): value is ReadableStream {
  return typeof ReadableStream !== 'undefined' && value instanceof ReadableStream
}

/** The streams that were closed: several places may find that nobody reads one. */
const closedStreams = new WeakSet<object>()

/** Closes a stream that nobody will read, once. Other values have nothing to close. */
export function closeStream(value: unknown): void {
  if (!isStream(value) || closedStreams.has(value)) return
  closedStreams.add(value)
  try {
    // Ignores a failure, because no reader is left to receive it. A web stream that has a reader is closed by that one.
    const closed = isReadableStream(value) ? value.cancel() : value.return?.()
    void Promise.resolve(closed).catch(() => {})
  } catch {
    // A generator that runs.
  }
}

/** By the stream of a reader: lets it go unless it has begun to read. */
const idleReaders = new WeakMap<object, () => void>()

/**
 * Lets the readers of shared streams among inputs hold nothing, if a module has ended without reading them and its outputs are plain data,
 * which no stream can be in. Otherwise a module that ignores a stream would keep all of its pieces.
 */
export function letIdle(inputs: Iterable<unknown>, outputs: Readonly<Dict>): void {
  const idle = [...inputs].flatMap((value) => idleReaders.get(Object(value)) ?? [])
  if (idle.length > 0 && isData(outputs)) for (const leave of idle) leave()
}

/** Whether a value consists of strings, numbers and the like, some levels deep. */
function isData(value: unknown, levels = 4): boolean {
  if (typeof value === 'function') return false
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0 || !(Array.isArray(value) || isPlainObject(value))) return false
  return Object.values(value).every((item) => isData(item, levels - 1))
}

/**
 * A stream for several readers. The source is read once, as far as the fastest reader; its pieces are kept for the others. A slow reader
 * does not delay the fastest one, because a module may need the whole stream before another module starts to read. Once there will be no
 * further readers, pieces that all readers have read are dropped.
 */
export class SharedStream {
  private readonly source: Stream
  private pieces: Pieces | undefined

  constructor(source: Stream) {
    this.source = source
  }

  /**
   * Returns a stream of all pieces, of the same kind as the source. If a reader stops early, the source is stopped unless it
   * has other readers; passive readers, which only observe, do not count.
   */
  read({ passive = false } = {}): Stream {
    const { source } = this
    this.pieces ??= isReadableStream(source)
      ? new AsyncPieces(streamIterator(source))
      : Symbol.asyncIterator in source
        ? new AsyncPieces(source as AsyncIterator<unknown>)
        : new SyncPieces(source as Iterator<unknown>)
    const { stream: own, idle } = this.pieces.read(passive)
    // Unlike a branch of `tee`, whose `cancel` waits for the other branches, a reader can stop while the others have not begun.
    const stream = isReadableStream(source) ? streamOf(own as AsyncIterable<unknown>, { highWaterMark: 0 }) : own
    idleReaders.set(stream, idle)
    return stream
  }

  /** Declares that there will be no further readers: the source may be stopped after the last reader has stopped. */
  seal(): void {
    this.pieces?.seal()
  }
}

/** Returns the iterator of an iterable or a stream. Closing that of a web stream cancels it at once, also while it waits for a piece. */
export function iteratorOf<T>(stream: Iterable<T> | AsyncIterable<T>): Iterator<T> | AsyncIterator<T> {
  if (isReadableStream(stream)) return streamIterator(stream)
  return Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]()
}

function streamIterator<T>(stream: ReadableStream<T>): AsyncIterator<T> {
  const reader = stream.getReader()
  return {
    next: () => reader.read() as Promise<IteratorResult<T>>,
    return: async () => {
      await reader.cancel()
      return { done: true, value: undefined }
    },
  }
}

/** Shares inputs among several runs of a component, so that each run receives all pieces of a stream. */
export class SharedInputs {
  private readonly inputs: readonly (readonly [string, unknown])[]

  constructor(inputs: Readonly<Dict>) {
    this.inputs = Object.entries(inputs).map(([key, value]) => [key, isStream(value) ? new SharedStream(value) : value])
  }

  /** Returns the inputs for one run. */
  read(): Dict {
    return Object.fromEntries(
      this.inputs.map(([key, value]) => [key, value instanceof SharedStream ? value.read() : value]),
    )
  }

  /** Declares that there will be no further runs. */
  seal(): void {
    for (const [, value] of this.inputs) if (value instanceof SharedStream) value.seal()
  }
}

const TOO_LATE =
  'A stream was read after the module that received it had ended, and its pieces are gone; read it in the module, or return a stream made from it.'

/** A reader of pieces. */
interface Reader {
  readonly own: { position: number }
  /** Called before each piece. @throws {ConfigurationError} if the reader was idle, and its pieces are gone. */
  begin(): void
  /** Lets it hold nothing, if it has not read. */
  idle(): void
  leave(): void
}

/** The pieces that were read from a source, and the positions of its readers. */
abstract class Pieces {
  private pieces: unknown[] = []
  /** The number of pieces that were dropped from the start of `pieces`. */
  private dropped = 0
  private readonly positions = new Set<{ position: number }>()
  protected end: { error?: unknown } | undefined
  private readers = 0
  private sealed = false
  /** Whether the source was closed before its end. */
  private isStopped = false

  abstract read(passive: boolean): { stream: Stream; idle: () => void }
  protected abstract stop(): void

  seal(): void {
    this.sealed = true
    this.drop()
    this.stopWhenLeft()
  }

  /** Registers a reader. */
  protected enter(passive: boolean): Reader {
    let state: 'new' | 'reads' | 'idle' | 'left' = 'new'
    const counts = passive ? 0 : 1
    const own = { position: 0 }
    const join = () => {
      this.readers += counts
      this.positions.add(own)
    }
    const go = (to: 'idle' | 'left') => {
      const isIn = state === 'new' || state === 'reads'
      state = to
      if (!isIn) return
      this.positions.delete(own)
      this.drop()
      this.readers -= counts
      if (counts > 0) this.stopWhenLeft()
    }
    const begin = () => {
      if (state === 'idle') {
        if (this.dropped > 0 || this.isStopped) throw new ConfigurationError(TOO_LATE)
        join()
      }
      if (state !== 'left') state = 'reads'
    }
    const idle = () => {
      if (state === 'new') go('idle')
    }
    join()
    return { own, begin, idle, leave: () => go('left') }
  }

  protected add(piece: unknown): void {
    this.pieces.push(piece)
  }

  /** Drops the pieces that all readers have read once they are half of the pieces, so that the amortized cost is small. */
  protected drop(): void {
    if (!this.sealed) return
    let least = this.dropped + this.pieces.length
    for (const { position } of this.positions) least = Math.min(least, position)
    const count = least - this.dropped
    if (count === 0 || count * 2 < this.pieces.length) return
    this.pieces = this.pieces.slice(count)
    this.dropped = least
  }

  private stopWhenLeft(): void {
    if (!this.sealed || this.readers > 0 || this.end) return
    this.end = {}
    this.isStopped = true
    this.stop()
  }

  /** The piece at a position, or the end of the stream; undefined if it has not been read yet. */
  protected at(position: number): IteratorResult<unknown> | undefined {
    const index = position - this.dropped
    if (index < this.pieces.length) return { done: false, value: this.pieces[index] }
    if (!this.end) return undefined
    if ('error' in this.end) throw this.end.error
    return { done: true, value: undefined }
  }
}

class AsyncPieces extends Pieces {
  private readonly source: AsyncIterator<unknown>
  private pulling: Promise<void> | undefined

  constructor(source: AsyncIterator<unknown>) {
    super()
    this.source = source
  }

  read(passive: boolean): { stream: AsyncIterableIterator<unknown>; idle: () => void } {
    const { own, begin, idle, leave } = this.enter(passive)
    let left = false
    let asked = 0
    const done: IteratorResult<unknown> = { done: true, value: undefined }
    const stream = {
      next: async () => {
        begin()
        const position = asked++
        for (;;) {
          const found = left ? done : this.at(position)
          if (!found) {
            await this.pull()
            continue
          }
          // Waiting calls are resolved in order.
          own.position = position + 1
          this.drop()
          return found
        }
      },
      return: async () => {
        left = true
        leave()
        return done
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
    return { stream, idle }
  }

  /** Reads one piece; all waiting readers share the call. */
  private pull(): Promise<void> {
    this.pulling ??= this.readPiece().finally(() => {
      this.pulling = undefined
    })
    return this.pulling
  }

  private async readPiece(): Promise<void> {
    try {
      const { done, value } = await this.source.next()
      if (done) this.end ??= {}
      else if (!this.end) this.add(value)
    } catch (error) {
      this.end ??= { error }
    }
  }

  protected stop(): void {
    // Ignores a failure, because no reader is left to receive it.
    void Promise.resolve(this.source.return?.()).catch(() => {})
  }
}

class SyncPieces extends Pieces {
  private readonly source: Iterator<unknown>

  constructor(source: Iterator<unknown>) {
    super()
    this.source = source
  }

  read(passive: boolean): { stream: IterableIterator<unknown>; idle: () => void } {
    const { own, begin, idle, leave } = this.enter(passive)
    let left = false
    const stream: IterableIterator<unknown> = {
      next: () => {
        if (left) return { done: true as const, value: undefined }
        begin()
        const found = this.at(own.position) ?? this.pull(own.position)
        own.position++
        this.drop()
        return found
      },
      return: () => {
        left = true
        leave()
        return { done: true, value: undefined }
      },
      [Symbol.iterator]() {
        return this
      },
    }
    return { stream, idle }
  }

  private pull(position: number): IteratorResult<unknown> {
    try {
      const { done, value } = this.source.next()
      if (done) this.end = {}
      else this.add(value)
    } catch (error) {
      this.end = { error }
    }
    return this.at(position)!
  }

  protected stop(): void {
    this.source.return?.()
  }
}
