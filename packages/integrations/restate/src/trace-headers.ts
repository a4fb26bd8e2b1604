/**
 * @module
 * The trace context for the invocations of a run.
 */

/** The headers of the W3C trace context and of baggage. */
const NAMES = /^(traceparent|tracestate|baggage)$/

/** Returns the headers to pass on. */
export function traceHeaders(headers: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => NAMES.test(name)))
}
