/**
 * @module
 * The errors of runs. Restate keeps the message, a number and metadata of an error, so the code travels in the metadata.
 */
import { isToolkitError, ToolkitError } from '@x/core-model'
import { failureError, taskFailure } from '@x/durable'
import type { RestateSdk } from './restate-sdk.ts'

/** Thrown when a call failed as often as `retry` allows. The message is that of the last failure. */
export class RetriesExhaustedError extends ToolkitError {
  constructor(message: string) {
    super('RetriesExhaustedError', 'retries_exhausted', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    retries_exhausted: RetriesExhaustedError
  }
}

/** HTTP statuses for callers; other errors are 500. */
const STATUS: Readonly<Record<string, number>> = {
  approval: 409,
  configuration: 400,
  guard_blocked: 422,
  run_changed: 409,
  tool_input: 400,
}

/** Whether the engine repeats what failed. */
export function isRetryable(error: unknown): boolean {
  return isToolkitError(error) && error.retryable
}

/** Returns the error that ends an invocation, with the code and the name in its metadata. */
function terminalError({ TerminalError }: Pick<RestateSdk, 'TerminalError'>, error: unknown): Error {
  if (error instanceof TerminalError) return error
  const { message, ...metadata } = taskFailure(error)
  return new TerminalError(message, { errorCode: STATUS[metadata.code] ?? 500, metadata })
}

/** Returns the error that makes the engine repeat what failed, or end it. */
export function engineError(restate: Pick<RestateSdk, 'RetryableError' | 'TerminalError'>, error: unknown): unknown {
  if (!isRetryable(error)) return terminalError(restate, error)
  const { retryAfterMs } = error as { retryAfterMs?: number | null }
  return typeof retryAfterMs === 'number' ? restate.RetryableError.from(error, { retryAfter: retryAfterMs }) : error
}

/**
 * Returns the original error of a terminal error. It is never reported to a model as the failure of a tool: none of this execution caused
 * it.
 */
export function earlierError(error: { message: string; metadata?: Readonly<Record<string, string>> }): ToolkitError {
  const { message, metadata: { code, name = 'Error', causes } = {} } = error
  if (code === undefined) return new RetriesExhaustedError(message)
  return Object.assign(failureError({ name, code, message, causes }, { cause: error }), { fatal: true })
}

/**
 * Returns a function that makes the handlers of a service. An error ends the invocation and is returned to the caller. With `engineError`,
 * for handlers with effects, the engine repeats an invocation whose error is `retryable`.
 */
export function handlersOf<Options extends { restate: RestateSdk }>(options: Options) {
  return <Ctx, Input, Output>(
    work: (ctx: Ctx, options: Options, input: Input) => Promise<Output>,
    toError: (restate: RestateSdk, error: unknown) => unknown = terminalError,
  ): ((ctx: Ctx, input: Input) => Promise<Output>) =>
    async (ctx, input) => {
      try {
        return await work(ctx, options, input)
      } catch (error) {
        throw toError(options.restate, error)
      }
    }
}
