/**
 * @module
 * One trace over several processes.
 */

import { context, propagation } from '@opentelemetry/api'
import { callback, checkGiven } from '@x/core/options'

/**
 * Returns the active trace context as strings, in the form of the registered propagator (`traceparent` by default). Save it with the
 * task, and continue the trace elsewhere with {@link withTraceCarrier}. Empty without an active span.
 */
export function traceCarrier(): Record<string, string> {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier
}

/**
 * Runs work inside the trace of a carrier, and returns its result.
 * @param carrier - the result of {@link traceCarrier}, in this process or another.
 */
export function withTraceCarrier<T>(carrier: Readonly<Record<string, string>>, work: () => T): T {
  checkGiven('withTraceCarrier', { work }, callback)
  return context.with(propagation.extract(context.active(), carrier), work)
}
