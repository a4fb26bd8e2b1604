import { describe, expect, it } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import type { MessageRole } from '../messages/message-role.ts'
import { firstMessages, messageTokens, newestRead, newestWithin, turnStart } from './newest-messages.ts'

const message = (role: MessageRole, content: string) => new ChatMessage({ role, content })
const words = (text: string) => text.split(' ')
/** `u` of the user, `a` of the assistant, `t` of a tool; a word each. */
const roles = { u: 'user', a: 'assistant', t: 'tool', s: 'system' } as const
const conversation = (letters: string) =>
  [...letters].map((letter, i) => message(roles[letter as keyof typeof roles], `${letter}${i}`))
const texts = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content)

describe('newestWithin', () => {
  const messages = conversation('uauatau')

  it.each<[number, string[]]>([
    [7, ['u0', 'a1', 'u2', 'a3', 't4', 'a5', 'u6']],
    [6, ['u2', 'a3', 't4', 'a5', 'u6']],
    [5, ['u2', 'a3', 't4', 'a5', 'u6']],
    [4, ['u6']],
    [1, ['u6']],
    [0, []],
  ])('returns what fits into %i tokens, without an answer or an output of a tool at its start', (room, expected) => {
    expect(texts(newestWithin(messages, room, words))).toEqual(expected)
  })

  it('counts empty contents as the tokenizer counts an empty string between two spaces, as Python does', () => {
    const contents = [new ChatMessage({ content: null }), message('user', ''), message('user', 'x')]
    expect(newestWithin(contents, 2, words)).toEqual(contents.slice(1))
    expect(newestWithin(contents, 3, words)).toBe(contents)
    expect(newestWithin(contents, 1, (text) => text.split(' ').filter(Boolean))).toBe(contents)
  })

  it('returns the same array if everything fits', () => {
    expect(newestWithin(messages, 7, words)).toBe(messages)
    expect(newestWithin([], 0, words)).toEqual([])
  })
})

describe('newestRead', () => {
  const all = conversation('ua'.repeat(20))
  const read = async (room: number, first?: number) => {
    const asked: number[] = []
    const last = async (count: number) => {
      asked.push(count)
      return all.slice(-count)
    }
    return { found: texts(await newestRead(last, room, words, first)), asked }
  }

  it('reads as many pages as it needs, each four times as long', async () => {
    for (const [room, asked] of [
      [1, [2]],
      [2, [2, 8]],
      [7, [2, 8]],
      [8, [2, 8, 32]],
      [32, [2, 8, 32, 128]],
      [100, [2, 8, 32, 128]],
    ] as const)
      expect(await read(room, 2)).toEqual({ found: texts(newestWithin(all, room, words)), asked })
  })

  it('reads a first page of 128 messages, and everything at once without a limit', async () => {
    expect((await read(100)).asked).toEqual([128])
    expect(await read(Number.MAX_SAFE_INTEGER)).toEqual({ found: texts(all), asked: [Number.MAX_SAFE_INTEGER] })
  })
})

describe('the places of a conversation', () => {
  const messages = conversation('suatuatt')

  it('begin a turn at a message of the user, or at the start', () => {
    expect([0, 1, 2, 3, 4, 5, 7, 8].map((place) => turnStart(messages, place))).toEqual([0, 1, 1, 1, 4, 4, 4, 8])
    expect(turnStart(conversation('aa'), 1)).toBe(0)
  })

  it('keep the results of calls together with them', () => {
    expect([0, 1, 2, 3, 4, 6, 8].map((length) => firstMessages(messages, length).length)).toEqual([0, 1, 2, 4, 4, 8, 8])
    expect(texts(firstMessages(messages))).toEqual(texts(messages))
    expect(firstMessages(conversation('t'), 0)).toEqual([])
  })
})

it('messageTokens counts a message once per tokenizer, and again when it has changed', () => {
  const counted: string[] = []
  const counting = (text: string) => {
    counted.push(text)
    return words(text)
  }
  const one = message('user', 'a b')
  expect([messageTokens(one, counting), messageTokens(one, counting), counted]).toEqual([2, 2, ['a b']])
  one.content = 'c'
  expect([messageTokens(one, counting), counted.at(-1)]).toEqual([1, 'c'])
  one.additionalKwargs = { tool_calls: [{ id: 'x', name: 'n', arguments: 'd e' }] }
  expect(messageTokens(one, counting)).toBe(4)
  expect(messageTokens(one, (text) => [...text])).toBe(5)
})
