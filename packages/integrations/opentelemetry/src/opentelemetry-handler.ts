/**
 * @module
 * A callback handler that reports events as spans and metrics.
 */
import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type Meter,
  metrics,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { checkOptions, flag, having, type OptionTable, text } from '@x/core/options'
import {
  type CallbackHandler,
  type EventOutcome,
  type EventPayload,
  type EventType,
  withoutSecrets,
} from '@x/core-model'
import { type DescribeOptions, describeEnd, describeStart } from './describe-event.ts'
import { durationBuckets, names, tokenBuckets } from './names.ts'

/** Options of {@link OpenTelemetryHandler}. */
export interface OpenTelemetryOptions {
  /** @defaultValue the tracer `@x/opentelemetry` of the registered provider */
  tracer?: Tracer | undefined
  /** @defaultValue the meter `@x/opentelemetry` of the registered provider */
  meter?: Meter | undefined
  /** The name of the agent in spans. @defaultValue no name */
  agentName?: string | undefined
  /**
   * Whether spans contain messages, arguments and results of tools, queries and ids of documents. They may contain personal data.
   * @defaultValue false
   */
  captureContent?: boolean | undefined
}

const handlerOptions: OptionTable<OpenTelemetryOptions> = {
  tracer: having('a tracer', 'startSpan'),
  meter: having('a meter', 'createHistogram'),
  agentName: text,
  captureContent: flag,
}

/** A span that has not ended. */
interface OpenSpan {
  span: Span
  /** The context with the span in it. */
  inner: Context
  /** The span that was active when this one started. */
  host: Span | undefined
  attributes: Attributes
  started: number
}

/**
 * Reports the events of a callback manager as spans, named and described by the GenAI semantic conventions of OpenTelemetry, and the
 * duration and tokens of model calls as metrics. The work of an event runs inside the context of its span, so spans of HTTP clients and
 * databases are children of the tool or model call that made them. A span also ends when a reader leaves a stream, or the stream fails.
 * @throws {ModelValidationError} for an option that is unknown or invalid.
 * @example
 * import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
 *
 * const exporter = new InMemorySpanExporter()
 * const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
 * const handler = new OpenTelemetryHandler({ tracer: provider.getTracer('app') })
 * await new ScriptedLLM({ answers: ['Hi.'], callbackManager: new CallbackManager([handler]) }).chat('Hello')
 * exporter.getFinishedSpans().map(({ name }) => name) // => ['chat scripted']
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export class OpenTelemetryHandler implements CallbackHandler {
  private readonly tracer: Tracer
  private readonly duration: Histogram
  private readonly tokens: Histogram
  private readonly describe: DescribeOptions
  private readonly open = new Map<string, OpenSpan>()

  constructor(options: OpenTelemetryOptions = {}) {
    checkOptions('OpenTelemetryHandler', options, handlerOptions)
    const scope = '@x/opentelemetry'
    this.tracer = options.tracer ?? trace.getTracer(scope)
    const meter = options.meter ?? metrics.getMeter(scope)
    this.duration = meter.createHistogram('gen_ai.client.operation.duration', {
      unit: 's',
      description: 'Duration of a model call.',
      advice: { explicitBucketBoundaries: durationBuckets },
    })
    this.tokens = meter.createHistogram('gen_ai.client.token.usage', {
      unit: '{token}',
      description: 'Tokens of a model call.',
      advice: { explicitBucketBoundaries: tokenBuckets },
    })
    this.describe = { agentName: options.agentName, captureContent: options.captureContent ?? false }
  }

  /**
   * Returns a handler with a different agent name. Use one for each of several agents that call each other, so that they are in one trace
   * also where the platform does not carry contexts through promises.
   * @example
   * const handler = new OpenTelemetryHandler()
   * const forChief = new CallbackManager([handler.forAgent('chief')])
   * const forExpert = new CallbackManager([handler.forAgent('expert')])
   */
  forAgent(agentName: string): OpenTelemetryHandler {
    // Everything else, including the open spans, is shared with this handler.
    return Object.create(this, { describe: { value: { ...this.describe, agentName } } })
  }

  onEventStart(type: EventType, payload: EventPayload | null, eventId: string, parentId: string): void {
    const outer = this.parentContext(parentId)
    // An error that no event has reported belongs to the surrounding span.
    if (type === 'exception') {
      recordFailure(trace.getSpan(outer), payload?.['exception'])
      return
    }
    const { name, kind, attributes } = describeStart(type, payload, this.describe)
    const span = this.tracer.startSpan(name, { kind, attributes }, outer)
    const host = trace.getSpan(context.active())
    this.open.set(eventId, { span, inner: trace.setSpan(outer, span), host, attributes, started: performance.now() })
  }

  onEventEnd(type: EventType, payload: EventPayload | null, eventId: string, { failed }: EventOutcome): void {
    const entry = this.open.get(eventId)
    if (!entry) return
    this.open.delete(eventId)
    const { span } = entry
    const added = failed ? {} : describeEnd(type, payload, this.describe)
    span.setAttributes(added)
    if (failed) recordFailure(span, payload?.['exception'])
    else if (type === 'function_call' && payload?.['is_error'] === true) markFailed(span, 'tool_error')
    if (type === 'llm' || type === 'embedding')
      this.measure(entry, added, failed ? errorType(payload?.['exception']) : null)
    span.end()
  }

  runInside(eventId: string, work: () => unknown): unknown {
    const entry = this.open.get(eventId)
    return entry ? context.with(entry.inner, work) : work()
  }

  /**
   * Returns the parent context of a new span. If the platform carries contexts through promises, it is the active one, which may be
   * that of a span between two events. Otherwise the active span is the one around the parent event, or there is no active span.
   */
  private parentContext(parentId: string): Context {
    const parent = this.open.get(parentId)
    const active = trace.getSpan(context.active())
    return parent && (!active || active === parent.host) ? parent.inner : context.active()
  }

  private measure({ attributes, started }: OpenSpan, added: Attributes, error: string | null): void {
    const kept = [names.operation, names.provider, names.requestModel, names.responseModel]
    const all = { ...attributes, ...added }
    const labels: Attributes = Object.fromEntries(kept.flatMap((name) => (name in all ? [[name, all[name]]] : [])))
    const seconds = (performance.now() - started) / 1000
    this.duration.record(seconds, error === null ? labels : { ...labels, [names.errorType]: error })
    for (const [type, name] of [
      ['input', names.inputTokens],
      ['output', names.outputTokens],
    ] as const) {
      const count = added[name]
      if (typeof count === 'number') this.tokens.record(count, { ...labels, [names.tokenType]: type })
    }
  }
}

/** Marks a span as failed; the error itself is recorded by the innermost span only. */
function recordFailure(span: Span | undefined, error: unknown): void {
  if (!span) return
  if (error instanceof Error) {
    const { name, stack = '' } = error
    const message = withoutSecrets(error.message)
    span.recordException({ name, message, stack: withoutSecrets(stack) })
    markFailed(span, errorType(error), message)
    return
  }
  if (error !== undefined) span.recordException(withoutSecrets(String(error)))
  markFailed(span, errorType(error))
}

function markFailed(span: Span, type: string, message?: string): void {
  span.setAttribute(names.errorType, type)
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) })
}

/** Returns the code of an error of `@x`, or the name of any other error. */
function errorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : '_OTHER'
}
