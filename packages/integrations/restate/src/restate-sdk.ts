/**
 * @module
 * The part of the Restate SDK that this package uses. It is an argument, so that the same code works with all entries of the SDK (`.`,
 * `/node`, `/fetch`, `/lambda`), and the errors are of the classes that the endpoint recognizes.
 */
import type * as Restate from '@restatedev/restate-sdk'

/** The module `@restatedev/restate-sdk`, or one of its entries `/node`, `/fetch` and `/lambda`. */
export type RestateSdk = Pick<
  typeof Restate,
  | 'CancelledError'
  | 'handlers'
  | 'object'
  | 'RestatePromise'
  | 'RetryableError'
  | 'rpc'
  | 'serde'
  | 'TerminalError'
  | 'workflow'
>

/** How retryable failures are repeated. */
export type RestateRetryOptions = Omit<Restate.RunOptions<unknown>, 'serde'>
