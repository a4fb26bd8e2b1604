import { inspect } from 'node:util'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, InvalidPromptError, LoadAPIKeyError } from '@ai-sdk/provider'
import {
  ChatMessage,
  type ChatResponse,
  deltasOf,
  finishReasonOf,
  type MessageContent,
  reasoningOf,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { MockLanguageModelV3 } from 'ai-v6/test'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, chunk, eventText, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { loneSurrogates, uncleanMessages, uncleanOptions } from '../../openai/test/lone-surrogates.ts'
import { AiSdkLLM } from './ai-sdk-llm.ts'
import type { AiSdkLanguageModel, AiSdkPart } from './model-types.ts'

const question = [new ChatMessage({ content: 'How much is 1 + 2?' })]
const usage = {
  inputTokens: { total: 9, noCache: 6, cacheRead: 3, cacheWrite: 0 },
  outputTokens: { total: 4, text: 3, reasoning: 1 },
}
const signature = { anthropic: { signature: 'sig' } }

type Content = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>['content']
type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const answering = (content: Content, unified: 'stop' | 'length' | 'tool-calls' | 'content-filter' = 'stop') =>
  new MockLanguageModelV4({
    provider: 'mock',
    modelId: 'm',
    doGenerate: { content, finishReason: { unified, raw: undefined }, usage, warnings: [] },
  })
const streaming = (chunks: StreamPart[]) =>
  new MockLanguageModelV4({ doStream: { stream: simulateReadableStream({ chunks }) } })
const finish: StreamPart = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }

async function collect(stream: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const found: ChatResponse[] = []
  for await (const piece of stream) found.push(piece)
  return found
}

