/**
 * @module
 * The error of a replay.
 */
import { ToolkitError } from '@x/core-model'

/** Thrown when a replayed run differs from its recording. Record the run again if the change is intended. */
export class ReplayMismatchError extends ToolkitError {
  /** Always true: the failure is never reported to a model as the failure of a tool. */
  readonly fatal = true

  constructor(message: string) {
    super('ReplayMismatchError', 'replay_mismatch', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    replay_mismatch: ReplayMismatchError
  }
}
