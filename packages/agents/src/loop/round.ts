/**
 * @module
 * The part of a running step that durable calls need.
 */
import type { StepOptions } from './agent-worker.ts'

/** A running step. */
export interface Round {
  readonly context: StepOptions
  /** The number of the step in its task. */
  readonly stepNumber: number
}
