/**
 * @module
 * Cancelling and time limits. One rule for all packages: a cancelled call rejects with the reason of its signal, as `fetch` does.
 * Generators end at once when their consumer stops reading, also while they wait for a value: the `return` of a generator function waits
 * for that value first, and a model that is silent would not be stopped.
 */
import { callback, checkGiven, invalidOption } from '@x/core/options'

/**
 * The result of `work`, or a rejection with the signal's reason as soon as the signal aborts, even when the work itself ignores
 * the signal. A value that is not a promise is returned unchanged.
 */
export function raceAbort<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!isPromise(work)) return work
  if (!signal) return Promise.resolve(work)
  return new Promise<T>((resolve, reject) => {
    const leave = whenAborted(signal, reject)
    // Handled even after the signal has aborted: a late failure must not be an unhandled rejection.
    Promise.resolve(work).then(resolve, reject).then(leave)
  })
}

/** Those who wait for a signal. It has a listener while there are some. */
const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>()

/**
 * Calls `receive` with the reason when the signal aborts, or immediately, until the returned function is called. All who wait for a signal
 * share one listener: adding and removing one takes longer than a call that waits for nothing.
 */
function whenAborted(signal: AbortSignal, receive: (reason: unknown) => void): () => void {
  if (!('aborted' in Object(signal))) throw invalidOption('', 'signal', 'an AbortSignal', signal)
  if (signal.aborted) {
    receive(signal.reason)
    return () => {}
  }
  const all = waiting.get(signal) ?? new Set()
  if (all.size === 0) signal.addEventListener('abort', notify)
  waiting.set(signal, all.add(receive))
  return () => {
    all.delete(receive)
    if (all.size === 0) signal.removeEventListener('abort', notify)
  }
}

function notify(this: AbortSignal): void {
  for (const receive of waiting.get(this)!) receive(this.reason)
}

/**
 * Calls `work` unless the signal has aborted, and rejects with the signal's reason as soon as it aborts; the work is not awaited
 * then.
 * @example
 * const signal = AbortSignal.abort(new Error('enough'))
 * await untilAborted(signal, () => 1).catch(({ message }) => message) // => 'enough'
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  if (signal?.aborted) throw signal.reason
  return raceAbort(work(), signal)
}

/**
 * Returns a signal that aborts with the reason of the first of these signals that aborts, for platforms without `AbortSignal.any`.
 * Undefined signals are skipped. Call `release` when the work is over: it removes the listeners, after which the signal does not abort any
 * more.
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal
  release: () => void
} {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  const release = () => {
    for (const stop of stops.splice(0)) stop()
  }
  const abort = (reason: unknown) => {
    release()
    controller.abort(reason)
  }
  for (const signal of signals) if (signal && !controller.signal.aborted) stops.push(whenAborted(signal, abort))
  return { signal: controller.signal, release }
}

/** The longest delay of a timer. Longer limits have no effect. */
const MAX_TIMER_DELAY = 2_147_483_647

/** Calls `onEnd` after this time; never without a limit. Returns a function that stops the timer. */
export function startTimer(milliseconds: number | null | undefined, onEnd: () => void): () => void {
  if (isNoLimit(milliseconds)) return () => {}
  const timer = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(timer)
}

/** How long work may take. */
interface Deadline<T> {
  /** @defaultValue no limit */
  milliseconds?: number | null | undefined
  /** The signal of the caller. */
  signal?: AbortSignal | undefined
  /** Creates the reason with which the signal of the work aborts when the time is over. */
  error: () => Error
  /** For a result that is still in progress, such as a stream: a promise that settles at its end. The signal applies until then. */
  untilSettled?: (result: T) => Promise<unknown> | undefined
}

/**
 * Calls `work` with a signal that aborts when the caller's signal aborts or the time is over. After that, it rejects with the reason of
 * that signal, regardless of the error of `work`. For work that ignores its signal, use {@link raceAbort}.
 */
export function withDeadline<T>(
  deadline: Deadline<T>,
  work: (signal: AbortSignal | undefined) => T | Promise<T>,
): T | Promise<T> {
  const { milliseconds, signal } = deadline
  return isNoLimit(milliseconds) && !signal ? work(undefined) : limited(deadline, work)
}

async function limited<T>(
  { milliseconds, signal: outer, error, untilSettled }: Deadline<T>,
  work: (signal: AbortSignal | undefined) => T | Promise<T>,
): Promise<T> {
  if (outer?.aborted) throw outer.reason
  let signal = outer
  let release = () => {}
  if (!isNoLimit(milliseconds)) {
    const controller = new AbortController()
    const leave = outer && whenAborted(outer, (reason) => controller.abort(reason))
    const stop = startTimer(milliseconds, () => controller.abort(error()))
    signal = controller.signal
    release = () => {
      stop()
      leave?.()
    }
  }
  let settled: Promise<unknown> | undefined
  try {
    const result = await work(signal)
    settled = untilSettled?.(result)
    return result
  } catch (thrown) {
    // Work may throw its own error when its signal aborts.
    signal?.throwIfAborted()
    throw thrown
  } finally {
    if (settled) settled.then(release, release)
    else release()
  }
}

/** Resolves after a time, at most that of the longest timer (24 days). Rejects with the signal's reason when it aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await untilAborted(
      signal,
      () =>
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, Math.min(milliseconds, MAX_TIMER_DELAY))
        }),
    )
  } finally {
    clearTimeout(timer)
  }
}

/** What platforms have to let other work run. Timers take a second in a browser's tab that nobody looks at. */
interface Turns {
  scheduler?: { yield?(): Promise<void> }
  setImmediate?(run: () => void): unknown
}

function nextTurn(): Promise<void> {
  const { scheduler, setImmediate } = globalThis as unknown as Turns
  if (scheduler?.yield) return scheduler.yield()
  return setImmediate ? new Promise((resolve) => setImmediate(resolve)) : pause(0)
}

/** The milliseconds after which {@link turns} lets other work run. */
const MAX_TURN = 10

/**
 * Returns a function that long work calls between its parts. If 10 ms have passed since the last turn of the event loop, it lets other work
 * run, such as timers. It rejects with the signal's reason if that has aborted by then.
 * @example
 * const turn = turns(AbortSignal.timeout(1))
 * const work = async () => {
 *   for (;;) await turn()
 * }
 * await work().catch(({ name }) => name) // => 'TimeoutError'
 */
export function turns(signal?: AbortSignal): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < MAX_TURN) return
    await nextTurn()
    signal?.throwIfAborted()
    begun = performance.now()
  }
}

/**
 * Returns the results of a function for the items, in their order. Between items it lets other work run, as {@link turns} does.
 * @example
 * await mapInTurns([1, 2], undefined, (item) => item * 2) // => [2, 4]
 */
export async function mapInTurns<T, R>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  fn: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const turn = turns(signal)
  const results: R[] = []
  for (const [index, item] of items.entries()) {
    results.push(await fn(item, index))
    await turn()
  }
  return results
}

function isNoLimit(milliseconds: number | null | undefined): milliseconds is null | undefined {
  return typeof milliseconds !== 'number' || milliseconds > MAX_TIMER_DELAY
}

/** Whether a value can be awaited for another one. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function'
}

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
  // Every stream of a model is one.
  if (typeof make !== 'function') checkGiven('untilLeft', { make }, callback)
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
