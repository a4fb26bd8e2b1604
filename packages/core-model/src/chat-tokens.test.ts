import { describe, expect, it } from 'vitest'
import { chatTokens, defaultFileTokens, defaultImageTokens } from './chat-tokens.ts'
import { ChatMessage } from './messages/chat-message.ts'

const tokenizer = (text: string) => text.split(' ').length
const tokens = (content: unknown, additionalKwargs: Record<string, unknown> = {}) =>
  chatTokens([ChatMessage.construct({ content, additionalKwargs })], { tokenizer })

describe('chatTokens', () => {
  it('counts strings, text parts and null', () => {
    expect(tokens('one two')).toBe(2)
    expect(tokens('')).toBe(0)
    expect(tokens(null)).toBe(0)
    expect(
      tokens([
        { type: 'text', text: 'a b' },
        { type: 'text', text: 'c' },
      ]),
    ).toBe(3)
  })

  it('never counts the bytes of an image or a file as text', () => {
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`
    expect(tokens([{ type: 'image_url', image_url: { url } }])).toBe(defaultImageTokens)
    expect(tokens([{ type: 'input_image', image_url: url }])).toBe(defaultImageTokens)
    expect(tokens([{ type: 'image', source: { data: url } }])).toBe(defaultImageTokens)
    expect(tokens([{ type: 'file', file: { url, media_type: 'application/pdf' } }])).toBe(defaultFileTokens)
    expect(tokens([{ type: 'document', source: { data: url } }])).toBe(defaultFileTokens)
  })

  it('counts other content as JSON', () => {
    expect(tokens([{ type: 'refusal', refusal: 'No thank you' }])).toBe(3)
    expect(tokens(['a b', null])).toBe(3)
    expect(tokens({ a: 'b c' })).toBe(2)
  })

  it('counts names and arguments of tool calls, as JSON text or as an object', () => {
    const nested = { id: 'x', type: 'function', function: { name: 'add', arguments: '{"a": 1, "b": 2}' } }
    expect(tokens(null, { tool_calls: [nested] })).toBe(5)
    expect(tokens('Let me', { tool_calls: [{ name: 'add', arguments: { text: 'a b' } }] })).toBe(5)
    expect(tokens('', { tool_calls: [{ name: 'now' }] })).toBe(1)
  })

  it('counts reasoning once, in the content or in additionalKwargs', () => {
    const part = { type: 'reasoning', text: 'I must add' }
    expect(tokens([part, { type: 'text', text: 'Hi' }])).toBe(4)
    expect(tokens('Hi', { reasoning: [part] })).toBe(4)
    expect(tokens([part], { reasoning: [part] })).toBe(3)
  })

  it('uses partTokens unless it returns undefined', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'a.png', detail: 'low' } },
      { type: 'text', text: 'a b' },
      { type: 'reasoning', text: 'a b c' },
    ]
    const partTokens = (part: { type: string }) =>
      part.type === 'image_url' ? 85 : part.type === 'reasoning' ? 0 : undefined
    expect(chatTokens([ChatMessage.construct({ content })], { tokenizer, partTokens })).toBe(87)
  })

  it('adds up messages and tools', () => {
    const message = new ChatMessage({ content: 'a b' })
    const parameters = { type: 'object', properties: {} }
    const tools = [
      { type: 'function' as const, function: { name: 'add', description: 'Adds two numbers', parameters } },
    ]
    expect(chatTokens([message, message], { tokenizer, tools })).toBe(4 + 3)
    expect(chatTokens([])).toBe(0)
  })

  it('estimates tokens without a tokenizer', () => {
    expect(chatTokens([new ChatMessage({ content: 'The quick brown fox' })])).toBe(6)
  })
})
