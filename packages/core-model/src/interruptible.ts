/**
 * @module
 * Async generators that end at once when the consumer stops reading, also while they wait for a value. The `return` of a generator function waits for
 * that value first: a model that is silent would not be stopped.
 */
import { callback, checkGiven } from '@x/core/options'
import { anySignal } from './abort.ts'

/**
 * Returns a generator whose `return` first calls `interrupt`, which must let the value that is awaited resolve or reject.
 * @example
 * const left = new AbortController()
 * async function* values() {
 *   yield await raceAbort(new Promise<number>(() => {}), left.signal)
 * }
 * const items = interruptible(values(), () => left.abort())
 * const first = items.next().catch(({ name }) => name)
 * await items.return(undefined)
 * await first // => 'AbortError'
 */
export function interruptible<T, Result>(
  items: AsyncGenerator<T, Result>,
  interrupt: () => unknown,
): AsyncGenerator<T, Result> {
  const end = items.return.bind(items)
  items.return = (value) => {
    interrupt()
    return end(value)
  }
  return items
}

/**
 * Returns a generator whose signal aborts when the consumer stops reading, or with another signal.
 * @param outer - the other signal.
 * @param make - begins with the first read.
 * @example
 * const items = untilLeft(undefined, async function* (signal) {
 *   yield await raceAbort(new Promise<number>(() => {}), signal)
 * })
 * const first = items.next().catch(({ name }) => name)
 * await items.return(undefined)
 * await first // => 'AbortError'
 */
export function untilLeft<T, Result = void>(
  outer: AbortSignal | undefined,
  make: (signal: AbortSignal) => AsyncGenerator<T, Result>,
): AsyncGenerator<T, Result> {
  checkGiven('untilLeft', { make }, callback)
  const left = new AbortController()
  const items = async function* () {
    const { signal, release } = anySignal(outer, left.signal)
    try {
      return yield* make(signal)
    } finally {
      release()
    }
  }
  return interruptible(items(), () => left.abort())
}

type AnyIterable<T> = AsyncIterable<T> | Iterable<T>

/**
 * Returns a generator that reads others, and whose `return` also ends the one that it reads.
 * @param make - reads each other one through its parameter.
 * @example
 * async function* words() {
 *   yield* ['one', 'two']
 * }
 * const items = relay<string>(async function* (read) {
 *   for await (const word of read(words())) yield word.toUpperCase()
 * })
 * const { value } = await items.next()
 * value // => 'ONE'
 */
export function relay<T, Result = void>(
  make: (read: <Item>(source: AnyIterable<Item>) => AnyIterable<Item>) => AsyncGenerator<T, Result>,
): AsyncGenerator<T, Result> {
  let current: AsyncIterator<unknown> | undefined
  let hasLeft = false
  const leave = async () => {
    try {
      await current?.return?.()
    } catch {
      // It is thrown where the source is read, too.
    }
  }
  const items = make((source) => {
    if (!(Symbol.asyncIterator in source)) return source
    const iterator = source[Symbol.asyncIterator]()
    current = iterator
    if (hasLeft) void leave()
    return { [Symbol.asyncIterator]: () => iterator }
  })
  return interruptible(items, () => {
    hasLeft = true
    void leave()
  })
}

/**
 * Returns items as a stream, each when it is read. Cancelling the stream ends them.
 * @param strategy - of the stream; by default, one item is read ahead.
 */
export function streamOf<T>(items: AsyncIterable<T>, strategy?: QueuingStrategy<T>): ReadableStream<T> {
  const iterator = items[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<T> = {
    async pull(controller) {
      const next = await iterator.next()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: async () => void (await iterator.return?.()),
  }
  return new ReadableStream<T>(source, strategy)
}
