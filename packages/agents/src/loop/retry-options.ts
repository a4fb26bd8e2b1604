/**
 * @module
 * The checks of the options for repeating calls of the model.
 */
import type { RepeatOptions } from '@x/core-model'
import { anything, callback, type OptionTable } from '../options.ts'

/** The names of {@link RepeatOptions}. The policy checks the numbers. */
export const RETRY_OPTIONS: OptionTable<RepeatOptions> = {
  maxAttempts: anything,
  baseDelayMs: anything,
  maxDelayMs: anything,
  shouldRetry: callback,
  onRetry: callback,
  random: callback,
  sleep: callback,
}
