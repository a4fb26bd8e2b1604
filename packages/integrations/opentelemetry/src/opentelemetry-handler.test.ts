import { type Context, context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { AgentTool, FunctionTool, ReActAgent, StoredChatMemory } from '@x/agents'
import {
  CallbackManager,
  type CallOptions,
  ChatMessage,
  ChatResponse,
  type EmbedOptions,
  SimpleChatStore,
  TextNode,
} from '@x/core-model'
import { BaseEmbedding, ModelCallError } from '@x/llm'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { Bm25Retriever, VectorRetriever } from '@x/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OpenTelemetryHandler } from './opentelemetry-handler.ts'
import { traceCarrier, withTraceCarrier } from './trace-carrier.ts'

let exporter: InMemorySpanExporter
let provider: BasicTracerProvider
let handler: OpenTelemetryHandler
let callbackManager: CallbackManager

/** Registers the globals that an SDK registers in Node. */
function inNode(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
}

beforeEach(() => {
  exporter = new InMemorySpanExporter()
  provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  handler = new OpenTelemetryHandler({ tracer: provider.getTracer('test'), agentName: 'clerk' })
  callbackManager = new CallbackManager([handler])
})
afterEach(() => {
  context.disable()
  propagation.disable()
})

/** Returns the spans as lines, indented below their parents. */
function tree(): string[] {
  const spans = exporter.getFinishedSpans()
  const below = (id: string | undefined): string[] =>
    spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === id)
      .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
      .flatMap((span) => [span.name, ...below(span.spanContext().spanId).map((line) => `  ${line}`)])
  return below(undefined)
}

const span = (name: string): ReadableSpan => exporter.getFinishedSpans().find((one) => one.name === name)!

/** A model that reports usage and a finish reason. */
class Reporting extends ScriptedLLM {
  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    const { message } = await super.chatRequest(messages, options)
    const usage = { input_tokens: 5, output_tokens: 2, cached_input_tokens: 1, reasoning_tokens: 1, total_tokens: 7 }
    return new ChatResponse({
      message,
      raw: { model: 'm-1', id: 'r1' },
      additionalKwargs: { finish_reason: 'stop', usage },
    })
  }
}

/** An embedding model that reports four tokens for each string. */
class EmbeddingWithUsage extends BaseEmbedding {
  protected override async queryRequest(): Promise<number[]> {
    return [1]
  }
  protected override async textRequest(): Promise<number[]> {
    return [1]
  }
  protected override async textsRequest(texts: readonly string[], { onUsage }: EmbedOptions): Promise<number[][]> {
    onUsage?.(4 * texts.length)
    return texts.map(() => [1])
  }
}

const toolTurn = 'Thought: I look.\nAction: look\nAction Input: {"what": "pears"}'
const finalTurn = 'Thought: I know.\nAnswer: green'

function agent(fn: () => unknown, answers: string[] = [toolTurn, finalTurn]) {
  const look = FunctionTool.fromDefaults({
    name: 'look',
    description: 'Looks.',
    schema: { type: 'object', properties: { what: { type: 'string' } } },
    fn,
  })
  return ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [look], callbackManager })
}

