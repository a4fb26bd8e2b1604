/**
 * @module
 * Stopping work: when the caller says so, or when its time is over.
 */
import { AbortError, ToolTimeoutError } from './errors.ts'

/** @throws {AbortError} when the caller has cancelled. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortError(signal.reason)
}

/** The result of `promise`, or an error as soon as the signal aborts, even when the work itself does not listen. */
export function orAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!signal || !(work instanceof Promise)) return work
  if (signal.aborted) return dropped(work, signal)
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

function dropped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits for the work any more; its own failure must not end the process.
  work.catch(() => {})
  return Promise.reject(abortReason(signal))
}

/** Time limits are signals with a timeout error as reason: that is what comes out, not an abort. */
function abortReason(signal: AbortSignal): unknown {
  return signal.reason instanceof ToolTimeoutError ? signal.reason : new AbortError(signal.reason)
}

/**
 * Runs work that may take so long at most; its signal aborts then, and also with the outer one.
 * @throws {ToolTimeoutError} when the time is over.
 */
export function withDeadline<T>(
  what: string,
  milliseconds: number | undefined,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  return milliseconds === undefined && !outer ? work(undefined) : limited(what, milliseconds, outer, work)
}

async function limited<T>(
  what: string,
  milliseconds: number | undefined,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  throwIfAborted(outer)
  if (milliseconds === undefined) return await orAborted(work(outer), outer)
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => controller.abort(new ToolTimeoutError(what, milliseconds)), milliseconds)
  try {
    return await orAborted(work(controller.signal), controller.signal)
  } catch (error) {
    // A collaborator that throws the bare reason, or its own abort error, when its signal aborts.
    if (controller.signal.aborted && !(error instanceof AbortError)) throw abortReason(controller.signal)
    throw error
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', onAbort)
  }
}
