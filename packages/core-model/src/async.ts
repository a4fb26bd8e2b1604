/**
 * @module
 * Cancelling, time limits, concurrency and repetition. Entry `@x/core-model/async`.
 */
export {
  anySignal,
  isPromise,
  mapInTurns,
  pause,
  raceAbort,
  startTimer,
  turns,
  untilAborted,
  withDeadline,
} from './abort.ts'
export { Channel, reportsOf } from './channel.ts'
export { EarlyEnd, EventFlow, type Receive } from './event-flow.ts'
export { interruptible, relay, streamOf, untilLeft } from './interruptible.ts'
export { mapConcurrently } from './map-concurrently.ts'
export { RetryPolicy, repeatOptions } from './retry-policy.ts'
