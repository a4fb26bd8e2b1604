import { expect, it } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import { withoutTurn, withResults } from './turn-messages.ts'

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

it('a conversation without a turn has the rest, and is the same if the turn is not there or goes on', () => {
  const say = (role: 'user' | 'assistant', content: string) => new ChatMessage({ role, content })
  const [turn, next] = [() => [say('user', 'a'), say('assistant', 'b')], say('user', 'c')]
  expect(withoutTurn([...turn(), ...turn(), next], turn())).toEqual([...turn(), next])
  expect(withoutTurn(turn(), turn())).toEqual([])
  const longer = [...turn(), say('assistant', 'more'), next]
  for (const absent of [null, [], turn(), [say('user', 'c'), say('user', 'd')], [say('assistant', 'c')]])
    expect(withoutTurn(longer, absent)).toBe(longer)
})