describe('spans', () => {
  it('describe a model call, without its content', async () => {
    const llm = new Reporting({ answers: ['Hi.'], callbackManager })
    await llm.chat([new ChatMessage({ content: 'my secret' })], { temperature: 0.5, maxTokens: 9, stop: ['END'] })
    const { name, attributes, status } = span('chat scripted')
    expect(name).toBe('chat scripted')
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      // The conventions require a provider: without one, the class of the model.
      'gen_ai.provider.name': 'ScriptedLLM',
      'gen_ai.request.model': 'scripted',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 9,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.response.model': 'm-1',
      'gen_ai.response.id': 'r1',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 1,
      'gen_ai.usage.reasoning.output_tokens': 1,
    })
    expect(status.code).toBe(SpanStatusCode.UNSET)
  })

  it('contain messages, arguments, results and queries with captureContent', async () => {
    handler = new OpenTelemetryHandler({ tracer: provider.getTracer('test'), captureContent: true })
    callbackManager = new CallbackManager([handler])
    const calls = [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }]
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
    await new Reporting({ answers: ['Hi.'], callbackManager }).chat([
      new ChatMessage({ role: 'user', content: [{ type: 'text', text: 'Look:' }, image] }),
      new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { reasoning: 'Hm.', tool_calls: calls } }),
      new ChatMessage({ role: 'tool', content: '3', additionalKwargs: { tool_call_id: 'c' } }),
    ])
    const { attributes } = span('chat scripted')
    expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'Look:' }, { type: 'image_url' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'tool_call', id: 'c', name: 'look', arguments: '{}' },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: '3' }] },
    ])
    expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'Hi.' }], finish_reason: 'stop' },
    ])
    await agent(() => 'green ones').chat('Which?')
    expect(span('execute_tool look').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"what":"pears"}',
      'gen_ai.tool.call.result': 'green ones',
    })
    const nodes = [new TextNode({ id: 'a', text: 'A pear.' })]
    await new Bm25Retriever({ nodes, callbackManager }).retrieve('pear')
    expect(span('retrieval').attributes).toMatchObject({ 'gen_ai.retrieval.query.text': 'pear', 'x.nodes.count': 1 })
    expect(JSON.parse(String(span('retrieval').attributes['gen_ai.retrieval.documents']))).toMatchObject([{ id: 'a' }])
  })

  it('contain instructions and tools apart from the messages with captureContent', async () => {
    handler = new OpenTelemetryHandler({ tracer: provider.getTracer('test'), captureContent: true })
    callbackManager = new CallbackManager([handler])
    const parameters = { type: 'object', properties: {} }
    const tools = [{ type: 'function' as const, function: { name: 'look', description: 'Looks.', parameters } }]
    const messages = [new ChatMessage({ role: 'system', content: 'Be brief.' }), new ChatMessage({ content: 'Hi' })]
    await new ScriptedLLM({ answers: ['Hi.'], callbackManager }).chat(messages, { tools })
    const { attributes } = span('chat scripted')
    const json = (name: string) => JSON.parse(String(attributes[name]))
    expect(json('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'Be brief.' }])
    expect(json('gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }])
    expect(json('gen_ai.tool.definitions')).toEqual([
      { type: 'function', name: 'look', description: 'Looks.', parameters },
    ])
  })

  it.each([
    [{ topP: 0.9, topK: 5, seed: 7, frequencyPenalty: 1, presencePenalty: 2 }],
    [{ top_p: 0.9, top_k: 5, seed: 7, frequency_penalty: 1, presence_penalty: 2 }],
  ])('have the options of a call: %j', async (options) => {
    await new ScriptedLLM({ answers: ['Hi.'], callbackManager }).chat([], options)
    expect(span('chat scripted').attributes).toMatchObject({
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.top_k': 5,
      'gen_ai.request.seed': 7,
      'gen_ai.request.frequency_penalty': 1,
      'gen_ai.request.presence_penalty': 2,
    })
  })

  it('have the conversation of a run', async () => {
    const memory = new StoredChatMemory({ chatStore: new SimpleChatStore(), conversationId: 'ann/1' })
    const llm = new ScriptedLLM({ answers: [finalTurn], callbackManager })
    await ReActAgent.fromTools({ llm, tools: [], callbackManager }).chat('Which?', { memory })
    for (const name of ['invoke_agent clerk', 'task_step', 'chat scripted'])
      expect(span(name).attributes['gen_ai.conversation.id']).toBe('ann/1')
  })

  it('have the provider under the name of older conventions', async () => {
    handler = new OpenTelemetryHandler({ tracer: provider.getTracer('test'), conventions: '1.36' })
    await new ScriptedLLM({ answers: ['Hi.'], callbackManager: new CallbackManager([handler]) }).chat([])
    const { attributes } = span('chat scripted')
    expect(attributes['gen_ai.system']).toBe('ScriptedLLM')
    expect(attributes).not.toHaveProperty('gen_ai.provider.name')
  })

  it('describe a completion', async () => {
    await new ScriptedLLM({ answers: ['Hi.'], callbackManager }).complete('Say hi.')
    expect(span('text_completion scripted').attributes).toMatchObject({ 'gen_ai.operation.name': 'text_completion' })
  })

  it('nest a run of an agent below the span of the host, with the spans that its tools create', async () => {
    inNode()
    const tracer = provider.getTracer('host')
    const retriever = new Bm25Retriever({ nodes: [new TextNode({ text: 'A pear.' })], callbackManager })
    const fetches = async () => {
      await Promise.resolve()
      tracer.startSpan('GET').end()
      await retriever.retrieve('pear')
      return 'green'
    }
    await tracer.startActiveSpan('request', async (host) => {
      await agent(fetches).chat('Which?')
      host.end()
    })
    const lines = tree()
    expect(lines[0]).toBe('request')
    expect(lines[1]).toBe('  invoke_agent clerk')
    const tool = lines.findIndex((line) => line.endsWith('execute_tool look'))
    const indent = lines[tool]!.search(/\S/)
    expect(lines[tool + 1]).toBe(`${' '.repeat(indent + 2)}GET`)
    expect(lines[tool + 2]).toBe(`${' '.repeat(indent + 2)}retrieval`)
    expect(new Set(exporter.getFinishedSpans().map((one) => one.spanContext().traceId)).size).toBe(1)
  })

  it('nest by the ids of events if contexts are not carried through promises', async () => {
    await agent(() => 'green').chat('Which?')
    const lines = tree()
    expect(lines[0]).toBe('invoke_agent clerk')
    expect(lines.slice(1).every((line) => line.startsWith('  '))).toBe(true)
    expect(lines.some((line) => /^ {2,}execute_tool look$/.test(line))).toBe(true)
  })

  it('of agents that call each other are in one trace, each with its name', async () => {
    const managers = ['chief', 'expert'].map((name) => new CallbackManager([handler.forAgent(name)]))
    const [chief, expert] = [[toolTurn, finalTurn], [finalTurn]].map(
      (answers, at) => (tools: AgentTool[]) =>
        ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools, callbackManager: managers[at]! }),
    )
    const ask = new AgentTool({ agent: expert!([]), name: 'look', description: 'Knows.' })
    await chief!([ask]).chat('Which?')
    const lines = tree()
    expect(lines[0]).toBe('invoke_agent chief')
    const inner = lines.findIndex((line) => line.endsWith('invoke_agent expert'))
    expect(lines[inner - 1]).toBe(`${lines[inner]!.replace(/invoke.*/, '').slice(2)}execute_tool look`)
  })

  it('end when the reader leaves a stream, and when a stream fails', async () => {
    const llm = new ScriptedLLM({
      answers: [
        ['a', 'b'],
        ['c', new Error('cut')],
      ],
      callbackManager,
    })
    for await (const _ of llm.streamChat([new ChatMessage({ content: 'q' })])) break
    expect(exporter.getFinishedSpans()).toHaveLength(1)
    const read = async () => {
      for await (const _ of llm.streamChat([new ChatMessage({ content: 'q' })]));
    }
    await expect(read()).rejects.toThrow('cut')
    expect(exporter.getFinishedSpans()[1]!.status).toMatchObject({ code: SpanStatusCode.ERROR, message: 'cut' })
  })

  it('report a failed call with its code, and the spans around it as failed', async () => {
    const error = new ModelCallError('no', { kind: 'auth' })
    const llm = new ScriptedLLM({ answers: [error], callbackManager })
    await expect(ReActAgent.fromTools({ llm, tools: [], callbackManager }).chat('q')).rejects.toBe(error)
    const inner = span('chat scripted')
    const outer = span('invoke_agent clerk')
    expect(inner.attributes['error.type']).toBe('model_call')
    expect(inner.events).toMatchObject([{ name: 'exception' }])
    expect(outer.status.code).toBe(SpanStatusCode.ERROR)
    expect(outer.events).toEqual([])
    expect(outer.attributes['error.type']).toBe('model_call')
    expect(span('task_step').attributes).toMatchObject({
      'error.type': 'model_call',
      'gen_ai.operation.name': 'task_step',
    })
  })

  it('of a run that waits for a decision say so, and report no failure', async () => {
    inNode()
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}'] })
    const agent = ReActAgent.fromTools({ llm, tools: [pay], callbackManager })
    await expect(agent.chat('Pay.')).rejects.toMatchObject({ code: 'approval_required' })
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ status }) => status.code)).toEqual(spans.map(() => SpanStatusCode.UNSET))
    expect(spans.some(({ attributes }) => 'error.type' in attributes)).toBe(false)
    expect(spans.flatMap(({ events }) => events.map(({ name }) => name))).toContain('approval_required')
  })

  it('report what is thrown even if it is no error', async () => {
    const thrown = 'lost at https://host/a?key=SECRETKEY'
    await expect(callbackManager.event('chunking', null, () => Promise.reject(thrown))).rejects.toBe(thrown)
    const { events, attributes } = span('chunking')
    expect(attributes['error.type']).toBe('_OTHER')
    expect(events[0]?.attributes).toMatchObject({ 'exception.message': 'lost at https://host/a?key=[secret]' })
  })

  it('report a failed tool', async () => {
    const tool = { description: 'Looks.', fnSchema: null, fnSchemaStr: '', getName: () => 'look' }
    const start = { function_call: {}, tool, call_id: 'c1', task_id: 't1', step_id: 's1' }
    await callbackManager.event('function_call', start, (event) =>
      event.end({ function_call_response: 'Error: closed', is_error: true }),
    )
    const { status, attributes } = span('execute_tool look')
    expect(status.code).toBe(SpanStatusCode.ERROR)
    expect(attributes).toEqual({
      'error.type': 'tool_error',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.description': 'Looks.',
      'gen_ai.tool.call.id': 'c1',
      'x.task.id': 't1',
      'x.step.id': 's1',
    })
  })

  it('have the server of a model, with a port that is not that of the protocol', async () => {
    const at = (endpoint: object) => Object.assign({ model: 'm', provider: 'p' }, { endpoint })
    const chat = (endpoint: object) =>
      callbackManager.event('llm', { messages: [], additional_kwargs: {}, serialized: at(endpoint) }, () => null)
    await chat({ address: 'models.example' })
    expect(span('chat m').attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'p',
      'gen_ai.request.model': 'm',
      'server.address': 'models.example',
    })
    const serialized = { model_name: 'e', ...at({ address: '::1', port: 8080 }) }
    await callbackManager.event('embedding', { serialized }, () => null)
    expect(span('embeddings e').attributes).toEqual({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.provider.name': 'p',
      'gen_ai.request.model': 'e',
      'server.address': '::1',
      'server.port': 8080,
    })
  })

  it.each([
    ['database closed', true],
    ['Error at 17:02', true],
    ['nothing about Pears', false],
    ['order 4111 is unknown', false],
    ['number 41112 is unknown', true],
  ])('have the message of the error of a tool, %s, unless it repeats an argument', async (message, isShown) => {
    const args = { what: 'ripe pears, order 4111' }
    const error = new RangeError(message)
    const answers = [`Thought: I look.\nAction: look\nAction Input: ${JSON.stringify(args)}`, finalTurn]
    await agent(() => Promise.reject(error), answers).chat('Which?')
    const { attributes, events, status } = span('execute_tool look')
    expect(attributes['error.type']).toBe('RangeError')
    expect(status).toEqual({ code: SpanStatusCode.ERROR, ...(isShown && { message }) })
    expect(events.map(({ name }) => name)).toEqual(['exception'])
    expect(events[0]?.attributes?.['exception.type']).toBe('RangeError')
    expect(events[0]?.attributes?.['exception.message']).toBe(isShown ? message : undefined)
    expect(JSON.stringify(events)).not.toMatch(/pears|4111\b/i)

    exporter.reset()
    callbackManager = new CallbackManager([
      new OpenTelemetryHandler({ tracer: provider.getTracer('test'), captureContent: true }),
    ])
    await agent(() => Promise.reject(error), answers).chat('Which?')
    expect(span('execute_tool look').events[0]?.attributes?.['exception.message']).toBe(message)
  })

  it('describe embeddings, reranking and other events', async () => {
    const embedModel = new TableEmbedding({ texts: { pear: [1, 0] }, queries: { fruit: [1, 0] } })
    embedModel.callbackManager = callbackManager
    const retriever = await VectorRetriever.fromNodes([new TextNode({ text: 'pear' })], { embedModel, callbackManager })
    await retriever.retrieve('fruit')
    await callbackManager.event('reranking', { model_name: 'r' }, () => null)
    await callbackManager.event('chunking', null, () => null)
    await callbackManager.event('query', { query_str: 'q' }, () => null)
    const found = exporter.getFinishedSpans().map(({ name }) => name)
    expect(found.filter((name) => name.startsWith('embeddings '))).toHaveLength(2)
    const embedded = exporter.getFinishedSpans().find(({ name }) => name.startsWith('embeddings '))
    expect(embedded?.attributes).toMatchObject({ 'gen_ai.embeddings.dimension.count': 2 })
    expect(found).toContain('retrieval')
    expect(found).toContain('rerank r')
    expect(found).toContain('chunking')
    expect(found).toContain('invoke_workflow query')
  })

  it('record an error that no event has reported on the span around it', async () => {
    const fail = () => callbackManager.asTrace('query', () => Promise.reject(new Error('lost')))
    inNode()
    const tracer = provider.getTracer('host')
    await tracer.startActiveSpan('request', async (host) => {
      await expect(fail()).rejects.toThrow('lost')
      host.end()
    })
    expect(span('request').events).toMatchObject([{ name: 'exception' }])
    await expect(fail()).rejects.toThrow('lost')
  })

  it('contain no keys and passwords of addresses in errors', async () => {
    inNode()
    const error = new Error('GET https://me:pw@host/a?key=SECRETKEY failed')
    await provider.getTracer('host').startActiveSpan('request', async (host) => {
      await expect(callbackManager.asTrace('query', () => Promise.reject(error))).rejects.toBe(error)
      host.end()
    })
    const { events, status } = span('request')
    expect(JSON.stringify([events, status])).not.toMatch(/SECRETKEY|me:pw/)
    expect(status.message).toBe('GET https://host/a?key=[secret] failed')
  })

  it('are not kept in memory after their events have ended', async () => {
    const sizes: unknown = Reflect.get(handler, 'open')
    await agent(() => 'green').chat('Which?')
    expect(sizes).toEqual(new Map())
  })
})

