import { inspect } from 'node:util'
import {
  CallbackManager,
  ChatMessage,
  type ChatResponse,
  deltasOf,
  finishReasonOf,
  reasoningOf,
  toolCallsOf,
  usageOf,
} from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { withRetry } from '@x/llm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chunk, eventText, json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { loneSurrogates, uncleanMessages, uncleanOptions } from '../test/lone-surrogates.ts'
import { OpenAI, type OpenAIOptions } from './openai.ts'
import { OpenAIEmbedding } from './openai-embedding.ts'
import { OpenAIResponses } from './openai-responses.ts'

const question = [new ChatMessage({ content: 'How much is 1 + 2?' })]
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, prompt_tokens_details: { cached_tokens: 3 } }
const answer = (message: object, finish_reason = 'stop', rest: object = {}) => ({
  id: 'x',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage,
  ...rest,
})

let server: LoopbackServer
let baseUrl: string
const model = (options: Partial<OpenAIOptions> = {}) => new OpenAI({ model: 'test-model', baseUrl, ...options })

beforeEach(async () => {
  server = new LoopbackServer()
  baseUrl = await server.start()
})
afterEach(() => server.stop())

function streamOf(parts: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

async function collect(stream: AsyncIterable<ChatResponse>): Promise<ChatResponse[]> {
  const found: ChatResponse[] = []
  for await (const piece of stream) found.push(piece)
  return found
}

describe('OpenAI.chat', () => {
  it('sends messages and returns text, usage and finish reason', async () => {
    server.willAnswer(json(answer({ content: '3' })))
    const response = await model({ apiKey: 'secret' }).chat(question)
    expect(response.message).toMatchObject({ role: 'assistant', content: '3' })
    expect(usageOf(response)).toMatchObject({ inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, totalTokens: 13 })
    expect(finishReasonOf(response)).toBe('stop')
    const [request] = server.requests
    expect(request).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer secret' } })
    expect(request?.body).toEqual({ model: 'test-model', messages: [{ role: 'user', content: 'How much is 1 + 2?' }] })
  })

  it('sends the roles of other models as those of OpenAI', async () => {
    server.willAnswer(json(answer({ content: 'ok' })))
    const roles = ['developer', 'system', 'chatbot', 'model'] as const
    await model().chat(roles.map((role) => ChatMessage.fromDict({ role, content: 'a' })))
    const { messages } = server.requests[0]!.body as { messages: { role: string }[] }
    expect(messages.map(({ role }) => role)).toEqual(['developer', 'system', 'assistant', 'assistant'])
  })

  it('sends a conversation with tool calls, their outputs and images', async () => {
    server.willAnswer(json(answer({ content: 'ok' })))
    await model().chat([
      new ChatMessage({ role: 'system', content: 'Be brief.' }),
      new ChatMessage({
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { url: 'data:application/pdf;base64,AAAA', media_type: 'application/pdf' } },
          { type: 'reasoning', text: 'not sent' },
        ],
      }),
      new ChatMessage({
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'not sent' }],
        additionalKwargs: { tool_calls: [{ id: 'a', name: 'add', arguments: { x: 2n ** 64n } }] },
      }),
      new ChatMessage({ role: 'tool', content: '3', additionalKwargs: { tool_call_id: 'a', name: 'add' } }),
    ])
    expect(server.requests[0]?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'file', file: { filename: 'file.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":18446744073709551616}' } }],
      },
      { role: 'tool', content: '3', tool_call_id: 'a' },
    ])
  })

  it('maps the options of a call, and passes others on', async () => {
    server.willAnswer(json(answer({ content: '{}' })))
    const tool = { type: 'function' as const, function: { name: 'add', parameters: { type: 'object' } } }
    await model({ temperature: 1, maxTokens: 5, headers: { 'x-a': '1' }, body: { user: 'u' } }).chat(question, {
      tools: [tool],
      toolChoice: 'required',
      temperature: 0,
      maxTokens: 50,
      stop: ['END'],
      responseFormat: { type: 'json', schema: { type: 'object' }, strict: true },
      headers: { 'x-b': '2' },
      providerOptions: { openai: { seed: 7 }, other: { seed: 8 } },
      timeoutMs: 5000,
      topP: 0.5,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      logprobs: true,
    })
    const { body, headers } = server.requests[0]!
    expect(body).toEqual({
      model: 'test-model',
      messages: [{ role: 'user', content: 'How much is 1 + 2?' }],
      user: 'u',
      tools: [tool],
      tool_choice: 'required',
      temperature: 0,
      max_tokens: 50,
      stop: ['END'],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
      },
      seed: 7,
      top_p: 0.5,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logprobs: true,
    })
    expect(headers).toMatchObject({ 'x-a': '1', 'x-b': '2' })
  })

  it('sends the token limit under the name that the server uses', async () => {
    const bodies: Record<string, unknown>[] = []
    const fetch = async (_url: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)))
      return new Response(JSON.stringify(answer({ content: '3' })))
    }
    await new OpenAI({ model: 'm', fetch, maxTokens: 5 }).chat(question)
    await model({ fetch, maxTokens: 5 }).chat(question)
    await model({ fetch, maxTokensName: 'max_completion_tokens' }).chat(question, { maxTokens: 6 })
    expect(bodies.map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])).toEqual([
      [undefined, 5],
      [5, undefined],
      [undefined, 6],
    ])
  })

  it('has no context window unless it is an option, and the provider of its host', () => {
    expect(model().metadata).toMatchObject({ contextWindow: null, provider: '127.0.0.1' })
    expect(new OpenAI({ model: 'm' }).metadata.provider).toBe('openai')
    const at = (baseUrl: string) => new OpenAI({ model: 'm', baseUrl }).metadata.provider
    expect(at('https://me.openai.azure.com/openai/v1')).toBe('azure.ai.openai')
    expect(at('https://api.groq.com/openai/v1')).toBe('groq')
    expect(at('http://localhost:11434/v1')).toBe('ollama')
    expect(at('https://notapi.openai.com.evil.example/v1')).toBe('notapi.openai.com.evil.example')
    expect(model({ provider: null }).metadata.provider).toBeNull()
    expect(model({ provider: 'groq' }).metadata.provider).toBe('groq')
    expect(model({ contextWindow: 8192 }).metadata.contextWindow).toBe(8192)
  })

  it('keeps the query of an address, which Azure requires, and calls apiKey for each request', async () => {
    server.willAnswer(json(answer({ content: '3' })))
    const azure = `${baseUrl}/openai/deployments/gpt?api-version=2024-10-21`
    await model({ baseUrl: azure, headers: { 'api-key': 'k' }, apiKey: async () => 'fresh' }).chat(question)
    expect(server.requests[0]?.url).toBe('/v1/openai/deployments/gpt/chat/completions?api-version=2024-10-21')
    expect(server.requests[0]?.headers).toMatchObject({ 'api-key': 'k', authorization: 'Bearer fresh' })
  })

  it('reads parallel tool calls, text before them, and reasoning', async () => {
    const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } })
    const message = { content: 'Let me see.', reasoning_content: 'Hm.', tool_calls: [call('a', 'f'), call('b', 'g')] }
    server.willAnswer(json(answer(message, 'tool_calls')))
    const response = await model().chat(question)
    expect(response.message.content).toBe('Let me see.')
    expect(toolCallsOf(response.message)).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ])
    expect(reasoningOf(response.message)).toMatchObject([{ type: 'reasoning', text: 'Hm.' }])
    expect(finishReasonOf(response)).toBe('tool_calls')
  })

  it('reads the one call of older servers, whole and in pieces', async () => {
    const call = { name: 'add', arguments: '{"x":1}' }
    server.willAnswer(json(answer({ content: null, tool_calls: [], function_call: call }, 'function_call')))
    const response = await model().chat(question)
    expect(toolCallsOf(response.message)).toMatchObject([call])
    expect(finishReasonOf(response)).toBe('tool_calls')
    const chunks = [
      chunk({ content: null, function_call: { name: 'add', arguments: '' } }),
      chunk({ function_call: { arguments: '{"x":' } }),
      chunk({ function_call: { arguments: '1}' } }),
      chunk({}, 'function_call'),
    ]
    server.willAnswer(pieces([eventText(chunks)]))
    expect(toolCallsOf((await collect(model().streamChat(question))).at(-1)!.message)).toMatchObject([call])
  })

  it('marks a refusal as filtered', async () => {
    server.willAnswer(json(answer({ content: null, refusal: 'I cannot help with that.' })))
    const response = await model().chat(question)
    expect(String(response)).toBe('I cannot help with that.')
    expect(finishReasonOf(response)).toBe('content_filter')
    server.willAnswer(pieces([eventText([chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), chunk({}, 'stop')])]))
    const last = (await collect(model().streamChat(question))).at(-1)!
    expect([String(last), finishReasonOf(last)]).toEqual(['I cannot.', 'content_filter'])
  })

  it('never shows the key', async () => {
    server.willAnswer(json({ error: { message: 'no' } }, 401))
    const handler = new RecordingCallbackHandler()
    const llm = model({ apiKey: 'top-secret', callbackManager: new CallbackManager([handler]) })
    const error = await llm.chat(question).catch((error) => error)
    for (const shown of [inspect(llm, { depth: 9 }), llm.toJson(), inspect(error), JSON.stringify(handler.events)])
      expect(shown).not.toContain('top-secret')
  })
})

