import { inspect } from 'node:util'
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { FakeListChatModel as LowestFakeListChatModel } from '@langchain/core-lowest/utils/testing'
import { ChatOpenAI } from '@langchain/openai'
import {
  ChatMessage,
  type ChatResponse,
  deltasOf,
  finishReasonOf,
  messageParts,
  reasoningOf,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { withRetry } from '@x/llm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chunk, eventText, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { loneSurrogates, uncleanMessages, uncleanOptions } from '../../openai/test/lone-surrogates.ts'
import { LangChainLLM } from './langchain-llm.ts'
import type { LangChainChatModel, LangChainMessage } from './langchain-types.ts'

const question = [new ChatMessage({ content: 'How much is 1 + 2?' })]
const add = {
  type: 'function' as const,
  function: { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } },
}
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 3 } }

async function collect(stream: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const found: ChatResponse[] = []
  for await (const piece of stream) found.push(piece)
  return found
}

/** A model that answers with these messages. */
const answering = (...messages: LangChainMessage[]): LangChainChatModel => ({
  invoke: async () => messages[0]!,
  stream: async () =>
    (async function* () {
      yield* messages
    })(),
})

describe('LangChainLLM with a model of LangChain', () => {
  it.each([
    ['the pinned core', FakeListChatModel],
    ['the lowest supported core', LowestFakeListChatModel],
  ])('answers whole and in pieces: %s', async (_, Fake) => {
    const llm = new LangChainLLM({ model: new Fake({ responses: ['Paris'] }) })
    expect(String(await llm.chat(question))).toBe('Paris')
    const found = await collect(llm.streamChat(question))
    expect(found.map(({ delta }) => delta).join('')).toBe('Paris')
    expect(String(found.at(-1))).toBe('Paris')
    expect(llm.metadata).toMatchObject({ modelName: 'fake-list', contextWindow: null, isChatModel: true })
    expect(String(await llm.complete('Capital?'))).toBe('Paris')
  })

  it('keeps the content blocks of a provider and sends them back unchanged', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'text', text: 'Three.' },
    ]
    const sent: unknown[] = []
    const model = {
      ...answering(
        new AIMessage({ content, response_metadata: { stop_reason: 'end_turn', model_provider: 'anthropic' } }),
      ),
      invoke: async (messages: unknown) => {
        sent.push(messages)
        return new AIMessage({ content, response_metadata: { stop_reason: 'end_turn', model_provider: 'anthropic' } })
      },
    }
    const llm = new LangChainLLM({ model })
    const first = await llm.chat(question)
    expect(String(first)).toBe('Three.')
    expect(reasoningOf(first.message)).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    expect(finishReasonOf(first)).toBe('stop')
    await llm.chat([...question, ChatMessage.fromJson(first.message.toJson())])
    expect(sent[1]).toMatchObject([{ role: 'user' }, { role: 'assistant', content }])
  })

  it('reads no text of blocks of other types', async () => {
    const content = [
      { type: 'odd', text: 'Hidden.' },
      { type: 'text', text: 'Three.' },
    ]
    const llm = new LangChainLLM({ model: answering(new AIMessageChunk({ content: content as never })) })
    expect(String((await collect(llm.streamChat(question))).at(-1))).toBe('Three.')
  })

  it('joins the blocks of a stream, with the signature of its reasoning', async () => {
    const block = (index: number, rest: object) => new AIMessageChunk({ content: [{ index, ...rest }] as never })
    const end = new AIMessageChunk({ content: '', response_metadata: { stop_reason: 'end_turn' } })
    const llm = new LangChainLLM({
      model: answering(
        block(0, { type: 'reasoning', reasoning: 'H' }),
        block(0, { type: 'reasoning', reasoning: 'm.', signature: 'sig' }),
        block(1, { type: 'text', text: 'Th' }),
        block(1, { type: 'text', text: 'ree.' }),
        end,
      ),
    })
    const found = await collect(llm.streamChat(question))
    expect(found.map((piece) => deltasOf(piece).reasoning)).toEqual(['H', 'm.', '', '', '', ''])
    const { message } = found.at(-1)!
    expect(String(found.at(-1))).toBe('Three.')
    const content = [
      { type: 'reasoning', reasoning: 'Hm.', signature: 'sig' },
      { type: 'text', text: 'Three.' },
    ]
    expect(messageParts(message).at(-1)).toMatchObject({ type: 'provider', adapter: 'langchain', data: { content } })
  })

  it('keeps a tool call whose arguments are not JSON', async () => {
    const message = new AIMessage({
      content: '',
      invalid_tool_calls: [{ id: 'c', name: 'add', args: '{"a":', error: 'cut', type: 'invalid_tool_call' }],
    })
    const response = await new LangChainLLM({ model: answering(message) }).chat(question)
    expect(toolCallsOf(response.message)).toEqual([{ id: 'c', name: 'add', arguments: '{"a":' }])
  })

  it('sends content parts, tool outputs and calls in the form of LangChain', async () => {
    const sent: unknown[] = []
    const model = {
      ...answering(),
      invoke: async (messages: unknown) => {
        sent.push(messages)
        return new AIMessage('ok')
      },
    }
    const parts = [
      { type: 'text' as const, text: 'Look:' },
      { type: 'image_url' as const, image_url: { url: 'https://a.example/b.png' } },
      { type: 'file' as const, file: { url: 'data:application/pdf;base64,AAAA', media_type: '', filename: 'a.pdf' } },
      { type: 'file' as const, file: { url: 'https://a.example/c.pdf', media_type: 'application/pdf' } },
      { type: 'reasoning' as const, text: 'dropped' },
    ]
    const calls = [
      { id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
      { type: 'function', function: { name: 'say', arguments: 'hello' } },
      { type: 'function', function: { name: 'end', arguments: '' } },
    ]
    await new LangChainLLM({ model }).chat([
      new ChatMessage({ role: 'user', content: parts }),
      new ChatMessage({ role: 'chatbot', content: null, additionalKwargs: { tool_calls: calls } }),
      new ChatMessage({ role: 'function', content: '3', additionalKwargs: { name: 'add', tool_call_id: 'c' } }),
    ])
    expect(sent[0]).toEqual([
      {
        role: 'user',
        content: [
          parts[0],
          parts[1],
          {
            type: 'file',
            mime_type: 'application/pdf',
            source_type: 'base64',
            data: 'AAAA',
            metadata: { filename: 'a.pdf' },
          },
          { type: 'file', mime_type: 'application/pdf', source_type: 'url', url: 'https://a.example/c.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { type: 'tool_call', id: 'c', name: 'add', args: { a: 1 } },
          { type: 'tool_call', id: 'call_1', name: 'say', args: { input: 'hello' } },
          { type: 'tool_call', id: 'call_2', name: 'end', args: {} },
        ],
      },
      { role: 'tool', content: '3', tool_call_id: 'c', name: 'add' },
    ])
  })

  it.each([
    [
      { statusCode: 429, headers: { 'retry-after': '1' } },
      { kind: 'rate_limit', retryAfterMs: 1000 },
    ],
    [{ lc_error_code: 'MODEL_AUTHENTICATION' }, { kind: 'auth' }],
    [{ name: 'APIConnectionTimeoutError' }, { kind: 'timeout', retryable: true }],
    [{ message: 'fetch failed' }, { kind: 'connection', retryable: true }],
  ])('converts an error of a client: %j', async (fields, expected) => {
    const error = Object.assign(new Error('no'), fields)
    const model = { ...answering(), invoke: () => Promise.reject(error) }
    await expect(new LangChainLLM({ model }).chat(question)).rejects.toMatchObject({ ...expected, cause: error })
  })

  it('explains any other error', async () => {
    const error = new TypeError('a bug')
    const model = { ...answering(), invoke: () => Promise.reject(error) }
    const expected = { code: 'model_call', kind: 'bad_response', cause: error }
    await expect(new LangChainLLM({ model }).chat(question)).rejects.toMatchObject(expected)
  })

  it('completes a prompt in pieces', async () => {
    const llm = new LangChainLLM({ model: new FakeListChatModel({ responses: ['Paris'] }) })
    let text = ''
    for await (const { delta } of llm.streamComplete('Capital?')) text += delta
    expect(text).toBe('Paris')
  })

  it('refuses what the model cannot do', async () => {
    const llm = new LangChainLLM({ model: answering(new HumanMessage('')) })
    const failure = { code: 'model_call', kind: 'bad_request', retryable: false }
    await expect(llm.chat(question, { tools: [add] })).rejects.toMatchObject(failure)
    await expect(llm.chat(question, { temperature: 0 })).rejects.toMatchObject({
      ...failure,
      message: 'langchain: temperature: expected in the constructor of the model of LangChain.',
    })
    const schema = { type: 'object' }
    await expect(llm.chat(question, { responseFormat: { type: 'json' } })).rejects.toMatchObject(failure)
    await expect(llm.chat(question, { responseFormat: { type: 'json', schema } })).rejects.toMatchObject(failure)
    await expect(llm.chat(question, { responseFormat: { type: 'json', schema }, tools: [add] })).rejects.toMatchObject(
      failure,
    )
  })

  it('stops the model when the reader leaves the stream', async () => {
    let closed = false
    const model = {
      ...answering(),
      stream: async () =>
        (async function* () {
          try {
            for (;;) yield new AIMessageChunk('a')
          } finally {
            closed = true
          }
        })(),
    }
    for await (const piece of new LangChainLLM({ model }).streamChat(question)) {
      expect(piece.delta).toBe('a')
      break
    }
    expect(closed).toBe(true)
  })
})