describe('metrics', () => {
  it('count tokens and measure durations of model calls', async () => {
    const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 2 ** 30 })
    const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
    handler = new OpenTelemetryHandler({ tracer: provider.getTracer('test'), meter })
    const manager = new CallbackManager([handler])
    await new Reporting({ answers: ['Hi.'], callbackManager: manager }).chat([new ChatMessage({ content: 'q' })])
    const failing = new ScriptedLLM({ answers: [new Error('no')], callbackManager: manager })
    await expect(failing.chat([])).rejects.toThrow('no')
    await reader.forceFlush()
    const found = metricExporter.getMetrics().at(-1)!.scopeMetrics[0]!.metrics
    const points = Object.fromEntries(found.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]))
    const labels = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'scripted' }
    expect(points['gen_ai.client.operation.duration']).toMatchObject([
      { attributes: { ...labels, 'gen_ai.response.model': 'm-1' }, value: { count: 1 } },
      { attributes: { ...labels, 'error.type': 'Error' }, value: { count: 1 } },
    ])
    expect(points['gen_ai.client.token.usage']).toMatchObject([
      { attributes: { 'gen_ai.token.type': 'input' }, value: { sum: 5 } },
      { attributes: { 'gen_ai.token.type': 'output' }, value: { sum: 2 } },
    ])
    await reader.shutdown()
  })
})

