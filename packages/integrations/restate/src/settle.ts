/**
 * @module
 * Ends invocations with the right kind of error.
 */
import { isRetryable, terminalError } from './errors.ts'
import type { RestateSdk } from './restate-sdk.ts'

/** Runs a handler with effects. An error ends the invocation; if it is `retryable`, the engine repeats the invocation. */
export async function settle<T>(restate: RestateSdk, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isRetryable(error) ? error : terminalError(restate, error)
  }
}

/** Runs a handler that only reads. Every error is returned to the caller and never repeated. */
export async function reply<T>(restate: RestateSdk, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw terminalError(restate, error)
  }
}
