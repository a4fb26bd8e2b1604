/**
 * @module
 * Ends invocations with the right kind of error.
 */
import { isRetryable, terminalError } from './errors.ts'
import type { RestateSdk } from './restate-sdk.ts'

/**
 * Runs a handler. An error ends the invocation and is returned to the caller.
 * @param isRepeated - whether the engine repeats an invocation whose error is `retryable`, for handlers with effects.
 */
export async function settle<T>(restate: RestateSdk, work: () => Promise<T>, isRepeated = false): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isRepeated && isRetryable(error) ? error : terminalError(restate, error)
  }
}
