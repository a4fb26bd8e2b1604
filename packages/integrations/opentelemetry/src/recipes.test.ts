import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { FunctionTool, ReActAgent, StoredChatMemory } from '@x/agents'
import { CallbackManager, SimpleChatStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { json, LoopbackServer } from '../../../../tools/loopback-model-server.ts'
import { OpenTelemetryHandler } from './opentelemetry-handler.ts'

let backend: LoopbackServer
let address: string
beforeEach(async () => {
  backend = new LoopbackServer().willAnswer(json({}), json({}))
  address = new URL(await backend.start()).origin
})
afterEach(() => backend.stop())

type OtlpValue = { stringValue?: string; intValue?: number; doubleValue?: number; arrayValue?: unknown }
interface OtlpSpan {
  name: string
  parentSpanId?: string
  status: { code: number }
  attributes: { key: string; value: OtlpValue }[]
}

/** Runs an agent whose spans go to this exporter, and returns what the backend received. */
async function exported(exporter: OTLPTraceExporter): Promise<Record<string, Record<string, unknown>>> {
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  const tracer = provider.getTracer('app')
  const handler = new OpenTelemetryHandler({ tracer, agentName: 'clerk', captureContent: true })
  const callbackManager = new CallbackManager([handler])
  const fails = FunctionTool.fromDefaults({
    name: 'look',
    schema: { type: 'object', properties: {} },
    fn: () => {
      throw new TypeError('closed')
    },
  })
  const llm = new ScriptedLLM({
    answers: ['Thought: I look.\nAction: look\nAction Input: {}', 'Thought: I know.\nAnswer: green'],
    callbackManager,
  })
  const memory = new StoredChatMemory({ chatStore: new SimpleChatStore(), conversationId: 'ann/1' })
  await ReActAgent.fromTools({ llm, tools: [fails], callbackManager }).chat('Which?', { memory })
  await provider.shutdown()
  const { resourceSpans } = backend.requests[0]!.body as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  return Object.fromEntries(
    spans.map(({ name, attributes }) => [
      name,
      Object.fromEntries(
        attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? value]),
      ),
    ]),
  )
}

const expectedSpans = {
  'invoke_agent clerk': {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'clerk',
    'gen_ai.conversation.id': 'ann/1',
  },
  'chat scripted': {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'ScriptedLLM',
    'gen_ai.request.model': 'scripted',
    'gen_ai.conversation.id': 'ann/1',
    'gen_ai.input.messages': expect.stringContaining('Which?'),
    'gen_ai.output.messages': expect.stringContaining('green'),
  },
  'execute_tool look': {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'look',
    'gen_ai.conversation.id': 'ann/1',
    'error.type': 'TypeError',
  },
}

describe('what a backend receives', () => {
  it('at Langfuse, which authorizes by a pair of keys', async () => {
    const [publicKey, secretKey] = ['pk-lf-1', 'sk-lf-2']
    const exporter = new OTLPTraceExporter({
      url: `${address}/api/public/otel/v1/traces`,
      headers: { Authorization: `Basic ${btoa(`${publicKey}:${secretKey}`)}` },
    })
    expect(await exported(exporter)).toMatchObject(expectedSpans)
    const { url, headers } = backend.requests[0]!
    expect(url).toBe('/api/public/otel/v1/traces')
    expect(headers.authorization).toBe('Basic cGstbGYtMTpzay1sZi0y')
  })

  it('at Phoenix, which authorizes by one key', async () => {
    const exporter = new OTLPTraceExporter({
      url: `${address}/v1/traces`,
      headers: { Authorization: 'Bearer px-1' },
    })
    expect(await exported(exporter)).toMatchObject(expectedSpans)
    const { url, headers } = backend.requests[0]!
    expect(url).toBe('/v1/traces')
    expect(headers.authorization).toBe('Bearer px-1')
  })
})