/** A model whose answer is two pieces, the first after 50 and the second after another 150 milliseconds. */
class Slow extends ScriptedLLM {
  protected override async *streamChatRequest() {
    const message = new ChatMessage({ role: 'assistant', content: 'Hi' })
    for (const milliseconds of [50, 150]) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      yield new ChatResponse({ message, delta: 'Hi' })
    }
  }
}

describe('the time to the first chunk', () => {
  it('is measured for streams', async () => {
    const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 2 ** 30 })
    const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
    callbackManager = new CallbackManager([new OpenTelemetryHandler({ tracer: provider.getTracer('test'), meter })])
    const llm = new Slow({ answers: ['Hi.'], callbackManager })
    for await (const _ of llm.streamChat([])) await new Promise((resolve) => setTimeout(resolve, 100))
    // A reader that leaves after the first chunk.
    for await (const _ of llm.streamChat([])) break
    await llm.chat([])
    await reader.forceFlush()
    const [all, left, whole] = exporter.getFinishedSpans()
    const secondsOf = (one: ReadableSpan) => one.attributes['gen_ai.response.time_to_first_chunk'] as number
    for (const one of [all!, left!]) expect(secondsOf(one)).toBeGreaterThan(0.04)
    // The second chunk comes later, and the reader takes its time.
    const [seconds, nanoseconds] = all!.duration
    expect(seconds + nanoseconds / 1e9 - secondsOf(all!)).toBeGreaterThan(0.2)
    expect(whole!.attributes).not.toHaveProperty('gen_ai.response.time_to_first_chunk')
    const found = metricExporter.getMetrics().at(-1)!.scopeMetrics[0]!.metrics
    const metric = found.find(({ descriptor }) => descriptor.name === 'gen_ai.client.operation.time_to_first_chunk')!
    expect(metric).toMatchObject({
      descriptor: { unit: 's' },
      dataPoints: [{ attributes: { 'gen_ai.operation.name': 'chat' }, value: { count: 2 } }],
    })
    await reader.shutdown()
  })

  it('is absent without a chunk', async () => {
    const failing = new ScriptedLLM({ answers: [new Error('no')], callbackManager })
    const pieces = failing.streamChat([])[Symbol.asyncIterator]()
    await expect(pieces.next()).rejects.toThrow('no')
    expect(exporter.getFinishedSpans()[0]!.attributes).not.toHaveProperty('gen_ai.response.time_to_first_chunk')
  })
})

