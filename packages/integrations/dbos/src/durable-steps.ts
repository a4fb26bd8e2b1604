/**
 * @module
 * Calls of an agent as steps of a DBOS workflow.
 */

import { callback, checkOptions, type OptionTable, required, unchecked } from '@x/core/options'
import { type Durable, type Json, type RepeatOptions, readJsonText, writeJsonText } from '@x/core-model'
import { RetryPolicy } from '@x/core-model/async'
import type { DbosRuntime } from './dbos-types.ts'
import { readableError } from './errors.ts'
import type { EventWriter } from './event-writer.ts'

/** The options of {@link durableSteps}. */
interface DurableStepsOptions {
  dbos: DbosRuntime
  /** How calls with a `retryable` error are repeated. */
  retry?: RepeatOptions | undefined
  /** Receives the reason when the workflow is cancelled while a call runs. */
  cancelled?: ((reason: unknown) => void) | undefined
  /** Writes the events of the calls. @defaultValue none @internal */
  events?: EventWriter | undefined
}

const OPTIONS: OptionTable<DurableStepsOptions> = {
  dbos: required((value) => (value === undefined ? 'DBOS' : undefined)),
  // Checked by the policy.
  retry: unchecked,
  cancelled: callback,
  events: unchecked,
}

/**
 * Returns the port through which an agent calls models and tools within a workflow: every call is a step of the workflow. Calls that run
 * at the same time deliver their results in the order in which they began, one after the other, so that the calls that follow have the
 * same order when the workflow runs again. DBOS identifies steps by their order.
 *
 * Results are recorded as JSON, with integers of any size, in a string: DBOS needs much longer to write nested values.
 *
 * An error that is `retryable` is repeated within the step, after the time that a provider asks for. All others are recorded, and thrown
 * again by a workflow that runs again: with their code and data, but not as their class.
 * @throws {ModelValidationError} if an option is unknown, invalid or missing.
 */
export function durableSteps(options: DurableStepsOptions): Durable {
  checkOptions('durableSteps', options, OPTIONS)
  const { dbos, retry, cancelled, events } = options
  const policy = new RetryPolicy('durableSteps', retry ?? {})
  /** The delivery of the call before, while it is outstanding. */
  let last: Promise<unknown> | undefined
  return <T extends Json>(name: string, fn: () => Promise<T>): Promise<T> => {
    // Calls within a step are not recorded: the outer call is repeated as a whole.
    if (dbos.isInStep()) return fn()
    const call = events?.begin(name)
    // Set if the call runs in this execution.
    let made: { value: T } | undefined
    const attempt = async () => {
      // A signal of this step alone: nothing is left when the step is over.
      const signal = dbos.stepStatus?.cancelSignal
      signal?.addEventListener('abort', () => cancelled?.(signal.reason))
      try {
        const value = await policy.repeat(() => {
          call?.open()
          return fn()
        }, signal)
        made = { value }
        return writeJsonText(value)
      } finally {
        await call?.close()
      }
    }
    const running = dbos.runStep(attempt, { name })
    // The calls that follow the one before begin first. If that is delivered, the question of this step to the database was wait enough.
    const turn = last ? Promise.allSettled([last.then(macrotask, macrotask), running]).then(() => running) : running
    const delivery = turn.then(
      (recorded) => (made ? made.value : (readJsonText(recorded) as T)),
      (error: unknown) => {
        throw fatal(readableError(error))
      },
    )
    const delivered = () => {
      if (last === delivery) last = undefined
    }
    last = delivery
    delivery.then(delivered, delivered)
    return delivery
  }
}

/** Resolves in a later turn of the event loop, when all code that is ready to run has run. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** Ends all runs that contain the call: a failure of the journal is not a failure of a tool. */
function fatal(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || 'fatal' in error) return error
  return Object.defineProperty(error, 'fatal', { value: true, configurable: true })
}
