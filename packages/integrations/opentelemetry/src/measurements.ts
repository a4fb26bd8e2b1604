/**
 * @module
 * The metrics of model calls, agents and tools.
 */
import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import type { EventType } from '@x/core-model'
import { type Conventions, durationBuckets, names, tokenBuckets } from './names.ts'

/** The attributes of a metric. */
const labelNames: readonly string[] = [
  names.operation,
  names.provider,
  'gen_ai.system',
  names.requestModel,
  names.responseModel,
  names.agentName,
  names.toolName,
]

/** The counts of tokens, and their counters. */
const tokenCounts: readonly (readonly [attribute: string, type: 'input' | 'output' | null, counter: string])[] = [
  [names.inputTokens, 'input', 'gen_ai.client.inference.usage.input_tokens'],
  [names.outputTokens, 'output', 'gen_ai.client.inference.usage.output_tokens'],
  [names.cachedTokens, null, 'gen_ai.client.inference.usage.cache_read.input_tokens'],
  [names.reasoningTokens, null, 'gen_ai.client.inference.usage.reasoning.output_tokens'],
]

/** Records durations and tokens under the names of a version of the conventions. */
export class Measurements {
  /** The durations by type of event. */
  private readonly durations: Partial<Record<EventType, Histogram>>
  private readonly firstChunks: Histogram
  private readonly recordTokens: (attributes: Attributes, labels: Attributes) => void

  constructor(meter: Meter, conventions: Conventions) {
    const duration = (name: string, description: string) =>
      meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries: durationBuckets } })
    const calls = duration('gen_ai.client.operation.duration', 'Duration of a call')
    this.durations = { llm: calls, embedding: calls }
    this.firstChunks = duration('gen_ai.client.operation.time_to_first_chunk', 'Time to the first chunk of a stream')
    if (conventions === 'genai') {
      const agents = duration('gen_ai.invoke_agent.duration', 'Duration of a run')
      this.durations.agent_step = this.durations.query = agents
      this.durations.function_call = duration('gen_ai.execute_tool.duration', 'Duration of a call')
    }
    this.recordTokens = conventions === 'genai' ? counted(meter) : distributed(meter)
  }

  record(type: EventType, attributes: Attributes, { seconds, error }: { seconds: number; error: string | null }): void {
    const labels: Attributes = {}
    for (const name of labelNames) if (attributes[name] !== undefined) labels[name] = attributes[name]
    this.durations[type]?.record(seconds, error === null ? labels : { ...labels, [names.errorType]: error })
    const first = attributes[names.timeToFirstChunk]
    if (typeof first === 'number') this.firstChunks.record(first, labels)
    if (type === 'llm' || type === 'embedding') this.recordTokens(attributes, labels)
  }
}

/** The tokens of a call as counters. */
function counted(meter: Meter) {
  const counters = new Map<string, Counter>()
  for (const [attribute, , name] of tokenCounts) counters.set(attribute, meter.createCounter(name, { unit: '{token}' }))
  return (attributes: Attributes, labels: Attributes) => {
    for (const [attribute, counter] of counters) {
      const count = attributes[attribute]
      if (typeof count === 'number') counter.add(count, labels)
    }
  }
}

/** The tokens of a call as a histogram. */
function distributed(meter: Meter) {
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens of a call',
    advice: { explicitBucketBoundaries: tokenBuckets },
  })
  return (attributes: Attributes, labels: Attributes) => {
    for (const [attribute, type] of tokenCounts) {
      const count = attributes[attribute]
      if (type && typeof count === 'number') tokens.record(count, { ...labels, [names.tokenType]: type })
    }
  }
}
