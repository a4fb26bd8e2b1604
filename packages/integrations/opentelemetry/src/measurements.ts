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
  names.serverAddress,
  names.serverPort,
  names.requestModel,
  names.responseModel,
  names.agentName,
  names.toolName,
]

/** The counts of tokens, and their types in the histogram of all. */
const tokenCounts: readonly (readonly [attribute: string, type: 'input' | 'output' | null])[] = [
  [names.inputTokens, 'input'],
  [names.outputTokens, 'output'],
  [names.cachedTokens, null],
  [names.reasoningTokens, null],
]

/** Records durations and tokens under the names of a version of the conventions. */
export class Measurements {
  /** The durations by type of event. */
  private readonly durations: Partial<Record<EventType, Histogram>>
  private readonly firstChunks: Histogram
  private readonly recordTokens: (type: EventType, attributes: Attributes, labels: Attributes) => void

  constructor(meter: Meter, conventions: Conventions) {
    const isNewest = conventions === 'genai'
    const seconds = (name: string) =>
      meter.createHistogram(name, { unit: 's', advice: { explicitBucketBoundaries: durationBuckets } })
    const calls = isNewest ? 'gen_ai.client.inference' : 'gen_ai.client.operation'
    const llm = seconds(`${calls}.duration`)
    this.firstChunks = seconds(`${calls}.time_to_first_chunk`)
    this.durations = { llm, embedding: llm }
    if (isNewest) {
      const agents = seconds('gen_ai.invoke_agent.duration')
      const embedding = seconds('gen_ai.client.embeddings.duration')
      const function_call = seconds('gen_ai.execute_tool.duration')
      this.durations = { llm, embedding, agent_step: agents, query: agents, function_call }
    }
    this.recordTokens = isNewest ? counted(meter) : distributed(meter)
  }

  record(type: EventType, attributes: Attributes, { seconds, error }: { seconds: number; error: string | null }): void {
    const labels: Attributes = {}
    for (const name of labelNames) if (attributes[name] !== undefined) labels[name] = attributes[name]
    this.durations[type]?.record(seconds, error === null ? labels : { ...labels, [names.errorType]: error })
    const first = attributes[names.timeToFirstChunk]
    if (typeof first === 'number') this.firstChunks.record(first, labels)
    if (type === 'llm' || type === 'embedding') this.recordTokens(type, attributes, labels)
  }
}

function tokenHistogram(meter: Meter, name: string): Histogram {
  return meter.createHistogram(name, { unit: '{token}', advice: { explicitBucketBoundaries: tokenBuckets } })
}

/** The tokens of model calls as counters, and those of embeddings as a histogram. */
function counted(meter: Meter) {
  const embedded = tokenHistogram(meter, 'gen_ai.client.embeddings.operation.input_tokens')
  const counters = new Map<string, Counter>()
  for (const [attribute] of tokenCounts) {
    const name = attribute.replace('gen_ai', 'gen_ai.client.inference')
    counters.set(attribute, meter.createCounter(name, { unit: '{token}' }))
  }
  return (type: EventType, attributes: Attributes, labels: Attributes) => {
    for (const [attribute, counter] of counters) {
      const count = attributes[attribute]
      if (typeof count !== 'number') continue
      if (type === 'llm') counter.add(count, labels)
      else embedded.record(count, labels)
    }
  }
}

/** The tokens of a call as a histogram. */
function distributed(meter: Meter) {
  const tokens = tokenHistogram(meter, 'gen_ai.client.token.usage')
  return (_: EventType, attributes: Attributes, labels: Attributes) => {
    for (const [attribute, type] of tokenCounts) {
      const count = attributes[attribute]
      if (type && typeof count === 'number') tokens.record(count, { ...labels, [names.tokenType]: type })
    }
  }
}