describe('errors of OpenAI', () => {
  it.each([undefined, null, '', 5])('a model is not made with the name %j', (name) => {
    const options = { model: name as string, baseUrl }
    const issues = [expect.objectContaining({ path: 'model', message: expect.stringContaining('the name of a model') })]
    for (const make of [() => new OpenAI(options), () => new OpenAIResponses(options)])
      expect(make).toThrow(expect.objectContaining({ code: 'model_validation', issues }))
  })

  it.each([
    [400, { error: { message: 'no', code: 'context_length_exceeded' } }, 'context_length', false],
    [400, { error: { message: 'no', code: 'content_filter' } }, 'content_filter', false],
    [400, { error: 'unknown field' }, 'bad_request', false],
    [401, { error: { message: 'bad key' } }, 'auth', false],
    [404, { detail: 'no such model' }, 'bad_request', false],
    [429, { error: { message: 'slow down' } }, 'rate_limit', true],
    [500, {}, 'overloaded', true],
    [503, { message: 'busy' }, 'overloaded', true],
  ])('an error for HTTP %i with %j has the kind %s', async (status, body, kind, retryable) => {
    server.willAnswer(json(body, status))
    await expect(model().chat(question)).rejects.toMatchObject({ code: 'model_call', kind, status, retryable })
  })

  it('quotes a body that is not JSON, in one line, and the address', async () => {
    server.willAnswer((response) => void response.writeHead(502).end('<html>\n<h1>Bad Gateway</h1>'))
    const error = await model()
      .chat(question)
      .catch((error) => error)
    expect(error.message).toBe(`${baseUrl}: "<html> <h1>Bad Gateway</h1>" (HTTP 502)`)
  })

  it('reads Retry-After, which withRetry waits for', async () => {
    server.willAnswer(json({ error: 'slow' }, 429, { 'retry-after': '3' }), json(answer({ content: '3' })))
    const waits: number[] = []
    const llm = withRetry(model(), { random: () => 0, sleep: async (ms) => void waits.push(ms) })
    expect(String(await llm.chat(question))).toBe('3')
    expect(waits).toEqual([3000])
  })

  it.each([
    ['no JSON', 'hello'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['no choices', '{}'],
    ['empty choices', '{"choices":[]}'],
    ['a choice without a message', '{"choices":[{}]}'],
  ])('reports %s as a bad response', async (_, body) => {
    server.willAnswer((response) => void response.writeHead(200).end(body))
    await expect(model().chat(question)).rejects.toMatchObject({ kind: 'bad_response', retryable: false })
  })

  it('reports an error inside of a successful answer', async () => {
    server.willAnswer(json({ error: { message: 'Rate limit reached', code: 429 } }))
    await expect(model().chat(question)).rejects.toMatchObject({ kind: 'rate_limit' })
  })

  it('reports a server that cannot be reached, or closes the connection', async () => {
    await expect(model({ baseUrl: 'http://127.0.0.1:1/v1' }).chat(question)).rejects.toMatchObject({
      kind: 'connection',
      retryable: true,
    })
    server.willAnswer(pieces(['{"choices":[{"mess'], { type: 'application/json', end: 'destroy' }))
    await expect(model().chat(question)).rejects.toMatchObject({ kind: 'connection' })
  })

  it('rejects with the reason of the signal, before, during the first byte and during a stream', async () => {
    const reason = new Error('enough')
    await expect(model().chat(question, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    server.willAnswer(() => {})
    const slow = new AbortController()
    setTimeout(() => slow.abort(reason), 20)
    await expect(model().chat(question, { signal: slow.signal })).rejects.toBe(reason)
    server.willAnswer(
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(eventText([chunk({ content: 'a' })], { done: false })),
    )
    const streaming = new AbortController()
    const read = async () => {
      for await (const _ of model().streamChat(question, { signal: streaming.signal })) streaming.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
  })
})

describe('OpenAI.streamChat', () => {
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Add ' }),
    chunk({ reasoning_content: 'them. 🙂' }),
    chunk({ content: 'Let me ' }),
    chunk({ content: 'see: ü.' }),
    chunk({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
    chunk({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'sub', arguments: '{}' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
    chunk({}, 'tool_calls'),
    { choices: [], usage },
  ]

  function checkWhole(found: readonly ChatResponse[]): void {
    const last = found.at(-1)!
    expect(last.message.content).toBe('Let me see: ü.')
    expect(reasoningOf(last.message)).toMatchObject([{ type: 'reasoning', text: 'Add them. 🙂' }])
    expect(toolCallsOf(last.message)).toEqual([
      { id: 'a', name: 'add', arguments: '{"x":1}' },
      { id: 'b', name: 'sub', arguments: '{}' },
    ])
    expect(finishReasonOf(last)).toBe('tool_calls')
    expect(usageOf(last)).toMatchObject({ inputTokens: 9, totalTokens: 13 })
    const deltas = found.map(deltasOf)
    expect(deltas.map(({ text }) => text).join('')).toBe('Let me see: ü.')
    expect(deltas.map(({ reasoning }) => reasoning).join('')).toBe('Add them. 🙂')
    expect(deltas.flatMap(({ toolCalls }) => toolCalls)).toEqual([
      { index: 0, id: 'a', name: 'add', arguments: '' },
      { index: 0, id: null, name: null, arguments: '{"x":' },
      { index: 1, id: 'b', name: 'sub', arguments: '{}' },
      { index: 0, id: null, name: null, arguments: '1}' },
    ])
  }

  it('streams text, reasoning and tool calls, and asks for usage', async () => {
    server.willAnswer(pieces(chunks.map((chunk) => eventText([chunk], { done: false })).concat('data: [DONE]\n\n')))
    checkWhole(await collect(model().streamChat(question)))
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('reads the same answer for any split of the bytes and any line ending', async () => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const bytes = new TextEncoder().encode(`: comment${lineEnd}${lineEnd}${eventText(chunks, { lineEnd })}`)
      const cut = (at: number[]) => at.map((end, i) => bytes.slice(at[i - 1] ?? 0, end)).concat(bytes.slice(at.at(-1)))
      const everyByte = Array.from(bytes, (_, i) => i + 1)
      const fetch = (parts: Uint8Array[]) => async () =>
        new Response(streamOf(parts), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
      checkWhole(await collect(model({ fetch: fetch(cut(everyByte)) }).streamChat(question)))
      for (let at = 0; at < bytes.length; at += 7)
        checkWhole(await collect(model({ fetch: fetch(cut([at])) }).streamChat(question)))
    }
  })

  it('assembles tool calls that arrive without indices, with one index for all, or whole', async () => {
    const whole = (id: string | undefined, index: number | undefined, name: string) => ({
      ...(id && { id }),
      ...(index !== undefined && { index }),
      function: { name, arguments: `{"n":"${name}"}` },
    })
    const forms = [
      [chunk({ tool_calls: [whole('a', 0, 'f')] }), chunk({ tool_calls: [whole('b', 0, 'g')] })],
      [chunk({ tool_calls: [whole('a', undefined, 'f'), whole('b', undefined, 'g')] })],
      [
        chunk({ tool_calls: [whole(undefined, undefined, 'f')] }),
        chunk({ tool_calls: [whole(undefined, undefined, 'g')] }),
      ],
      [chunk({ tool_calls: [whole('a', 1, 'f'), whole('b', 2, 'g')] })],
      [
        chunk({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"n":' } }] }),
        chunk({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '"f"}' } }] }),
        chunk({ tool_calls: [{ id: 'b', function: { name: 'g', arguments: { n: 'g' } } }] }),
      ],
    ]
    for (const form of forms) {
      server.willAnswer(pieces([eventText([...form, chunk({}, 'tool_calls')])]))
      const last = (await collect(model().streamChat(question))).at(-1)!
      expect(toolCallsOf(last.message).map(({ name, arguments: text }) => [name, text])).toEqual([
        ['f', '{"n":"f"}'],
        ['g', '{"n":"g"}'],
      ])
    }
  })

  it('accepts an end without finish reason or without [DONE], and data without the last empty line', async () => {
    for (const text of [
      eventText([chunk({ content: '3' })]),
      eventText([chunk({ content: '3' }), chunk({}, 'stop')], { done: false }),
      `data: ${JSON.stringify(chunk({ content: '3' }, 'stop'))}`,
    ]) {
      server.willAnswer(pieces([text]))
      expect((await collect(model().streamChat(question))).at(-1)?.message.content).toBe('3')
    }
  })

  it('reports a stream that ends too early as a broken connection', async () => {
    server.willAnswer(pieces([eventText([chunk({ content: 'half' })], { done: false })]))
    await expect(collect(model().streamChat(question))).rejects.toMatchObject({ kind: 'connection', retryable: true })
    server.willAnswer(pieces([eventText([chunk({ content: 'half' })], { done: false })], { end: 'destroy' }))
    await expect(collect(model().streamChat(question))).rejects.toMatchObject({ kind: 'connection' })
  })

  it('reports an error in the middle of a stream', async () => {
    server.willAnswer(
      pieces([eventText([chunk({ content: 'a' }), { error: { message: 'Overloaded', type: 'server_error' } }])]),
    )
    await expect(collect(model().streamChat(question))).rejects.toMatchObject({ kind: 'overloaded', retryable: true })
    server.willAnswer(pieces([eventText([chunk({ content: 'a' })], { done: false }), 'data: {"choices\n\n']))
    await expect(collect(model().streamChat(question))).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it('reads a server that answers a stream with one JSON object, or with events of another type', async () => {
    server.willAnswer(json(answer({ content: '3' })))
    expect((await collect(model().streamChat(question))).map(({ delta }) => delta)).toEqual(['3'])
    server.willAnswer(pieces([eventText([chunk({ content: '3' }, 'stop')])], { type: 'text/plain' }))
    expect((await collect(model().streamChat(question))).at(-1)?.message.content).toBe('3')
    server.willAnswer(pieces(['<html>login</html>'], { type: 'text/html' }))
    await expect(collect(model().streamChat(question))).rejects.toMatchObject({ kind: 'bad_response' })
  })

  it('closes the connection when the reader leaves', async () => {
    server.willAnswer(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      while (!response.destroyed) {
        response.write(eventText([chunk({ content: 'x' })], { done: false }))
        await new Promise(setImmediate)
      }
    })
    for await (const _ of model().streamChat(question)) break
    await expect.poll(() => server.left).toBe(1)
  })

  it('needs linear time for long tool arguments and for lines in many pieces', async () => {
    const part = chunk({ tool_calls: [{ index: 0, function: { arguments: '1,'.repeat(10) } }] })
    const text = eventText([
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }),
      ...Array(20_000).fill(part),
      chunk({}, 'tool_calls'),
    ])
    const fetch = async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
    const last = (await collect(model({ fetch }).streamChat(question))).at(-1)!
    expect(String(toolCallsOf(last.message)[0]?.arguments).length).toBe(400_000)
    const bytes = new TextEncoder().encode(eventText([chunk({ content: 'x'.repeat(2 ** 20) }, 'stop')]))
    const slow = async () =>
      new Response(
        streamOf(Array.from({ length: bytes.length / 16 + 1 }, (_, i) => bytes.slice(i * 16, i * 16 + 16))),
        {
          headers: { 'content-type': 'text/event-stream' },
        },
      )
    expect((await collect(model({ fetch: slow }).streamChat(question)))[0]?.delta?.length).toBe(2 ** 20)
  })

  it('throws for an event without an end', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent++
        controller.enqueue(new TextEncoder().encode('data: '.concat('x'.repeat(2 ** 20))))
      },
    })
    const fetch = async () => new Response(endless, { headers: { 'content-type': 'text/event-stream' } })
    await expect(collect(model({ fetch }).streamChat(question))).rejects.toMatchObject({ kind: 'bad_response' })
    expect(sent).toBeLessThan(60)
  })

  it('completes prompts as a chat', async () => {
    server.willAnswer(json(answer({ content: '3' })), pieces([eventText([chunk({ content: '3' }, 'stop')])]))
    expect(String(await model().complete('1 + 2'))).toBe('3')
    const found: string[] = []
    for await (const { delta } of model().streamComplete('1 + 2')) found.push(delta ?? '')
    expect(found.join('')).toBe('3')
    expect(server.requests[0]?.body.messages).toEqual([{ role: 'user', content: '1 + 2' }])
  })
})

it('sends no lone surrogate, in either interface and with embeddings', async () => {
  server.willAnswer(json(answer({ content: '3' })))
  await model().chat(uncleanMessages, uncleanOptions)
  const status = 'completed'
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '3' }] }]
  server.willAnswer(json({ id: 'r', status, output }))
  await new OpenAIResponses({ model: 'm', baseUrl }).chat(uncleanMessages, uncleanOptions)
  server.willAnswer(json({ data: [{ index: 0, embedding: [1] }], usage: {} }))
  server.willAnswer(json({ data: [{ index: 0, embedding: [1] }], usage: {} }))
  const embedding = new OpenAIEmbedding({ modelName: 'm', baseUrl })
  await embedding.getTextEmbedding('a\ud800')
  await embedding.getTextEmbeddingBatch(['b\udc00'])
  expect(server.requests).toHaveLength(4)
  for (const { body } of server.requests) {
    expect(loneSurrogates(body)).toEqual([])
    expect(JSON.stringify(body)).toContain('\uFFFD')
  }
})
