/**
 * @module
 * Cancelling, time limits, concurrency and repetition. Entry `@x/core-model/async`.
 */
export {
  anySignal,
  interruptible,
  isPromise,
  mapInTurns,
  pause,
  raceAbort,
  relay,
  startTimer,
  streamOf,
  turns,
  untilAborted,
  untilLeft,
  withDeadline,
} from './abort.ts'
export { Channel, EarlyEnd, EventFlow, type Receive, reportsOf } from './channel.ts'
export { mapConcurrently } from './map-concurrently.ts'
export { RetryPolicy, repeatOptions } from './retry-policy.ts'
