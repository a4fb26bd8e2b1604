/**
 * @module
 * Decides whether to repeat failed work, and waits before it.
 */

import { isToolkitError } from '@x/core'
import { callback, checkOptions, milliseconds, type OptionTable, wholeNumber } from '@x/core/options'
import { pause } from './abort.ts'

/** One repetition. */
export interface RetryAttempt {
  /** The number of the attempt that failed; the first one is 1. */
  attempt: number
  /** The error of the attempt. */
  error: unknown
  /** The wait before the next attempt, in milliseconds. */
  delayMs: number
}

/** Options for repeating failed work. */
export interface RepeatOptions {
  /** Maximum number of attempts, including the first; at least 1. @defaultValue 3 */
  maxAttempts?: number | undefined
  /**
   * The maximum delay before the first repetition, in milliseconds. It doubles with each failure for which the provider sends no
   * `retryAfterMs`.
   * @defaultValue 500
   */
  baseDelayMs?: number | undefined
  /** The maximum delay, in milliseconds. If a provider requires a longer delay, the error is thrown at once. @defaultValue 60000 */
  maxDelayMs?: number | undefined
  /** Whether a failed attempt is repeated. @defaultValue true for errors of the `@x` packages that are `retryable` */
  shouldRetry?: ((error: unknown) => boolean | Promise<boolean>) | undefined
  /** Called before each wait. */
  onRetry?: ((attempt: RetryAttempt) => void) | undefined
  /** A number from 0 up to 1, for the jitter. @defaultValue Math.random */
  random?: (() => number) | undefined
  /** Waits. Must reject when the signal aborts. @defaultValue a timer */
  sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
}

/** Whether an error is marked as `retryable`: the same operation may succeed later. */
export function isRetryable(error: unknown): boolean {
  return isToolkitError(error) && error.retryable
}

/** The checks of {@link RepeatOptions}. */
export const repeatOptions: OptionTable<RepeatOptions> = {
  maxAttempts: /* @__PURE__ */ wholeNumber(1, 'or infinity'),
  baseDelayMs: /* @__PURE__ */ milliseconds(),
  maxDelayMs: /* @__PURE__ */ milliseconds(0, 'or infinity'),
  shouldRetry: callback,
  onRetry: callback,
  random: callback,
  sleep: callback,
}

/** Checked {@link RepeatOptions} with their defaults. */
export class RetryPolicy {
  readonly #options: Required<Omit<RepeatOptions, 'onRetry'>> & Pick<RepeatOptions, 'onRetry'>

  /**
   * @param table - the options that `options` may contain.
   * @throws {ModelValidationError} if an option is unknown or out of range; the message starts with `where`.
   */
  constructor(where: string, options: RepeatOptions, table: OptionTable<RepeatOptions> = repeatOptions) {
    checkOptions(where, options, table)
    this.#options = {
      maxAttempts: options.maxAttempts ?? 3,
      baseDelayMs: options.baseDelayMs ?? 500,
      maxDelayMs: options.maxDelayMs ?? 60_000,
      shouldRetry: options.shouldRetry ?? isRetryable,
      random: options.random ?? Math.random,
      sleep: options.sleep ?? pause,
      onRetry: options.onRetry,
    }
  }

  /** Returns the result of `work`, repeated while its errors allow it. */
  async repeat<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const wait = this.waits(signal)
    for (;;) {
      try {
        return await work()
      } catch (error) {
        await wait(error)
      }
    }
  }

  /**
   * Returns a function to call after each failure of the same work. It waits before the next attempt, or throws the error if no attempt is
   * left. It rejects with the signal's reason if the signal aborts.
   * @param notify - called before each wait, like `onRetry`.
   */
  waits(signal: AbortSignal | undefined, notify?: (attempt: RetryAttempt) => void): (error: unknown) => Promise<void> {
    const { maxAttempts, baseDelayMs, maxDelayMs, shouldRetry, random, sleep, onRetry } = this.#options
    let attempt = 0
    let limit = baseDelayMs
    return async (error) => {
      attempt++
      if (signal?.aborted || attempt >= maxAttempts || !(await shouldRetry(error))) throw error
      const asked = askedDelay(error)
      if (asked > maxDelayMs) throw error
      // The random part prevents that callers which failed together retry together.
      const delayMs = Math.min(maxDelayMs, asked > 0 ? asked * (1 + random() / 10) : limit * (0.5 + random() / 2))
      if (asked === 0) limit *= 2
      for (const call of [onRetry, notify]) call?.({ attempt, error, delayMs })
      await sleep(delayMs, signal)
    }
  }
}

/** Returns the delay that a provider requires in an error or one of its causes; otherwise 0. */
function askedDelay(error: unknown): number {
  if (isToolkitError(error) && 'retryAfterMs' in error) return Number(error.retryAfterMs ?? 0)
  return error instanceof Error ? askedDelay(error.cause) : 0
}
