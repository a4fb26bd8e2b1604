import { readFileSync } from 'node:fs'
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type CallOptions, ChatMessage, messageParts, toolCallsOf, usageOf } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { AiSdkReader } from './answer.ts'
import type { AiSdkPart } from './model-types.ts'
import { callOptions } from './prompt.ts'

const meta = { p: { id: 'x' } }
const received: AiSdkPart[] = [
  { type: 'custom', kind: 'p.note', providerMetadata: meta } as AiSdkPart,
  { type: 'tool-call', toolCallId: 's', toolName: 'search', input: '{"q":1}', providerExecuted: true },
  { type: 'tool-result', toolCallId: 's', toolName: 'search', result: 'partly', preliminary: true } as AiSdkPart,
  { type: 'tool-result', toolCallId: 's', toolName: 'search', result: 'Found.', providerMetadata: meta } as AiSdkPart,
  { type: 'tool-result', toolCallId: 't', toolName: 'search', result: { code: 1 }, isError: true } as AiSdkPart,
  { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' }, providerMetadata: meta },
  { type: 'file', mediaType: 'application/pdf', data: new Uint8Array([1]) },
  { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://a.example/b.png' } },
  { type: 'source', id: 'd', title: 'Doc', mediaType: 'text/plain', filename: 'd.txt' },
  { type: 'raw' },
]
const finish: AiSdkPart = { type: 'finish', finishReason: 'stop', usage: {} }
const promptOf = (message: ChatMessage, specificationVersion: string) =>
  callOptions([message], {}, { specificationVersion, tools: {} }).prompt

describe('parts that are neither text, reasoning nor a tool call', () => {
  it('are kept in their order as JSON, and sent back in the form of the prompt', () => {
    const reader = new AiSdkReader()
    for (const part of received) reader.addPiece(part)
    const { message } = reader.answer.response()
    const again = ChatMessage.fromJson(message.toJson())
    expect(messageParts(again).map((part) => ('data' in part ? part.data['type'] : part.type))).toEqual([
      ...['custom', 'tool-call', 'tool-result', 'tool-result', 'reasoning-file', 'file', 'image_url', 'source'],
    ])
    expect(messageParts(again).at(-1)).toEqual({
      type: 'source',
      source: { id: 'd', title: 'Doc', media_type: 'text/plain', filename: 'd.txt' },
    })
    const result = { type: 'tool-result', toolName: 'search' }
    expect(promptOf(again, 'v4')[0]?.content).toEqual([
      { type: 'custom', kind: 'p.note', providerOptions: meta },
      { type: 'tool-call', toolCallId: 's', toolName: 'search', input: { q: 1 }, providerExecuted: true },
      { ...result, toolCallId: 's', output: { type: 'text', value: 'Found.' }, providerOptions: meta },
      { ...result, toolCallId: 't', output: { type: 'error-json', value: { code: 1 } } },
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' }, providerOptions: meta },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'AQ==' } },
      { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL('https://a.example/b.png') } },
    ])
  })

  it('with an address that is no URL are refused', () => {
    const message = new ChatMessage({ content: [{ type: 'image_url', image_url: { url: 'cat.png' } }] })
    const failure = { code: 'model_call', kind: 'bad_request', message: expect.stringContaining('cat.png') }
    expect(() => promptOf(message, 'v4')).toThrow(expect.objectContaining(failure))
  })

  it('are left out if another adapter wrote them', () => {
    const parts = [{ type: 'provider' as const, adapter: 'other', data: { type: 'custom' } }]
    expect(promptOf(new ChatMessage({ role: 'assistant', content: '', parts }), 'v4')[0]?.content).toEqual([])
  })
})

describe('a stream', () => {
  it('begins a new part when the id of a block comes again, and leaves the pieces of provided calls out', () => {
    const reader = new AiSdkReader()
    const block = (delta: string): AiSdkPart[] => [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta },
      { type: 'text-end', id: '0', providerMetadata: meta },
    ]
    const call: AiSdkPart[] = [
      { type: 'tool-input-start', id: 's', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 's', delta: '{}' },
      { type: 'tool-input-end', id: 's' },
    ]
    for (const part of [...block('A'), ...call, ...block('B'), finish]) reader.addPiece(part)
    const { message } = reader.answer.response()
    expect(toolCallsOf(message)).toEqual([])
    expect(messageParts(message)).toEqual(['A', 'B'].map((text) => ({ type: 'text', text, provider_metadata: meta })))
  })
})