describe('metrics of the newest conventions', () => {
  it('count tokens, and measure agents and tools', async () => {
    const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 2 ** 30 })
    const meter = new MeterProvider({ readers: [reader] }).getMeter('test')
    const options = { tracer: provider.getTracer('test'), meter, agentName: 'clerk', conventions: 'genai' as const }
    callbackManager = new CallbackManager([new OpenTelemetryHandler(options)])
    await new Reporting({ answers: ['Hi.', 'Ho.'], callbackManager }).chat([])
    await new EmbeddingWithUsage({ callbackManager }).getTextEmbeddingBatch(['a', 'b'])
    for await (const _ of new Slow({ answers: [], callbackManager }).streamChat([])) break
    await agent(() => 'green').chat('Which?')
    await reader.forceFlush()
    const found = metricExporter.getMetrics().at(-1)!.scopeMetrics[0]!.metrics
    const points = Object.fromEntries(found.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]))
    expect(points['gen_ai.client.inference.usage.input_tokens']?.map(({ value }) => value)).toEqual([5])
    expect(points['gen_ai.client.embeddings.operation.input_tokens']).toMatchObject([{ value: { count: 1, sum: 8 } }])
    expect(points['gen_ai.client.inference.duration']).toMatchObject([
      { attributes: { 'gen_ai.operation.name': 'chat' }, value: { count: 1 } },
      { attributes: { 'gen_ai.operation.name': 'chat' }, value: { count: 1 } },
    ])
    const boundaries = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
    expect(points['gen_ai.client.inference.duration']).toMatchObject([{ value: { buckets: { boundaries } } }, {}])
    expect(points['gen_ai.client.embeddings.duration']).toMatchObject([
      { attributes: { 'gen_ai.operation.name': 'embeddings' }, value: { count: 1 } },
    ])
    expect(points['gen_ai.client.inference.time_to_first_chunk']).toMatchObject([{ value: { count: 1 } }])
    expect(points['gen_ai.client.inference.usage.cache_read.input_tokens']).toMatchObject([{ value: 1 }])
    expect(points['gen_ai.invoke_agent.duration']).toMatchObject([
      { attributes: { 'gen_ai.agent.name': 'clerk' }, value: { count: 1 } },
    ])
    expect(points['gen_ai.execute_tool.duration']).toMatchObject([
      { attributes: { 'gen_ai.tool.name': 'look' }, value: { count: 1 } },
    ])
    const older = ['gen_ai.client.token.usage', 'gen_ai.client.operation.duration']
    for (const name of older) expect(points).not.toHaveProperty(name)
    await reader.shutdown()
  })
})

