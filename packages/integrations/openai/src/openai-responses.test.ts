import { ChatMessage, deltasOf, finishReasonOf, messageParts, reasoningOf, toolCallsOf, usageOf } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { json, LoopbackServer, pieces } from '../../../../tools/loopback-model-server.ts'
import { openaiResponse } from '../test/wire/answers.ts'
import { OpenAIResponses, type OpenAIResponsesOptions } from './openai-responses.ts'

let server: LoopbackServer
let baseUrl: string
beforeEach(async () => {
  server = new LoopbackServer()
  baseUrl = await server.start()
})
afterEach(() => server.stop())

const question = [new ChatMessage({ content: 'Q' })]
const newModel = (options: Partial<OpenAIResponsesOptions> = {}) =>
  new OpenAIResponses({ baseUrl, model: 'm', apiKey: 'sk-secret-1234', ...options })
const says = (text: string, annotations: object[] = []) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations }],
})
const add = {
  type: 'function' as const,
  function: { name: 'add', description: 'Adds.', parameters: { type: 'object' } },
}
const events = (...list: object[]) => pieces(list.map((event) => `data: ${JSON.stringify(event)}\n\n`))

describe('the request', () => {
  it('has the options of the model and of the call', async () => {
    server.willAnswer(openaiResponse([says('A')]))
    const llm = newModel({
      temperature: 0,
      maxTokens: 9,
      body: { reasoning: { effort: 'low' }, text: { verbosity: 'low' } },
    })
    await llm.chat(question, {
      tools: [{ ...add, function: { ...add.function, strict: true } as never }],
      toolChoice: { type: 'function', function: { name: 'add' } },
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'sum', description: 'A sum.' },
      providerOptions: { openai: { store: false } },
      maxTokens: 5,
    })
    const { url, headers, body } = server.requests[0]!
    expect(url).toBe('/v1/responses')
    expect(headers.authorization).toBe('Bearer sk-secret-1234')
    expect(body).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'Q' }],
      temperature: 0,
      max_output_tokens: 5,
      reasoning: { effort: 'low' },
      tools: [{ type: 'function', ...add.function, strict: true }],
      tool_choice: { type: 'function', name: 'add' },
      text: {
        verbosity: 'low',
        format: { type: 'json_schema', name: 'sum', schema: { type: 'object' }, strict: false, description: 'A sum.' },
      },
      store: false,
    })
  })

  it.each([
    [{ type: 'text' as const }, { type: 'text' }],
    [{ type: 'json' as const }, { type: 'json_object' }],
  ])('asks for the format %j', async (responseFormat, format) => {
    server.willAnswer(openaiResponse([says('A')]))
    await newModel().chat(question, { responseFormat })
    expect(server.requests[0]?.body.text).toEqual({ format })
  })

  it('contains messages of every role, images and files, and answers of other providers', async () => {
    server.willAnswer(openaiResponse([says('A')]))
    const png = { type: 'image_url' as const, image_url: { url: 'https://a.example/b.png', detail: 'low' as const } }
    const pdf = {
      type: 'file' as const,
      file: { url: 'data:application/pdf;base64,AA==', media_type: 'application/pdf' },
    }
    const linked = { type: 'file' as const, file: { url: 'https://a.example/c.pdf', media_type: 'application/pdf' } }
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'add', arguments: { a: 2n ** 64n } } }]
    const reasoning = [{ type: 'reasoning', text: 'Hm.', provider_metadata: { anthropic: { signature: 's' } } }]
    await newModel().chat([
      new ChatMessage({ role: 'system', content: 'S' }),
      new ChatMessage({ content: [{ type: 'text', text: 'Look:' }, png, pdf, linked] }),
      new ChatMessage({ role: 'assistant', content: 'I add.', additionalKwargs: { tool_calls, reasoning } }),
      new ChatMessage({ role: 'tool', content: '3', additionalKwargs: { tool_call_id: 'c1', name: 'add' } }),
    ])
    expect(server.requests[0]?.body.input).toEqual([
      { role: 'system', content: 'S' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look:' },
          { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
          { type: 'input_file', filename: 'file.pdf', file_data: pdf.file.url },
          { type: 'input_file', file_url: 'https://a.example/c.pdf' },
        ],
      },
      { role: 'assistant', content: 'I add.' },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":18446744073709551616}' },
      { type: 'function_call_output', call_id: 'c1', output: '3' },
    ])
  })

  it('has the changed text when an answer was edited', async () => {
    server.willAnswer(openaiResponse([says('A')]), openaiResponse([says('B')]))
    const { message } = await newModel().chat(question)
    await newModel().chat([message.copy({ update: { content: 'Edited' } })])
    expect(server.requests[1]?.body.input).toEqual([{ role: 'assistant', content: 'Edited' }])
  })

  it.each([{ maxTokens: 0 }, { temperature: -1 }, { model: 5 }, { providerTool: [] }])(
    'refuses the option %j',
    (options) => {
      expect(() => newModel(options as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    },
  )
})