/** Returns the reader of these parts; objects without a type are chunks of a server, before their parts. */
const readerOf = (...parts: (AiSdkPart | { choices: unknown })[]) => {
  const reader = new AiSdkReader()
  for (const part of parts) reader.addPiece('type' in part ? part : { type: 'raw', rawValue: part })
  return reader
}
const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] })

describe('the chunks of a server', () => {
  it.each<[unknown, string[], string | null]>([
    ['length', [], 'length'],
    [{ unified: 'tool-calls', raw: 'x' }, [], 'tool_calls'],
    [{ unified: 'stop', raw: 'pause_turn' }, [], 'pause'],
    [{ unified: 'other', raw: 'length' }, ['stop'], 'length'],
    [{ unified: 'other', raw: '' }, ['length', ''], 'length'],
    [{ unified: 'other' }, [], null],
    [undefined, [], null],
  ])('say why the model stopped, if the AI SDK does not: %j after %j', (finishReason, reasons, expected) => {
    const chunks = reasons.map((finish_reason) => choice({ finish_reason }))
    const reader = readerOf(...chunks, { type: 'finish', finishReason, usage: {} } as AiSdkPart)
    expect(reader.answer.finishReason).toBe(expected)
  })

  it('have the usage, if the AI SDK does not', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const used = (own: object) => {
      const reader = readerOf(choice({ usage }), choice({}), { ...finish, usage: own } as AiSdkPart)
      return usageOf(reader.answer.response())?.totalTokens
    }
    expect([used({}), used({ inputTokens: 5, outputTokens: 5, totalTokens: 10 })]).toEqual([3, 10])
  })

  it('of another choice are left out, with their reason, unless the server numbers its tokens', () => {
    const said = (delta: string): AiSdkPart => ({ type: 'text-delta', id: '0', delta })
    const other = { index: 1, delta: { content: 'B' }, finish_reason: 'length' }
    const role = { index: 1, delta: { role: 'assistant', content: '' } }
    const reader = readerOf(
      ...[
        choice(role),
        choice({ delta: { content: 'A' }, finish_reason: 'stop' }),
        said('A'),
        choice(other),
        said('B'),
      ],
      { type: 'finish', finishReason: { unified: 'other' }, usage: {} } as unknown as AiSdkPart,
    )
    expect([reader.answer.response().message.content, reader.answer.finishReason]).toEqual(['A', 'stop'])
    const numbered = ['A', 'B'].flatMap((content, at) => [choice({ index: at + 1, delta: { content } }), said(content)])
    expect(readerOf(...numbered).answer.response().message.content).toBe('AB')
  })

  it('are errors if a choice is one', () => {
    expect(() => readerOf(choice({ error: new Error('full') }))).toThrow('full')
  })

  const calls = [{ index: 0, id: 'a', function: { name: 'pay', arguments: '{"to":"ann"}' } }]
  const unread = (more: object, name = 'AI_TypeValidationError'): AiSdkPart => ({
    type: 'error',
    error: Object.assign(new Error('unread'), { name, ...more }),
  })

  it.each([
    [[unread({ value: { choices: null } })], true],
    [[unread({ value: { type: 'ping' } })], true],
    [[unread({ text: ' ' }, 'AI_JSONParseError')], true],
    [[choice({ delta: { tool_calls: calls } }), unread({ value: { choices: [] } })], true],
    [[choice({ delta: { content: 'A' } }), unread({ value: { choices: null } })], false],
    [[unread({ text: '{"a' }, 'AI_JSONParseError')], false],
    [[unread({ value: { choices: [], model: 'm' } })], false],
    [[unread({ value: { type: 'ping', id: 1 } })], false],
    [[unread({ value: { choices: null } }, 'AI_APICallError')], false],
  ])('that the AI SDK cannot read are errors, unless nothing is lost: %j', (parts, isRead) => {
    if (isRead) expect(() => readerOf(...parts)).not.toThrow()
    else expect(() => readerOf(...parts)).toThrow('unread')
  })

  it('have calls of tools that the AI SDK cannot read', () => {
    const reader = readerOf(choice({ delta: { tool_calls: calls } }), unread({ value: { choices: [] } }))
    expect(toolCallsOf(reader.answer.response().message)).toMatchObject([
      { id: 'a', name: 'pay', arguments: '{"to":"ann"}' },
    ])
  })
})

