/**
 * @module
 * Cancelling and time limits. One rule for all packages: a cancelled call rejects with the reason of its signal, as `fetch` does.
 */

/**
 * The result of `work`, or a rejection with the signal's reason as soon as the signal aborts, even when the work itself ignores
 * the signal. A value that is not a promise is returned unchanged.
 */
export function raceAbort<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!isPromiseLike(work)) return work
  if (!signal) return Promise.resolve(work)
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const ended =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        signal.removeEventListener('abort', onAbort)
        settle(value)
      }
    // Handled even after the signal has aborted: a late failure must not be an unhandled rejection.
    Promise.resolve(work).then(ended(resolve), ended(reject))
    if (signal.aborted) onAbort()
  })
}

/**
 * Calls `work` unless the signal has aborted, and rejects with the signal's reason as soon as it aborts; the work is not awaited
 * then.
 * @example
 * const signal = AbortSignal.abort(new Error('enough'))
 * await untilAborted(signal, () => 1).catch(({ message }) => message) // => 'enough'
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  return raceAbort(work(), signal)
}

/**
 * Returns a signal that aborts with the reason of the first of these signals that aborts, for platforms without `AbortSignal.any`. Undefined
 * signals are skipped. Call `release` when the work is over: it removes the listeners, after which the signal does not abort any more.
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
  for (const signal of signals) {
    if (!signal) continue
    const onAbort = () => {
      release()
      controller.abort(signal.reason)
    }
    if (signal.aborted) {
      onAbort()
      break
    }
    signal.addEventListener('abort', onAbort)
    stops.push(() => signal.removeEventListener('abort', onAbort))
  }
  return { signal: controller.signal, release }
}

/** The longest delay of a timer. Longer limits have no effect. */
const MAX_TIMER_DELAY = 2 ** 31 - 1

/** Calls `onEnd` after this time; never without a limit. Returns a function that stops the timer. */
export function startTimer(milliseconds: number | null | undefined, onEnd: () => void): () => void {
  if (isNoLimit(milliseconds)) return () => {}
  const timer = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(timer)
}

/** How long work may take. */
export interface Deadline<T> {
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
  outer?.throwIfAborted()
  let signal = outer
  let release = () => {}
  if (!isNoLimit(milliseconds)) {
    const controller = new AbortController()
    const onAbort = () => controller.abort(outer?.reason)
    outer?.addEventListener('abort', onAbort, { once: true })
    const stop = startTimer(milliseconds, () => controller.abort(error()))
    signal = controller.signal
    release = () => {
      stop()
      outer?.removeEventListener('abort', onAbort)
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

function isNoLimit(milliseconds: number | null | undefined): milliseconds is null | undefined {
  return typeof milliseconds !== 'number' || milliseconds > MAX_TIMER_DELAY
}

function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function'
}
