/**
 * @module
 * The handlers of a service, which end invocations with the right kind of error.
 */
import { terminalError } from './errors.ts'
import type { RestateSdk } from './restate-sdk.ts'

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