describe('a call of a tool', () => {
  it('has the whole arguments in place of its pieces, as JSON', () => {
    const args = (...parts: AiSdkPart[]) => toolCallsOf(readerOf(...parts).answer.response().message)[0]?.arguments
    const [start, piece] = [
      { type: 'tool-input-start', id: 'a', toolName: 'pay' },
      { type: 'tool-input-delta', id: 'a', delta: '{"to":1}' },
    ]
    const whole = (input: unknown) => ({ type: 'tool-call', toolCallId: 'a', toolName: 'pay', input }) as AiSdkPart
    expect(args(start!, piece!)).toBe('{"to":1}')
    expect(args(start!, piece!, whole('{"to":1}'))).toBe('{"to":1}')
    expect([args(whole({ to: 2 })), args(whole(undefined))]).toEqual(['{"to":2}', '{}'])
  })

  it('of reasoning blocks and text keep their own metadata', () => {
    const parts = ['reasoning', 'text'].flatMap((kind): AiSdkPart[] => [
      { type: `${kind}-start`, id: '0' },
      { type: `${kind}-delta`, id: '0', delta: kind },
      { type: `${kind}-end`, id: '0', providerMetadata: meta },
    ])
    expect(messageParts(readerOf(...parts).answer.response().message)).toEqual([
      { type: 'reasoning', text: 'reasoning', provider_metadata: meta },
      { type: 'text', text: 'text', provider_metadata: meta },
    ])
  })
})

describe('a request', () => {
  const optionsOf = (options: object, tools = {}, specificationVersion = 'v4') =>
    callOptions([], options as CallOptions, { specificationVersion, tools })

  it('has tools, and how the model chooses one, only if there are tools', () => {
    const tool = { type: 'function', function: { name: 'pay', description: 'Pays.', parameters: { type: 'object' } } }
    const sent = { type: 'function', name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }
    expect(optionsOf({ tools: [tool] })).toMatchObject({ tools: [sent], toolChoice: { type: 'auto' } })
    const toolChoice = { type: 'function', function: { name: 'pay' } }
    expect(optionsOf({ tools: [tool], toolChoice })).toMatchObject({ toolChoice: { type: 'tool', toolName: 'pay' } })
    expect(Object.keys(optionsOf({ tools: [] }))).not.toContain('tools')
    const search = { search: { id: 'p.search', args: { most: 1 } } }
    expect(['v2', 'v3', 'v4'].map((version) => optionsOf({}, search, version)['tools'])).toEqual(
      ['provider-defined', 'provider', 'provider'].map((type) => [{ type, name: 'search', ...search.search }]),
    )
  })

  it('has headers, stop sequences and other options as they are', () => {
    const headers = { a: 'b' }
    expect(optionsOf({ headers, stop: ['x'], maxTokens: 3, topP: 0.5 })).toMatchObject({
      headers,
      stopSequences: ['x'],
      maxOutputTokens: 3,
      topP: 0.5,
    })
    expect(optionsOf({}).headers).toBeUndefined()
  })

  it('has one message for the results of a turn, and the roles of the others', () => {
    const own = { providerOptions: { p: { cache: true } } }
    const call = { type: 'tool_call' as const, id: null, name: 'pay', arguments: '' }
    const raw = {
      type: 'provider' as const,
      adapter: 'ai_sdk',
      data: { type: 'tool-call', toolCallId: 's', input: { q: 1 } },
    }
    const found = { type: 'provider' as const, adapter: 'ai_sdk', data: { type: 'tool-result', result: { hits: 1 } } }
    const messages = [
      new ChatMessage({
        role: 'developer',
        content: 'Be kind.',
        additionalKwargs: { provider_options: own.providerOptions },
      }),
      new ChatMessage({ role: 'user', content: 'Hi' }),
      new ChatMessage({ role: 'assistant', content: null, parts: [call, raw, found] as never }),
      ...['a', 'b'].map((id) => new ChatMessage({ role: 'tool', content: id, additionalKwargs: { tool_call_id: id } })),
    ]
    const { prompt } = callOptions(messages, {}, { specificationVersion: 'v4', tools: {} })
    const result = (id: string) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: '',
      output: { type: 'text', value: id },
    })
    expect(prompt).toEqual([
      { role: 'system', content: 'Be kind.', ...own },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: '', toolName: 'pay', input: {} },
          { type: 'tool-call', toolCallId: 's', input: { q: 1 }, providerExecuted: true },
          { type: 'tool-result', output: { type: 'json', value: { hits: 1 } } },
        ],
      },
      { role: 'tool', content: ['a', 'b'].map(result) },
    ])
  })
})

