import { describe, expect, it } from 'vitest'
import { AnswerBuilder } from './answer-builder.ts'
import { ChatMessage } from './chat-message.ts'
import { reasoningOf, toolCallsOf } from './message-content.ts'
import { messageParts, partsText } from './message-parts.ts'

const signed = { anthropic: { signature: 's' } }

/** The answer of a model that thinks between its texts. */
function interleaved(): ChatMessage {
  const answer = new AnswerBuilder()
  answer.addReasoning('One.', 'r1', signed)
  answer.addText('A. ', 't1')
  answer.addReasoning('Two.', 'r2')
  answer.addToolCall({ key: 'c', id: 'c', name: 'add', arguments: '{}', metadata: { m: 1 } })
  answer.addText('B.', 't2')
  return answer.response().message
}

const types = (message: ChatMessage) => messageParts(message).map(({ type }) => type)

describe('messageParts', () => {
  it('returns what the model wrote in its order, also after JSON', () => {
    const message = ChatMessage.fromJson(interleaved().toJson())
    expect(message.content).toBe('A. B.')
    expect(messageParts(message)).toEqual([
      { type: 'reasoning', text: 'One.', provider_metadata: signed },
      { type: 'text', text: 'A. ' },
      { type: 'reasoning', text: 'Two.' },
      { type: 'tool_call', id: 'c', name: 'add', arguments: '{}', provider_metadata: { m: 1 } },
      { type: 'text', text: 'B.' },
    ])
    expect(reasoningOf(message).map(({ text }) => text)).toEqual(['One.', 'Two.'])
  })

  it('is null in messages that text, reasoning and calls describe completely', () => {
    const answer = new AnswerBuilder()
    answer.addReasoning('Hm.', 'r', signed)
    answer.addReasoning('So.', 's')
    answer.addText('A.')
    answer.addToolCall({ key: 0, id: 'c', name: 'add' })
    const { message } = answer.response()
    expect(message.parts).toBeNull()
    expect(message.toDict()).not.toHaveProperty('parts')
    expect(types(message)).toEqual(['reasoning', 'reasoning', 'text', 'tool_call'])
    const unordered = new AnswerBuilder()
    unordered.addToolCall({ key: 0, id: 'c', name: 'add' })
    unordered.addText('A.')
    expect(unordered.response().message.parts).toBeNull()
  })

  it.each([
    ['two texts', (answer: AnswerBuilder) => void ['1', '2'].map((block) => answer.addText('A', block))],
    ['data of a text', (answer: AnswerBuilder) => answer.addText('A', '1', signed)],
    [
      'text after a call',
      (answer: AnswerBuilder) => {
        answer.addToolCall({ name: 'add' })
        answer.addText('A', '1')
      },
    ],
    ['a source', (answer: AnswerBuilder) => answer.addPart({ type: 'source', source: { url: 'https://a.example' } })],
  ])('stores the parts for %s', (_, add) => {
    const answer = new AnswerBuilder()
    add(answer)
    expect(answer.response().message.parts).not.toBeNull()
  })

  it('has the current ids and arguments of the calls', () => {
    const message = interleaved()
    const tool_calls = [{ id: 'T/1/0', name: 'add', arguments: { a: 1 } }]
    const renamed = message.copy({ update: { additionalKwargs: { tool_calls } } })
    expect(messageParts(renamed)[3]).toEqual({ type: 'tool_call', id: 'T/1/0', name: 'add', arguments: { a: 1 } })
  })

  it('returns the changed text and calls in the flat order, and the reasoning with its data', () => {
    const message = interleaved()
    const edited = message.copy({ update: { content: 'C.' } })
    expect(messageParts(edited).slice(0, 3)).toEqual([
      { type: 'reasoning', text: 'One.', provider_metadata: signed },
      { type: 'reasoning', text: 'Two.' },
      { type: 'text', text: 'C.' },
    ])
    expect(types(message.copy({ update: { additionalKwargs: {} } }))).toEqual(['reasoning', 'reasoning', 'text'])
    expect(types(message.copy({ update: { content: ' A. B.\n' } }))).toEqual(types(message))
  })

  it('returns text, images and files of the content of other messages', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
    const content = [{ type: 'text' as const, text: 'Look:' }, image]
    expect(messageParts(new ChatMessage({ content }))).toEqual(content)
    expect(messageParts(new ChatMessage({ content: '' }))).toEqual([])
  })

  it.each([[[null]], [['text']], ['parts'], [{}]])('refuses parts that are not objects: %j', (parts) => {
    expect(() => ChatMessage.fromDict({ role: 'assistant', content: '', parts })).toThrow(/parts/)
  })
})

describe('AnswerBuilder', () => {
  it('counts a call as soon as its name is known, and never without a name', () => {
    const answer = new AnswerBuilder()
    answer.addToolCall({ key: 'a', id: 'a', arguments: '{' })
    expect(answer.isChanged).toBe(false)
    answer.addToolCall({ key: 'b', id: 'b', name: 'add', arguments: '{}' })
    expect(toolCallsOf(answer.response().message)).toEqual([{ id: 'b', name: 'add', arguments: '{}' }])
    answer.addToolCall({ key: 'a', name: 'sub', arguments: '}' })
    const { message, additionalKwargs } = answer.response({ stream: true })
    expect(additionalKwargs['tool_call_deltas']).toEqual([{ index: 1, id: 'a', name: 'sub', arguments: '{}' }])
    expect(toolCallsOf(message).map(({ id }) => id)).toEqual(['b', 'a'])
  })
})

it('writes text unchanged, one line per image and file without its data, and no reasoning', () => {
  const data = (type: string) => `data:${type};base64,${'A'.repeat(1000)}`
  const text = partsText([
    { type: 'text', text: 'a\nb' },
    { type: 'reasoning', text: 'secret' },
    { type: 'image_url', image_url: { url: data('image/png') } },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    { type: 'file', file: { url: data('application/pdf'), media_type: 'application/pdf', filename: 'r.pdf' } },
    { type: 'file', file: { url: data('text/csv'), media_type: 'text/csv' } },
  ])
  expect(text.split('\n')).toEqual([
    'a',
    'b',
    '[image image/png]',
    '[image https://example.com/a.png]',
    '[file r.pdf application/pdf]',
    '[file text/csv]',
  ])
})

it('is empty without parts', () => {
  expect(partsText([])).toBe('')
})
