import { readFileSync } from 'node:fs'
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { ChatMessage, messageParts, toolCallsOf } from '@x/core-model'
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