describe('AiSdkLLM.chat', () => {
  it('returns text, reasoning with its signature, tool calls, usage and finish reason', async () => {
    const model = answering(
      [
        { type: 'reasoning', text: 'Hm.', providerMetadata: signature },
        { type: 'text', text: 'Let me see.' },
        {
          type: 'tool-call',
          toolCallId: 'a',
          toolName: 'add',
          input: '{"x":1}',
          providerMetadata: { google: { thought: 't' } },
        },
      ],
      'tool-calls',
    )
    const response = await new AiSdkLLM({ model }).chat(question)
    expect(response.message.content).toBe('Let me see.')
    expect(reasoningOf(response.message)).toEqual([{ type: 'reasoning', text: 'Hm.', provider_metadata: signature }])
    expect(toolCallsOf(response.message)).toEqual([{ id: 'a', name: 'add', arguments: '{"x":1}' }])
    expect(finishReasonOf(response)).toBe('tool_calls')
    expect(usageOf(response)).toEqual({
      inputTokens: 9,
      outputTokens: 4,
      cachedInputTokens: 3,
      reasoningTokens: 1,
      totalTokens: 13,
    })
  })

  it('sends the roles of other models as those of the AI SDK', async () => {
    const model = answering([{ type: 'text', text: 'ok' }])
    const roles = ['developer', 'system', 'chatbot', 'model'] as const
    await new AiSdkLLM({ model }).chat(roles.map((role) => ChatMessage.fromDict({ role, content: 'a' })))
    const sent = model.doGenerateCalls[0]?.prompt.map(({ role }) => role)
    expect(sent).toEqual(['system', 'system', 'assistant', 'assistant'])
  })

  it('sends earlier answers of the model with their metadata, and the outputs of one turn as one message', async () => {
    const first = answering([
      { type: 'reasoning', text: 'Hm.', providerMetadata: signature },
      {
        type: 'tool-call',
        toolCallId: 'a',
        toolName: 'add',
        input: '{"x":1}',
        providerMetadata: { google: { thought: 't' } },
      },
    ])
    const { message } = await new AiSdkLLM({ model: first }).chat(question)
    const model = answering([{ type: 'text', text: '3' }])
    const output = (id: string) =>
      new ChatMessage({ role: 'tool', content: '3', additionalKwargs: { tool_call_id: id, name: 'add' } })
    await new AiSdkLLM({ model }).chat([
      new ChatMessage({
        role: 'system',
        content: 'Be brief.',
        additionalKwargs: { provider_options: { a: { cache: true } } },
      }),
      ...question,
      ChatMessage.fromJson(message.toJson()),
      output('a'),
      output('b'),
    ])
    const result = (toolCallId: string) => ({
      type: 'tool-result',
      toolCallId,
      toolName: 'add',
      output: { type: 'text', value: '3' },
    })
    expect(model.doGenerateCalls[0]?.prompt).toEqual([
      { role: 'system', content: 'Be brief.', providerOptions: { a: { cache: true } } },
      { role: 'user', content: [{ type: 'text', text: 'How much is 1 + 2?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: signature },
          {
            type: 'tool-call',
            toolCallId: 'a',
            toolName: 'add',
            input: { x: 1 },
            providerOptions: { google: { thought: 't' } },
          },
        ],
      },
      { role: 'tool', content: [result('a'), result('b')] },
    ])
  })

  it('sends images and files in the form of the specification', async () => {
    const content: MessageContent = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      {
        type: 'file',
        file: { url: 'data:application/pdf;base64,BBBB', media_type: 'application/pdf', filename: 'a.pdf' },
      },
    ]
    const v4 = answering([])
    await new AiSdkLLM({ model: v4 }).chat([new ChatMessage({ content })])
    expect(v4.doGenerateCalls[0]?.prompt[0]?.content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL('https://example.org/a.png') } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'BBBB' }, filename: 'a.pdf' },
    ])
    const v3 = new MockLanguageModelV3({
      doGenerate: { content: [], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] },
    })
    await new AiSdkLLM({ model: v3 }).chat([new ChatMessage({ content })])
    expect(v3.doGenerateCalls[0]?.prompt[0]?.content.slice(1, 3)).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file', mediaType: 'image/*', data: new URL('https://example.org/a.png') },
    ])
  })

  it('maps the options of a call over those of the model', async () => {
    const model = answering([])
    const llm = new AiSdkLLM({ model, modelOptions: { temperature: 1, maxTokens: 9 } })
    const { signal } = new AbortController()
    await llm.chat(question, {
      tools: [
        {
          type: 'function',
          function: { name: 'add', description: 'Adds.', parameters: { type: 'object' }, strict: true },
        },
      ],
      toolChoice: { type: 'function', function: { name: 'add' } },
      temperature: 0,
      stop: ['END'],
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'sum' },
      providerOptions: { openai: { seed: 1 } },
      headers: { a: 'b' },
      timeoutMs: 5,
      topP: 0.5,
      signal,
    })
    expect(model.doGenerateCalls[0]).toMatchObject({
      maxOutputTokens: 9,
      temperature: 0,
      stopSequences: ['END'],
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'sum' },
      tools: [{ type: 'function', name: 'add', description: 'Adds.', inputSchema: { type: 'object' }, strict: true }],
      toolChoice: { type: 'tool', toolName: 'add' },
      providerOptions: { openai: { seed: 1 } },
      headers: { a: 'b' },
      topP: 0.5,
      abortSignal: signal,
    })
    expect(model.doGenerateCalls[0]).not.toHaveProperty('timeoutMs')
  })

  it('reads the flat usage and finish reason of specification v2', async () => {
    const model: AiSdkLanguageModel = {
      specificationVersion: 'v2',
      provider: 'p',
      modelId: 'm',
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'cut' }],
        finishReason: 'length',
        usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7, cachedInputTokens: 1 },
      }),
      doStream: () => Promise.reject(new Error('unused')),
    }
    const response = await new AiSdkLLM({ model }).chat(question)
    expect(finishReasonOf(response)).toBe('length')
    expect(usageOf(response)).toMatchObject({ inputTokens: 5, cachedInputTokens: 1, totalTokens: 7 })
  })

  it('completes prompts, and leaves out tool calls that the provider ran itself', async () => {
    const model = answering([
      { type: 'tool-call', toolCallId: 's', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'text', text: 'Paris' },
    ])
    const llm = new AiSdkLLM({ model })
    expect(String(await llm.complete('Capital of France?'))).toBe('Paris')
    expect(toolCallsOf((await llm.chat(question)).message)).toEqual([])
    expect(llm.metadata).toMatchObject({
      modelName: 'm',
      provider: 'mock',
      contextWindow: null,
      isFunctionCallingModel: true,
    })
  })
})

describe('AiSdkLLM.streamChat', () => {
  it('streams text, reasoning and tool inputs', async () => {
    const model = streaming([
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r', providerMetadata: signature },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Let me ' },
      { type: 'text-delta', id: 't', delta: 'see.' },
      { type: 'text-end', id: 't' },
      { type: 'tool-input-start', id: 'a', toolName: 'add' },
      { type: 'tool-input-delta', id: 'a', delta: '{"x":' },
      { type: 'tool-input-delta', id: 'a', delta: '1}' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'add', input: '{"x":1}' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'sub', input: '{}' },
      { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage },
    ])
    const found = await collect(new AiSdkLLM({ model }).streamChat(question))
    const last = found.at(-1)!
    expect(last.message.content).toBe('Let me see.')
    expect(reasoningOf(last.message)).toEqual([{ type: 'reasoning', text: 'Hm.', provider_metadata: signature }])
    expect(toolCallsOf(last.message)).toEqual([
      { id: 'a', name: 'add', arguments: '{"x":1}' },
      { id: 'b', name: 'sub', arguments: '{}' },
    ])
    expect(finishReasonOf(last)).toBe('tool_calls')
    expect(usageOf(last)?.totalTokens).toBe(13)
    const deltas = found.map(deltasOf)
    expect(deltas.map(({ text }) => text).join('')).toBe('Let me see.')
    expect(deltas.map(({ reasoning }) => reasoning).join('')).toBe('Hm.')
    expect(deltas.flatMap(({ toolCalls }) => toolCalls)).toEqual([
      { index: 0, id: 'a', name: 'add', arguments: '' },
      { index: 0, id: null, name: null, arguments: '{"x":' },
      { index: 0, id: null, name: null, arguments: '1}' },
      { index: 1, id: 'b', name: 'sub', arguments: '{}' },
    ])
  })

  it('reports error parts, and streams that end too early', async () => {
    const text: StreamPart = { type: 'text-delta', id: 't', delta: 'a' }
    const apiError = new APICallError({ message: 'slow', url: 'u', requestBodyValues: {}, statusCode: 429 })
    const failing = (error: unknown) =>
      collect(new AiSdkLLM({ model: streaming([text, { type: 'error', error }]) }).streamChat(question))
    await expect(failing(apiError)).rejects.toMatchObject({ kind: 'rate_limit' })
    await expect(failing('overloaded_error')).rejects.toMatchObject({
      kind: 'overloaded',
      message: expect.stringContaining('overloaded_error'),
    })
    await expect(failing({ type: 'x' })).rejects.toMatchObject({ kind: 'overloaded' })
    await expect(collect(new AiSdkLLM({ model: streaming([text]) }).streamChat(question))).rejects.toMatchObject({
      kind: 'connection',
    })
  })

  it('stops the model when the reader leaves', async () => {
    let isCancelled = false
    const stream = new ReadableStream<AiSdkPart>({
      pull: (controller) => controller.enqueue({ type: 'text-delta', delta: 'a' }),
      cancel: () => {
        isCancelled = true
      },
    })
    const model: AiSdkLanguageModel = {
      ...answering([]),
      specificationVersion: 'v4',
      provider: 'p',
      modelId: 'm',
      doGenerate: () => Promise.reject(),
      doStream: async () => ({ stream }),
    }
    for await (const _ of new AiSdkLLM({ model }).streamChat(question)) break
    expect(isCancelled).toBe(true)
  })

  it('yields text as completions', async () => {
    const model = streaming([
      { type: 'text-delta', id: 't', delta: 'Pa' },
      { type: 'text-delta', id: 't', delta: 'ris' },
      finish,
    ])
    let text = ''
    for await (const { delta } of new AiSdkLLM({ model }).streamComplete('Capital?')) text += delta ?? ''
    expect(text).toBe('Paris')
  })
})

describe('errors of AiSdkLLM', () => {
  const failing = (error: unknown) =>
    new AiSdkLLM({
      model: new MockLanguageModelV4({ provider: 'p', modelId: 'm', doGenerate: () => Promise.reject(error) }),
    })

  it.each([
    [new APICallError({ message: 'no', url: 'u', requestBodyValues: {}, statusCode: 401 }), 'auth'],
    [
      new APICallError({
        message: 'no',
        url: 'u',
        requestBodyValues: {},
        statusCode: 400,
        responseBody: '{"error":{"code":"context_length_exceeded"}}',
      }),
      'context_length',
    ],
    [new APICallError({ message: 'no', url: 'u', requestBodyValues: {}, statusCode: 503 }), 'overloaded'],
    [new APICallError({ message: 'Cannot connect', url: 'u', requestBodyValues: {} }), 'connection'],
    [new LoadAPIKeyError({ message: 'no key' }), 'auth'],
    [new InvalidPromptError({ prompt: [], message: 'bad' }), 'bad_request'],
  ])('an error with %s has the kind %s', async (cause, kind) => {
    await expect(failing(cause).chat(question)).rejects.toMatchObject({ code: 'model_call', kind, cause })
  })

  it('reads from the error how long withRetry should wait', async () => {
    const error = new APICallError({
      message: 'slow',
      url: 'u',
      requestBodyValues: {},
      statusCode: 429,
      responseHeaders: { 'retry-after': '2' },
    })
    await expect(failing(error).chat(question)).rejects.toMatchObject({ retryAfterMs: 2000, retryable: true })
  })

  it('explains other errors, and passes the reason of an abort through unchanged', async () => {
    const bug = new TypeError('bug')
    await expect(failing(bug).chat(question)).rejects.toMatchObject({
      code: 'model_call',
      kind: 'bad_response',
      cause: bug,
    })
    const controller = new AbortController()
    const reason = new Error('enough')
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        controller.abort(reason)
        throw new DOMException('aborted', 'AbortError')
      },
    })
    await expect(new AiSdkLLM({ model }).chat(question, { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('a real provider over HTTP', () => {
  let server: LoopbackServer
  let baseURL: string
  let llm: AiSdkLLM
  beforeEach(async () => {
    server = new LoopbackServer()
    baseURL = await server.start()
    const provider = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true })
    llm = new AiSdkLLM({ model: provider('m') })
  })
  afterEach(() => server.stop())

  const counts = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
  const call = { id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } }

  it('answers with a tool call after some words', async () => {
    const message = { role: 'assistant', content: 'Let me see.', tool_calls: [call] }
    server.willAnswer(
      json({
        id: 'x',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        usage: counts,
      }),
    )
    const response = await llm.chat(question)
    expect(String(response)).toBe('Let me see.')
    expect(toolCallsOf(response.message)).toEqual([{ id: 'a', name: 'add', arguments: '{"x":1}' }])
    expect(usageOf(response)).toMatchObject({ inputTokens: 9, totalTokens: 13 })
  })

  it('streams a tool call after some words', async () => {
    const parts = [
      chunk({ role: 'assistant', content: 'Let me see.' }),
      chunk({ tool_calls: [{ index: 0, ...call }] }),
      chunk({}, 'tool_calls', { usage: counts }),
    ].map((part) => ({ id: 'x', created: 1, model: 'm', ...part }))
    server.willAnswer(pieces([eventText(parts)]))
    const last = (await collect(llm.streamChat(question))).at(-1)!
    expect(String(last)).toBe('Let me see.')
    expect(toolCallsOf(last.message)).toEqual([{ id: 'a', name: 'add', arguments: '{"x":1}' }])
  })

  it('reports a rate limit', async () => {
    server.willAnswer(json({ error: { message: 'slow down' } }, 429, { 'retry-after': '1' }))
    await expect(llm.chat(question)).rejects.toMatchObject({ kind: 'rate_limit', status: 429, retryAfterMs: 1000 })
  })

  it('reports errors without the keys of the model and of the call', async () => {
    const answer: Answer = (response, { headers }) =>
      json({ error: { message: `bad ${JSON.stringify(headers)}` } }, 401)(response, {} as never)
    server.willAnswer(answer, answer)
    const provider = createOpenAICompatible({ name: 'local', baseURL, apiKey: 'SECRETKEY-1' })
    const options = { headers: { 'x-gateway': 'SECRETKEY-2' } }
    for (const run of [
      () => new AiSdkLLM({ model: provider('m') }).chat(question, options),
      () => collect(new AiSdkLLM({ model: provider('m'), modelOptions: options }).streamChat(question)),
    ]) {
      const error: unknown = await run().then(
        () => null,
        (reason) => reason,
      )
      expect(error).toMatchObject({ kind: 'auth', cause: { name: 'AI_APICallError' } })
      expect(inspect(error, { depth: 20 })).not.toContain('SECRETKEY')
    }
  })
})

it('sends no lone surrogate', async () => {
  const model = answering([{ type: 'text', text: '3' }])
  await new AiSdkLLM({ model }).chat(uncleanMessages, uncleanOptions)
  const { prompt, tools, responseFormat } = model.doGenerateCalls[0]!
  expect(loneSurrogates({ prompt, tools, responseFormat })).toEqual([])
  expect(JSON.stringify(prompt)).toContain('\uFFFD')
})
