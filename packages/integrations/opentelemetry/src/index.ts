/**
 * @module
 * Spans and metrics by the GenAI semantic conventions of OpenTelemetry.
 */
export { OpenTelemetryHandler } from './opentelemetry-handler.ts'
export { traceCarrier, withTraceCarrier } from './trace-carrier.ts'
