import { describe, expect, it } from 'vitest'
import { ChatMessage } from './chat-message.ts'
import type { MessageContent, MessagePart, ReasoningPart } from './content-part.ts'
import { reasoningOf, toolCallsOf } from './message-content.ts'
import { messageParts } from './message-parts.ts'
import { messageRoles } from './message-role.ts'

const text = (of: string) => ({ type: 'text' as const, text: of })
const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
const file = { type: 'file' as const, file: { url: 'https://a.example/a.pdf', media_type: 'application/pdf' } }
const call = { type: 'tool_call' as const, id: 'c', name: 'add', arguments: '{"a":1}' }
const signed = { provider_metadata: { p: { signature: 's' } } }

describe('a message that is made from parts', () => {
  it.each([...messageRoles, 'developer'] as const)('has their content as %s', (role) => {
    const message = new ChatMessage({ role, parts: [text('What is a pear?')] })
    expect(message).toEqual(new ChatMessage({ role, content: 'What is a pear?' }))
    expect(message.toDict()).toEqual({ role, content: 'What is a pear?', additional_kwargs: {} })
  })

  it.each<[string, MessagePart[], unknown]>([
    ['one text', [text('A')], 'A'],
    ['several texts', [text('A'), text('B')], [text('A'), text('B')]],
    ['text and an image', [text('Look:'), image], [text('Look:'), image]],
    ['a file', [file], [file]],
    ['text with data of the provider', [{ ...text('A'), ...signed }], 'A'],
    ['reasoning and text', [{ type: 'reasoning', text: 'Hm.', ...signed }, text('A')], 'A'],
    ['reasoning alone', [{ type: 'reasoning', text: 'Hm.' }], ''],
    ['text and a call', [text('A'), call], 'A'],
    ['a call before text', [call, text('A')], 'A'],
    ['a call alone', [call], null],
    ['text and a source', [text('A'), { type: 'source', source: { url: 'https://a.example' } }], 'A'],
    ['data of a provider', [{ type: 'provider', adapter: 'own', data: {} }, text('A')], 'A'],
    ['no parts', [], ''],
  ])('keeps %s', (_, parts, content) => {
    const message = new ChatMessage({ role: 'assistant', parts })
    expect(message.content).toEqual(content)
    expect(messageParts(message)).toEqual(parts)
    const read = ChatMessage.fromJson(message.toJson())
    expect(read.equals(message)).toBe(true)
    expect(messageParts(read)).toEqual(messageParts(message))
    expect(messageParts(new ChatMessage({ ...message, parts: messageParts(message) }))).toEqual(messageParts(message))
  })

  it('keeps parts of other types, which other programs may write', () => {
    const audio = { type: 'input_audio', input_audio: { data: '' } } as never
    expect(new ChatMessage({ parts: [text('A'), audio] }).content).toEqual([text('A'), audio])
  })

  it('stores a call once, with the data of the provider', () => {
    const message = new ChatMessage({ role: 'assistant', parts: [{ ...call, ...signed }, text('A')] })
    expect(message.additionalKwargs).toEqual({
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{"a":1}' }, ...signed }],
    })
    expect(message.parts).toEqual([{ type: 'tool_call' }, text('A')])
    expect(toolCallsOf(message)).toEqual([{ id: 'c', name: 'add', arguments: '{"a":1}' }])
  })

  it('has the calls of its parts, also beside others', () => {
    const additionalKwargs = { tool_calls: [], note: 1 }
    const message = new ChatMessage({ role: 'assistant', parts: [call], additionalKwargs })
    expect(toolCallsOf(message).map(({ name }) => name)).toEqual(['add'])
    expect(message.additionalKwargs['note']).toBe(1)
  })

  it('stores its parts only where they say more', () => {
    expect(new ChatMessage({ parts: [text('Look:'), image] }).parts).toBeNull()
    expect(new ChatMessage({ role: 'assistant', parts: [text('A'), call] }).parts).toEqual([
      text('A'),
      { type: 'tool_call' },
    ])
    expect(new ChatMessage({ parts: [text('A'), text('B')] }).parts).not.toBeNull()
  })

  it('accepts the same content beside the parts', () => {
    const parts = [text('A. '), { type: 'tool_call' as const }, text('B.')]
    const additionalKwargs = { tool_calls: [{ id: 'c', name: 'add', arguments: '{}' }] }
    for (const content of ['A. B.', ' A. B.\n', [text('A. '), text('B.')]])
      expect(new ChatMessage({ role: 'assistant', content, parts, additionalKwargs }).parts).toEqual(parts)
    expect(new ChatMessage({ content: [text('A'), image], parts: [text('A'), image] }).content).toEqual([
      text('A'),
      image,
    ])
    const more = [{ ...image, ...signed }, text('A')]
    expect(new ChatMessage({ role: 'assistant', content: [image, text('A')], parts: more }).parts).toEqual(more)
    expect(new ChatMessage({ role: 'assistant', content: 'A', parts: more }).content).toBe('A')
    expect(new ChatMessage({ content: 'A', parts: null }).content).toBe('A')
  })

  it.each<[string, object]>([
    ['another text', { content: 'B', parts: [text('A')] }],
    ['no text', { content: '', parts: [text('A')] }],
    ['null', { content: null, parts: [text('A')] }],
    ['text without parts', { content: 'A', parts: [] }],
    ['text without the image', { content: 'A', parts: [text('A'), image] }],
    ['another image', { content: [file], parts: [image] }],
  ])('refuses content that differs from the parts: %s', (_, options) => {
    expect(() => new ChatMessage(options as never)).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        message: expect.stringContaining('ChatMessage.content: expected the content of parts'),
      }),
    )
  })

  it('reads stored data whose content was changed after the parts', () => {
    const dict = { role: 'assistant', content: 'B', additional_kwargs: {}, parts: [text('A')] }
    const message = ChatMessage.fromDict(dict)
    expect(message.toDict()).toEqual(dict)
    expect(messageParts(message)).toEqual([text('B')])
    expect(() => ChatMessage.fromDict({ ...dict, content: new Date(0) })).toThrow(/ChatMessage\.content/)
    expect(() => ChatMessage.fromDict({ ...dict, parts: ['A'] })).toThrow(/ChatMessage\.parts/)
  })
})

