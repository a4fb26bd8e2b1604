/**
 * @module
 * Stopping work: when the caller says so, or when its time is over.
 */
import { isPromise } from './after.ts'
import { AbortError, ToolTimeoutError } from './errors.ts'

/**
 * @throws {AbortError} when the caller has cancelled.
 * @throws {ToolTimeoutError} when the time is over.
 */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal)
}

/** The result of `promise`, or an error as soon as the signal aborts, even when the work itself does not listen. */
export function orAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!signal || !isPromise(work)) return work
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    // Also when nobody waits for the work any more: its own failure must not end the process.
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
    if (signal.aborted) onAbort()
  })
}

const aborts = new WeakMap<object, AbortError>()

/**
 * Time limits are signals with a timeout error as reason: that is what comes out, not an abort. An abort is one error
 * wherever it is noticed, so that handlers are told of it once.
 */
function abortReason({ reason }: AbortSignal): unknown {
  if (reason instanceof ToolTimeoutError) return reason
  const key = Object(reason)
  const error = aborts.get(key) ?? new AbortError(reason)
  aborts.set(key, error)
  return error
}

/** What timers can wait for; longer limits are none. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Runs work with a signal that aborts when the outer one does, or when the work has taken so many milliseconds. The work
 * itself must listen to it, see {@link orAborted}.
 * @param streamOf - what of a result still goes on, under the same signal, until it settles.
 * @throws {ToolTimeoutError} when the time is over.
 */
export function withDeadline<T>(
  what: string,
  milliseconds: number | null | undefined,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => T | Promise<T>,
  streamOf?: (result: T) => Promise<unknown> | undefined,
): T | Promise<T> {
  return milliseconds === undefined && !outer ? work(undefined) : limited(what, milliseconds, outer, work, streamOf)
}

async function limited<T>(
  what: string,
  milliseconds: number | null | undefined,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => T | Promise<T>,
  streamOf: ((result: T) => Promise<unknown> | undefined) | undefined,
): Promise<T> {
  throwIfAborted(outer)
  let signal = outer
  let release = () => {}
  if (typeof milliseconds === 'number' && milliseconds <= LONGEST_TIMER) {
    const controller = new AbortController()
    const onAbort = () => controller.abort(outer?.reason)
    outer?.addEventListener('abort', onAbort, { once: true })
    const timer = setTimeout(() => controller.abort(new ToolTimeoutError(what, milliseconds)), milliseconds)
    signal = controller.signal
    release = () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
    }
  }
  let stream: Promise<unknown> | undefined
  try {
    const result = await work(signal)
    stream = streamOf?.(result)
    return result
  } catch (error) {
    // A collaborator that throws the bare reason, or its own abort error, when its signal aborts.
    throwIfAborted(signal)
    throw error
  } finally {
    if (stream) stream.then(release, release)
    else release()
  }
}