describe('the answer', () => {
  const image = {
    type: 'image_generation_call',
    id: 'ig_1',
    status: 'completed',
    output_format: 'webp',
    result: 'AAAA',
  }
  const cited = [
    { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 1 },
    { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 1, end_index: 2 },
    { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 0 },
  ]
  const items = [
    { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
    says('Look.', cited),
    image,
    { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'add', arguments: '{}', status: 'completed' },
  ]

  it.each([false, true])(
    'has reasoning, text, sources, images and calls, and goes back as it came: streamed %s',
    async (isStreamed) => {
      server.willAnswer(openaiResponse(items), openaiResponse([says('B')]))
      const llm = newModel()
      let last = isStreamed ? undefined : await llm.chat(question)
      if (isStreamed) for await (const piece of llm.streamChat(question)) last = piece
      const message = ChatMessage.fromJson(last!.message.toJson())
      expect(message.content).toBe('Look.')
      expect(reasoningOf(message).map(({ text }) => text)).toEqual(['Hm.'])
      expect(toolCallsOf(message)).toEqual([{ id: 'c1', name: 'add', arguments: '{}' }])
      expect(finishReasonOf(last!)).toBe('tool_calls')
      expect(usageOf(last!)).toMatchObject({ inputTokens: 9, outputTokens: 4 })
      const further = messageParts(message).filter(({ type }) => type === 'source' || type === 'image_url')
      expect(further).toMatchObject([
        { source: { url: 'https://a.example', title: 'A' } },
        { source: { id: 'file_1', filename: 'a.pdf' } },
        { image_url: { url: 'data:image/webp;base64,AAAA' } },
      ])
      await llm.chat([message])
      expect(server.requests[1]?.body.input).toEqual(items)
    },
  )

  it('streams text and calls piece by piece', async () => {
    server.willAnswer(openaiResponse(items))
    const deltas = []
    for await (const piece of newModel().streamChat(question)) deltas.push(deltasOf(piece))
    expect(deltas.map(({ text }) => text).filter((text) => text !== '')).toEqual(['Loo', 'k.'])
    expect(deltas.flatMap(({ toolCalls }) => toolCalls)).toEqual([
      { index: 0, id: 'c1', name: 'add', arguments: '' },
      { index: 0, id: null, name: null, arguments: '{' },
      { index: 0, id: null, name: null, arguments: '}' },
    ])
  })

  it('reads a text once that the server numbers in another way at the end', async () => {
    const delta = { type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta: 'Look.' }
    server.willAnswer(
      events(delta, { type: 'response.completed', response: { status: 'completed', output: [says('Look.')] } }),
    )
    const texts = []
    for await (const piece of newModel().streamChat(question)) texts.push(String(piece))
    expect(texts.at(-1)).toBe('Look.')
  })

  it.each([
    ['refusal', [{ ...says(''), content: [{ type: 'refusal', refusal: 'No.' }] }], undefined, 'content_filter', 'No.'],
    ['cut answer', [says('It')], 'max_output_tokens', 'length', 'It'],
    ['filter', [says('It')], 'content_filter', 'content_filter', 'It'],
  ] as const)('has the finish reason of a %s', async (_, output, cut, reason, text) => {
    server.willAnswer(openaiResponse([...output], cut))
    const response = await newModel().chat(question)
    expect([finishReasonOf(response), String(response)]).toEqual([reason, text])
  })
})

describe('errors', () => {
  const failed = { error: { code: 'rate_limit_exceeded', message: 'Slow down, sk-secret-1234' } }

  it.each([
    ['in an answer', json({ object: 'response', status: 'failed', output: [], ...failed })],
    ['in an event', events({ type: 'error', code: 'rate_limit_exceeded', message: 'Slow down, sk-secret-1234' })],
    [
      'in a failed response',
      events({ type: 'response.failed', response: { status: 'failed', output: [], ...failed } }),
    ],
  ])('%s have the kind of their code, and no secrets', async (where, answer) => {
    server.willAnswer(answer)
    const read = async () => {
      if (where === 'in an answer') return newModel().chat(question)
      for await (const _ of newModel().streamChat(question));
    }
    const error = await read().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'model_call', kind: 'rate_limit', retryable: true })
    expect(String(error)).toMatch(/Slow down, \S+/)
    expect(String(error)).not.toContain('1234')
  })

  it('report an answer without output, and a stream that ends early', async () => {
    server.willAnswer(json({ id: 'r' }), events({ type: 'response.created', response: { output: [] } }))
    await expect(newModel().chat(question)).rejects.toMatchObject({ kind: 'bad_response' })
    const read = async () => {
      for await (const _ of newModel().streamChat(question));
    }
    await expect(read()).rejects.toMatchObject({ kind: 'connection' })
  })
})
