/**
 * @module
 * A callback handler that reports events as spans and metrics.
 */
import {
  type Attributes,
  type Context,
  context,
  type Meter,
  metrics,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { checkOptions, choice, flag, having, type OptionTable, text } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import {
  type CallbackHandler,
  type EventOutcome,
  type EventPayload,
  type EventType,
  withoutSecrets,
} from '@x/core-model'
import { type DescribeOptions, describeEnd, describeStart } from './describe-event.ts'
import { Measurements } from './measurements.ts'
import { type Conventions, names } from './names.ts'

/** Options of {@link OpenTelemetryHandler}. */
interface OpenTelemetryOptions {
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
  /**
   * The version of the conventions, because their names still change: `1.36` for backends that read `gen_ai.system`, `1.41`, or `genai` for
   * those of the separate repository, with counters of tokens and durations of agents and tools. @defaultValue '1.41'
   */
  conventions?: Conventions | undefined
}

const handlerOptions: OptionTable<OpenTelemetryOptions> = {
  tracer: having('a tracer', 'startSpan'),
  meter: having('a meter', 'createHistogram'),
  agentName: text,
  captureContent: flag,
  conventions: choice('1.36', '1.41', 'genai'),
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
  parentId: string
  /** The arguments of a tool, whose words the message of its error must not repeat. Undefined if content is recorded. */
  hidden: unknown
  /** The type of the error of an event inside, for a failure that was reported there. */
  innerError: string | null
}

/**
 * Reports the events of a callback manager as spans, named and described by the GenAI semantic conventions of OpenTelemetry, and the
 * duration and tokens of model calls as metrics. The work of an event runs inside the context of its span, so spans of HTTP clients and
 * databases are children of the tool or model call that made them. A span also ends when the consumer stops reading a stream, or the stream
 * fails.
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
  private readonly measurements: Measurements
  private readonly describe: DescribeOptions
  private readonly open = new Map<string, OpenSpan>()

  constructor(options: OpenTelemetryOptions = {}) {
    checkOptions('OpenTelemetryHandler', options, handlerOptions)
    const scope = '@x/opentelemetry'
    this.tracer = options.tracer ?? trace.getTracer(scope)
    const meter = options.meter ?? metrics.getMeter(scope)
    const { agentName, captureContent = false, conventions = '1.41' } = options
    this.measurements = new Measurements(meter, conventions)
    this.describe = { agentName, captureContent, conventions }
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
      const exception = payload?.['exception']
      if (errorType(exception) !== WAITS) recordFailure(trace.getSpan(outer), exception)
      return
    }
    const { name, kind, attributes } = describeStart(type, payload, this.describe)
    // Backends group model calls and tools by the conversation too.
    const conversation = this.open.get(parentId)?.attributes[names.conversationId]
    if (conversation !== undefined) attributes[names.conversationId] ??= conversation
    const span = this.tracer.startSpan(name, { kind, attributes }, outer)
    const host = trace.getSpan(context.active())
    const inner = trace.setSpan(outer, span)
    const hidden = this.describe.captureContent ? undefined : payload?.['function_call']
    const started = performance.now()
    this.open.set(eventId, { span, inner, host, attributes, parentId, hidden, innerError: null, started })
  }

  onEventEnd(type: EventType, payload: EventPayload | null, eventId: string, outcome: EventOutcome): void {
    const { failed, error: cause, timeToFirstChunk: first } = outcome
    const entry = this.open.get(eventId)
    if (!entry) return
    this.open.delete(eventId)
    const { span, started, attributes, hidden } = entry
    const added = failed ? {} : describeEnd(type, payload, this.describe)
    if (first !== undefined) added[names.timeToFirstChunk] = first
    span.setAttributes(added)
    const error = failed ? this.failure(entry, payload?.['exception']) : null
    if (!failed && type === 'function_call' && payload?.['is_error'] === true) {
      if (cause === undefined) markFailed(span, 'tool_error')
      else recordFailure(span, cause, hidden)
    }
    this.measurements.record(
      type,
      { ...attributes, ...added },
      { seconds: (performance.now() - started) / 1000, error },
    )
    span.end()
  }

  /**
   * Marks a span as failed, and returns the type of its error. The error itself is recorded by the innermost span; those around it have its
   * type. A run that waits for a decision has not failed: null.
   */
  private failure({ span, innerError, parentId, hidden }: OpenSpan, exception: unknown): string | null {
    const error = exception === undefined && innerError !== null ? innerError : errorType(exception)
    const outer = this.open.get(parentId)
    if (outer) outer.innerError = error
    if (error === WAITS) {
      span.addEvent(WAITS)
      return null
    }
    if (exception === undefined) markFailed(span, error)
    else recordFailure(span, exception, hidden)
    return error
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
}

/** The code of the error with which a run ends that waits for a decision. */
const WAITS = 'approval_required'

/** Marks a span as failed, and records its error: without message and stack if the message repeats a word of `hidden`. */
function recordFailure(span: Span | undefined, error: unknown, hidden?: unknown): void {
  if (!span) return
  if (repeats(errorMessage(error), hidden)) {
    span.recordException({ name: error instanceof Error ? error.name : typeof error })
    markFailed(span, errorType(error))
    return
  }
  if (error instanceof Error) {
    const { name, stack = '' } = error
    const message = withoutSecrets(error.message)
    span.recordException({ name, message, stack: withoutSecrets(stack) })
    markFailed(span, errorType(error), message)
    return
  }
  span.recordException(withoutSecrets(String(error)))
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

/** Whether a string contains a word of the strings and numbers in a value. */
function repeats(text: string, value: unknown): boolean {
  const hidden = new Set(valuesOf(value).flatMap(wordsOf))
  return wordsOf(text).some((word) => hidden.has(word))
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the strings and numbers in a value, as strings. */
function valuesOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : []
}
