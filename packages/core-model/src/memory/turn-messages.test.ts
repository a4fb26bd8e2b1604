import { expect, it } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import { withResults } from './turn-messages.ts'

const calls = (...ids: string[]) =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: {
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })),
    },
  })
const result = (id: string) => new ChatMessage({ role: 'tool', content: id, additionalKwargs: { tool_call_id: id } })
const idsOf = (messages: readonly ChatMessage[]) =>
  messages.flatMap(({ additionalKwargs }) => additionalKwargs['tool_call_id'] ?? [])

it('the results are in the order of their calls, whichever of them has none', () => {
  const given = [calls('a', 'b', 'c'), result('c'), result('a'), calls('d', 'e'), result('e')]
  const { messages, calls: marks } = withResults(given, () => 'approval')
  expect(idsOf(messages)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(marks).toEqual({ b: 'approval', d: 'approval' })
  expect(messages.map(({ role }) => role).indexOf('assistant', 1)).toBe(4)
})

it('a result of no known call stays behind the others', () => {
  const { messages } = withResults([calls('a', 'b'), result('x'), result('b')], () => 'failed')
  expect(idsOf(messages)).toEqual(['a', 'b', 'x'])
})
