/**
 * @module
 * How invocations end.
 */
import { isRetryable, terminalError } from './errors.ts'
import type { RestateSdk } from './restate-sdk.ts'

/** Runs a handler that works. What it throws ends the invocation, unless the error is `retryable`: then the engine repeats it. */
export async function settle<T>(restate: RestateSdk, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isRetryable(error) ? error : terminalError(restate, error)
  }
}

/** Runs a handler that answers a question. What it throws is the answer. */
export async function reply<T>(restate: RestateSdk, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw terminalError(restate, error)
  }
}