const assistant = (additionalKwargs: Record<string, unknown>, content: MessageContent = '') =>
  new ChatMessage({ role: 'assistant', content, additionalKwargs })

describe('toolCallsOf', () => {
  it('reads nested and flat calls, and the names that providers use for arguments', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'add', arguments: '{"x":1}' } },
      { id: 'b', name: 'add', arguments: { x: 2 } },
      { id: 'c', name: 'add', input: { x: 3 } },
      { id: 'd', name: 'add', args: { x: 4 } },
    ]
    expect(toolCallsOf(assistant({ tool_calls: calls }))).toEqual([
      { id: 'a', name: 'add', arguments: '{"x":1}' },
      { id: 'b', name: 'add', arguments: { x: 2 } },
      { id: 'c', name: 'add', arguments: { x: 3 } },
      { id: 'd', name: 'add', arguments: { x: 4 } },
    ])
  })

  it('returns null as id if the provider sends no id', () => {
    expect(toolCallsOf(assistant({ tool_calls: [{ name: 'now' }, { id: '', name: 'now' }] }))).toEqual([
      { id: null, name: 'now', arguments: '' },
      { id: null, name: 'now', arguments: '' },
    ])
  })

  it('never throws for malformed calls', () => {
    const odd = [null, 5, 'x', [], { function: null }, { function: 5, name: 7 }, { arguments: [1] }, { name: null }]
    expect(toolCallsOf(assistant({ tool_calls: odd })).map(({ name }) => name)).toEqual([
      '',
      '',
      '',
      '',
      '',
      '7',
      '',
      '',
    ])
    for (const tool_calls of [undefined, null, {}, 'x']) expect(toolCallsOf(assistant({ tool_calls }))).toEqual([])
  })
})

describe('reasoningOf', () => {
  it('reads parts of the content first', () => {
    const part: ReasoningPart = { type: 'reasoning', text: 'Hm.', provider_metadata: { anthropic: { signature: 's' } } }
    expect(reasoningOf(assistant({ reasoning: 'other' }, [part, { type: 'text', text: 'Hi' }]))).toEqual([part])
  })

  it('reads a string, an array of strings, and parts', () => {
    expect(reasoningOf(assistant({ reasoning: 'Hm.' }))).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    expect(reasoningOf(assistant({ reasoning_content: 'Hm.' }))).toEqual([{ type: 'reasoning', text: 'Hm.' }])
    expect(reasoningOf(assistant({ reasoning: ['a', { text: 'b', provider_metadata: { x: 1 } }] }))).toEqual([
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: 'b', provider_metadata: { x: 1 } },
    ])
  })

  it('returns an empty array without reasoning', () => {
    for (const reasoning of [undefined, null, '', 5, [null, 5, {}]])
      expect(reasoningOf(assistant({ reasoning }))).toEqual([])
  })
})