describe('traceCarrier and withTraceCarrier', () => {
  it('continue a trace in another process', async () => {
    inNode()
    const saved = await provider.getTracer('host').startActiveSpan('request', async (host) => {
      const carrier = traceCarrier()
      host.end()
      return JSON.stringify(carrier)
    })
    expect(JSON.parse(saved)).toMatchObject({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) })
    const llm = new ScriptedLLM({ answers: ['Hi.'], callbackManager })
    const active: Context = context.active()
    await withTraceCarrier(JSON.parse(saved), () => llm.chat([new ChatMessage({ content: 'q' })]))
    expect(tree()).toEqual(['request', '  chat scripted'])
    expect(trace.getSpan(active)).toBeUndefined()
  })

  it('is empty without an active span', () => {
    inNode()
    expect(traceCarrier()).toEqual({})
    expect(withTraceCarrier({}, () => 3)).toBe(3)
  })
})

describe('OpenTelemetryHandler', () => {
  it('refuses unknown options, and works without a registered provider', async () => {
    expect(() => new OpenTelemetryHandler({ captureContents: true } as never)).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
    const manager = new CallbackManager([new OpenTelemetryHandler()])
    const llm = new ScriptedLLM({ answers: ['Hi.'], callbackManager: manager })
    expect(String(await llm.chat([new ChatMessage({ content: 'q' })]))).toBe('Hi.')
  })
})