describe('images and files in the output of a tool', () => {
  const pdf = { url: 'data:application/pdf;base64,AQ==', media_type: 'application/pdf', filename: 'a.pdf' }
  const content = [
    { type: 'text' as const, text: 'See:' },
    { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'image_url' as const, image_url: { url: 'https://a.example/b.png' } },
    { type: 'file' as const, file: pdf },
    { type: 'file' as const, file: { url: 'https://a.example/c.pdf', media_type: 'application/pdf' } },
  ]
  const text = { type: 'text', text: 'See:' }
  it.each([
    [
      'v2',
      [
        text,
        { type: 'media', data: 'AAAA', mediaType: 'image/png' },
        { type: 'text', text: 'https://a.example/b.png' },
        { type: 'media', data: 'AQ==', mediaType: 'application/pdf' },
        { type: 'text', text: 'https://a.example/c.pdf' },
      ],
    ],
    [
      'v3',
      [
        text,
        { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
        { type: 'image-url', url: 'https://a.example/b.png' },
        { type: 'file-data', data: 'AQ==', mediaType: 'application/pdf', filename: 'a.pdf' },
        { type: 'file-url', url: 'https://a.example/c.pdf', mediaType: 'application/pdf' },
      ],
    ],
  ])('have the form of specification %s', (version, value) => {
    const message = new ChatMessage({ role: 'tool', content, additionalKwargs: { name: 'see', tool_call_id: 'c' } })
    expect(promptOf(message, version)).toEqual([
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'see', output: { type: 'content', value } }],
      },
    ])
  })
})

/** What becomes of a part: a part of the message, data about the answer, or nothing. A type that is new here does not compile. */
const known: Record<
  LanguageModelV4Content['type'] | LanguageModelV4StreamPart['type'],
  'message' | 'answer' | 'nothing'
> = {
  text: 'message',
  'text-start': 'message',
  'text-delta': 'message',
  'text-end': 'message',
  reasoning: 'message',
  'reasoning-start': 'message',
  'reasoning-delta': 'message',
  'reasoning-end': 'message',
  'reasoning-file': 'message',
  file: 'message',
  source: 'message',
  custom: 'message',
  'tool-input-start': 'message',
  'tool-input-delta': 'message',
  'tool-input-end': 'nothing',
  'tool-call': 'message',
  'tool-result': 'message',
  'tool-approval-request': 'nothing',
  'stream-start': 'nothing',
  'response-metadata': 'nothing',
  raw: 'nothing',
  ping: 'nothing',
  error: 'answer',
  finish: 'answer',
}

/** The parts of type `custom` of the newest providers, and whether they are part of the message. */
const kinds: Record<string, boolean> = {
  'anthropic.container_upload': true,
  'anthropic.fallback': true,
  'anthropic.message_start': false,
  'google.processing_call': true,
  'google.processing_result': true,
  'openai.compaction': true,
}

const part = (type: string): AiSdkPart => ({
  type,
  id: 'i',
  text: 'T',
  delta: 'T',
  toolCallId: 'c',
  toolName: 'pay',
  input: '{}',
  data: 'AAAA',
  mediaType: 'image/png',
  error: new Error('broken'),
  finishReason: 'stop',
})

describe('parts of the newest specification', () => {
  it.each(Object.entries(known))('of type %s become: %s', (type, expected) => {
    const reader = new AiSdkReader()
    let isThrown = false
    try {
      reader.addPiece(part(type))
    } catch {
      isThrown = true
    }
    const { message } = reader.answer.response()
    const { content, additionalKwargs, parts } = message
    const isMessage = content !== '' || parts !== null || Object.keys(additionalKwargs).length > 0
    const isAnswer = isThrown || reader.answer.finishReason !== null
    expect(isMessage ? 'message' : isAnswer ? 'answer' : 'nothing').toBe(expected)
  })

  it.each(['anthropic', 'google', 'openai'])('of type custom are known for %s', (provider) => {
    const source = readFileSync(new URL(`../node_modules/@ai-sdk/${provider}/dist/index.js`, import.meta.url), 'utf8')
    const found = new Set([...source.matchAll(/ind: "([a-z]+\.[a-z_]+)"/gi)].map(([, kind]) => kind!))
    expect([...found].sort()).toEqual(
      Object.keys(kinds)
        .filter((kind) => kind.startsWith(`${provider}.`))
        .sort(),
    )
  })

  it.each(Object.entries(kinds))('%s is part of the message: %s', (kind, isMessage) => {
    const reader = new AiSdkReader()
    reader.addPiece({ ...part('custom'), kind })
    expect(reader.answer.response().message.parts !== null).toBe(isMessage)
  })
})