describe('LangChainLLM with ChatOpenAI on a loopback server', () => {
  let server: LoopbackServer
  let model: ChatOpenAI
  beforeEach(async () => {
    server = new LoopbackServer()
    const baseURL = await server.start()
    model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'k', maxRetries: 0, configuration: { baseURL } })
  })
  afterEach(() => server.stop())

  it('reports errors without the key of the model', async () => {
    server.willAnswer((response, { headers }) =>
      json({ error: { message: `bad ${headers.authorization}` } }, 401)(response, {} as never),
    )
    const baseURL = model.clientConfig.baseURL as string
    const keyed = new ChatOpenAI({ model: 'm', apiKey: 'SECRETKEY-1', maxRetries: 0, configuration: { baseURL } })
    const error: unknown = await new LangChainLLM({ model: keyed }).chat(question).catch((reason) => reason)
    expect(error).toMatchObject({ kind: 'auth', status: 401 })
    expect(inspect(error, { depth: 20 })).not.toContain('SECRETKEY')
  })

  it('calls tools, with usage and finish reason, and reads the context window from the profile', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }
    server.willAnswer(
      json({
        choices: [
          { message: { role: 'assistant', content: 'Let me see.', tool_calls: [call] }, finish_reason: 'tool_calls' },
        ],
        usage,
      }),
      json({ choices: [{ message: { role: 'assistant', content: '3' }, finish_reason: 'stop' }], usage }),
    )
    const llm = new LangChainLLM({ model })
    expect(llm.metadata).toMatchObject({
      modelName: 'gpt-4o',
      provider: 'openai',
      contextWindow: 128_000,
      isFunctionCallingModel: true,
    })
    const first = await llm.chat(question, { tools: [add], toolChoice: 'required' })
    expect(String(first)).toBe('Let me see.')
    expect(toolCallsOf(first.message)).toEqual([{ id: 'c1', name: 'add', arguments: '{"a":1}' }])
    expect(finishReasonOf(first)).toBe('tool_calls')
    expect(usageOf(first)).toMatchObject({ inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, totalTokens: 13 })
    const output = new ChatMessage({
      role: 'tool',
      content: '3',
      additionalKwargs: { tool_call_id: 'c1', name: 'add' },
    })
    expect(String(await llm.chat([...question, first.message, output]))).toBe('3')
    const [asked, answered] = server.requests
    expect(asked!.body).toMatchObject({ tools: [{ function: { name: 'add' } }], tool_choice: 'required' })
    expect(answered!.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: 'c1', function: { name: 'add' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '3' },
    ])
  })

  it('streams text, tool calls in pieces, usage and finish reason', async () => {
    const part = (index: number, args: string, rest: object = {}) =>
      chunk({
        tool_calls: [
          { index, type: 'function', ...rest, function: { arguments: args, ...('id' in rest && { name: 'add' }) } },
        ],
      })
    const events = [
      chunk({ role: 'assistant', content: 'Let ' }),
      chunk({ content: 'me.' }),
      part(0, '', { id: 'a' }),
      part(0, '{"x"'),
      part(1, '{}', { id: 'b' }),
      part(0, ':1}'),
      chunk({}, 'tool_calls'),
      { choices: [], usage },
    ]
    server.willAnswer(pieces([eventText(events)]))
    const found = await collect(new LangChainLLM({ model }).streamChat(question, { tools: [add] }))
    const last = found.at(-1)!
    expect(found.map(({ delta }) => delta).join('')).toBe('Let me.')
    expect(toolCallsOf(last.message)).toEqual([
      { id: 'a', name: 'add', arguments: '{"x":1}' },
      { id: 'b', name: 'add', arguments: '{}' },
    ])
    const deltas = found.flatMap((piece) => deltasOf(piece).toolCalls)
    expect(
      deltas
        .filter(({ index }) => index === 0)
        .map(({ arguments: text }) => text)
        .join(''),
    ).toBe('{"x":1}')
    expect(finishReasonOf(last)).toBe('tool_calls')
    expect(usageOf(last)?.totalTokens).toBe(13)
  })

  it('streams calls of a server that numbers all of them 0 and sends null', async () => {
    const call = (id: string | null, name: string | null, args: string | null) =>
      chunk({ tool_calls: [{ index: 0, id, function: { name, arguments: args } }] })
    const calls = [call('a', 'add', null), call(null, null, '{"x":'), call('other', null, '1}'), call('b', 'add', '{}')]
    server.willAnswer(pieces([eventText([chunk({ role: 'assistant' }), ...calls, chunk({}, 'tool_calls')])]))
    const last = (await collect(new LangChainLLM({ model }).streamChat(question))).at(-1)!
    expect(toolCallsOf(last.message).map((found) => [found.id, found.arguments])).toEqual([
      ['a', '{"x":1}'],
      ['b', '{}'],
    ])
  })

  it('answers as JSON with a schema', async () => {
    const content = '{"city":"Paris"}'
    const answer = json({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage })
    server.willAnswer(answer, answer)
    const schema = { title: 'answer', type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const options = { responseFormat: { type: 'json' as const, schema, strict: true } }
    const llm = new LangChainLLM({ model })
    expect(String(await llm.chat(question, options))).toBe(content)
    const [only] = await collect(llm.streamChat(question, options))
    expect(only!.delta).toBe(content)
    expect(server.requests[0]!.body.response_format).toMatchObject({ type: 'json_schema' })
  })

  it.each([
    [429, { 'retry-after': '2' }, { kind: 'rate_limit', retryable: true, retryAfterMs: 2000, status: 429 }],
    [401, {}, { kind: 'auth', retryable: false }],
    [500, {}, { kind: 'overloaded', retryable: true }],
  ])('explains HTTP status %i', async (status, headers, expected) => {
    server.willAnswer(json({ error: { message: 'no' } }, status, headers))
    await expect(new LangChainLLM({ model }).chat(question)).rejects.toMatchObject({ code: 'model_call', ...expected })
  })

  it('reports a request that is too long, and works inside withRetry', async () => {
    const tooLong = {
      error: {
        message: 'maximum context length is 10',
        code: 'context_length_exceeded',
        type: 'invalid_request_error',
      },
    }
    server.willAnswer(json(tooLong, 400))
    await expect(new LangChainLLM({ model }).chat(question)).rejects.toMatchObject({ kind: 'context_length' })
    const fine = json({ choices: [{ message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }] })
    server.willAnswer(json({ error: { message: 'busy' } }, 503), fine)
    const llm = withRetry(new LangChainLLM({ model }), { baseDelayMs: 1 })
    expect(String(await llm.chat(question))).toBe('Yes')
  })

  it('reports a connection that breaks in mid stream', async () => {
    server.willAnswer(pieces([eventText([chunk({ content: 'a' })], { done: false })], { end: 'destroy' }))
    await expect(collect(new LangChainLLM({ model }).streamChat(question))).rejects.toMatchObject({
      kind: 'connection',
    })
  })

  it('rejects with the reason of an abort, before and in mid stream', async () => {
    const reason = new Error('enough')
    const llm = new LangChainLLM({ model })
    await expect(llm.chat(question, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const many = Array.from({ length: 50 }, () => eventText([chunk({ content: 'a' })], { done: false }))
    server.willAnswer(pieces(many))
    const read = async () => {
      for await (const _ of llm.streamChat(question, { signal: controller.signal })) controller.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
  })
})

it('sends no lone surrogate', async () => {
  const server = new LoopbackServer()
  const baseURL = await server.start()
  const choices = [{ index: 0, message: { role: 'assistant', content: '3' }, finish_reason: 'stop' }]
  server.willAnswer(json({ id: 'x', choices, usage }))
  const model = new ChatOpenAI({ model: 'm', apiKey: 'k', configuration: { baseURL }, maxRetries: 0 })
  await new LangChainLLM({ model }).chat(uncleanMessages, { tools: uncleanOptions.tools! })
  await server.stop()
  const body = server.requests[0]!.body
  expect(loneSurrogates(body)).toEqual([])
  expect(JSON.stringify(body)).toContain('\uFFFD')
})
