import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import type { ChatStore } from '../messages/chat-store.ts'
import { SimpleChatStore } from '../messages/simple-chat-store.ts'
import type { Turn } from '../messages/turn-store.ts'
import { turnsIn } from './turns-as-messages.ts'

/** A store of somebody else: the four methods of the contract, asynchronous, as JSON. */
class OtherStore implements ChatStore {
  readonly rows = new Map<string, string>()
  /** The number of writes until the process ends. */
  writes = Number.POSITIVE_INFINITY

  async getMessages(key: string) {
    return JSON.parse(this.rows.get(key) ?? '[]').map((message: unknown) => ChatMessage.fromDict(message))
  }
  async setMessages(key: string, messages: readonly ChatMessage[]) {
    if (this.writes-- <= 0) throw new Error('power cut')
    this.rows.set(key, JSON.stringify(messages.map((message) => message.toDict())))
  }
  async addMessage(key: string, message: ChatMessage, index?: number) {
    const messages = await this.getMessages(key)
    messages.splice(index ?? messages.length, 0, message)
    await this.setMessages(key, messages)
  }
  async deleteMessages(key: string) {
    const messages = this.rows.has(key) ? await this.getMessages(key) : null
    this.rows.delete(key)
    return messages
  }
}

const say = (content: string, role: 'user' | 'assistant' = 'user') => new ChatMessage({ role, content })
const turn = (task: string, ...messages: ChatMessage[]): Turn => ({ id: task, task, state: 'open', messages })

describe('turns in a store of messages', () => {
  it('keeps the messages as other programs read them', async () => {
    const store = new OtherStore()
    await turnsIn(store).begin('ann', undefined, () => [turn('t', say('Hi'))])
    const change = { marks: { state: 'done' as const }, from: 1, messages: [say('Hello', 'assistant')] }
    await turnsIn(store).save('ann', 't', change)
    expect(JSON.parse(store.rows.get('ann')!)).toEqual([say('Hi').toDict(), say('Hello', 'assistant').toDict()])
  })

  it('passes on the first message of the turn that answers a message, and none without its id', async () => {
    const turns = turnsIn(new SimpleChatStore())
    const firstOf = async (message?: string) => {
      let first: ChatMessage | undefined
      await turns.begin('ann', message, (all, found) => {
        first = found
        return all
      })
      return first?.content
    }
    await turns.begin('ann', undefined, () => [{ ...turn('a', say('one')), message: 'm' }])
    await turns.begin('ann', undefined, (all) => [...all, turn('b', say('two'))])
    expect([await firstOf('m'), await firstOf('other'), await firstOf()]).toEqual(['one', undefined, undefined])
  })

  it.each(['new words', 'one'])(
    'knows the message that it accepted or none, wherever the process ends: %s',
    async (words) => {
      for (let writes = 0; writes < 8; writes++) {
        const store = new OtherStore()
        const turns = turnsIn(store)
        const named = (task: string, text: string): Turn => ({ ...turn(task, say(text)), message: `m-${task}` })
        await turns.begin('ann', undefined, () => [named('a', 'one')])
        await turns.begin('ann', undefined, (all) => [...all, named('b', 'two')])
        store.writes = writes
        const begun = await Promise.resolve(
          turns.begin('ann', undefined, (all) => [...all.slice(0, 1), named('c', words)]),
        ).then(
          () => true,
          () => false,
        )
        const read = (await turns.read('ann')).map(({ message, messages }) => `${message} ${messages[0]?.content}`)
        const [before, after] = [
          ['m-a one', 'm-b two'],
          ['m-a one', `m-c ${words}`],
        ]
        expect(begun ? [after] : [before, after]).toContainEqual(read)
      }
    },
  )

  it('knows a turn whose message is replaced, wherever the process ends', async () => {
    for (let writes = 0; writes < 6; writes++) {
      const store = new OtherStore()
      const turns = turnsIn(store)
      await turns.begin('ann', undefined, () => [turn('a', say('one')), turn('b', say('held'))])
      store.writes = writes
      const change = { marks: { state: 'open' as const }, from: 0, messages: [say('two'), say('2', 'assistant')] }
      const isSaved = await Promise.resolve(turns.save('ann', 'b', change)).catch(() => false)
      const [before, after] = [
        ['a user: one', 'b user: held'],
        ['a user: one', 'b user: two,assistant: 2'],
      ]
      const read = (await turns.read('ann')).map(({ task, messages }) => `${task} ${messages.join()}`)
      expect(isSaved ? [after] : [before, after]).toContainEqual(read)
    }
  })

  it('has a result for each call, also when the process ends between two writes', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'n', arguments: '{}' } }
    const said = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
    const result = new ChatMessage({ role: 'tool', content: 'seen', additionalKwargs: { tool_call_id: 'c' } })
    const seen = new Set<string>()
    for (let writes = 1; writes < 8; writes++) {
      const store = new OtherStore()
      const turns = turnsIn(store)
      store.writes = writes
      const work = async () => {
        await turns.begin('ann', undefined, (all) => [...all, turn('a', say('one'))])
        await turns.save('ann', 'a', { marks: { state: 'open' }, from: 1, messages: [said, result] })
        const messages = [said, result, say('1', 'assistant')]
        await turns.save('ann', 'a', { marks: { state: 'done' }, from: 3, messages })
      }
      await work().catch((error) => expect(error.message).toBe('power cut'))
      seen.add((await store.getMessages('ann')).map(({ role }: ChatMessage) => role).join(' '))
    }
    const whole = 'user assistant tool'
    expect([...seen]).toEqual(['', 'user', whole, `${whole} assistant tool assistant`])
  })

  it('loses nothing when the process ends between two writes', async () => {
    for (let writes = 1; writes < 8; writes++) {
      const store = new OtherStore()
      const turns = turnsIn(store)
      store.writes = writes
      const work = async () => {
        await turns.begin('ann', undefined, (all) => [...all, turn('a', say('one'))])
        await turns.save('ann', 'a', { marks: { state: 'done' }, from: 1, messages: [say('1', 'assistant')] })
        await turns.begin('ann', undefined, (all) => [...all, turn('b', say('two'))])
        await turns.save('ann', 'b', { marks: { state: 'done' }, from: 1, messages: [say('2', 'assistant')] })
      }
      await work().catch((error) => expect(error.message).toBe('power cut'))
      store.writes = Number.POSITIVE_INFINITY
      const found = (await turns.read('ann')).map(({ messages }) => messages.map(String))
      const whole = [
        ['user: one', 'assistant: 1'],
        ['user: two', 'assistant: 2'],
      ]
      expect(found.flat()).toEqual(whole.flat().slice(0, found.flat().length))
      expect(found).toEqual(whole.slice(0, found.length).map((messages, i) => messages.slice(0, found[i]!.length)))
      // The task of an interrupted turn may go on.
      await turns.save('ann', 'a', {
        marks: { state: 'done' },
        from: 0,
        messages: [say('one'), say('again', 'assistant')],
      })
      const [first] = await turns.read('ann')
      if (first?.task === 'a') expect(first.messages.map(String)).toEqual(['user: one', 'assistant: again'])
    }
  })

  it('says of no turn what its messages do not say when the process ends between two writes', async () => {
    const store = new OtherStore()
    const turns = turnsIn(store)
    await turns.begin('ann', undefined, () => [
      { ...turn('a', say('one'), say('waits', 'assistant')), state: 'waiting' },
    ])
    store.writes = 1
    const ended = turns.begin('ann', undefined, () => [
      { ...turn('a', say('one'), say('ended', 'assistant')), state: 'stopped' },
    ])
    await expect(ended).rejects.toThrow('power cut')
    store.writes = Number.POSITIVE_INFINITY
    const [found] = await turns.read('ann')
    expect([found!.state, String(found!.messages[1])]).toEqual(['waiting', 'assistant: ended'])
  })

  it('finds its turns when another program removes messages', async () => {
    const store = new SimpleChatStore()
    const turns = turnsIn(store)
    await turns.begin('ann', undefined, () => [turn('a', say('one'), say('1', 'assistant'))])
    await turns.begin('ann', undefined, (all) => [...all, turn('b', say('two'), say('2', 'assistant'))])
    store.deleteMessage('ann', 1)
    expect((await turns.read('ann')).map(({ task, messages }) => [task, messages.length])).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    store.deleteMessage('ann', 0)
    expect((await turns.read('ann')).map(({ task }) => task)).toEqual(['b'])
  })
})

/** Returns the same messages in other objects. */
const copyOf = (store: SimpleChatStore) => SimpleChatStore.fromDict(JSON.parse(JSON.stringify(store.toDict())))

const oneTurn = async (store: SimpleChatStore, id: string, words = id) => {
  const turns = turnsIn(store)
  const messages = [new ChatMessage({ role: 'user', content: words })]
  await turns.begin('k', undefined, (all) => [...all, { id, task: id, state: 'open', messages }])
  const answer = new ChatMessage({ role: 'assistant', content: 'yes' })
  await turns.save('k', id, { marks: { state: 'done' }, from: 1, messages: [answer] })
}

it('reads the marks of earlier turns once', async () => {
  const store = new SimpleChatStore()
  for (let turn = 0; turn < 40; turn++) await oneTurn(store, `t${turn}`)
  const parse = vi.spyOn(JSON, 'parse')
  await oneTurn(store, 'last')
  expect(parse.mock.calls.length).toBeLessThan(10)
  parse.mockRestore()
  expect((await turnsIn(store).read('k')).map(({ id }) => id).at(-1)).toBe('last')
})

it('reads the same turns from messages that it has read before, whatever other programs change', async () => {
  const change = fc.record({ kind: fc.nat(5), at: fc.nat(12), words: fc.constantFrom('a', 'b', 'c') })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 14 }), async (changes) => {
      const store = new SimpleChatStore()
      for (const [index, { kind, at, words }] of changes.entries()) {
        if (kind < 2) await oneTurn(store, `t${index}`, words)
        else if (kind === 2) store.deleteMessage('k', at)
        else if (kind === 3) store.addMessage('k', new ChatMessage({ role: 'user', content: words }), at)
        else if (kind === 4) store.addMessage('k', new ChatMessage({ role: 'assistant', content: words }))
        else store.deleteMessage('k.turns', at)
        const plain = async (from: SimpleChatStore) =>
          (await turnsIn(from).read('k')).map(({ messages, ...marks }) => ({
            ...marks,
            messages: messages.map(String),
          }))
        expect(await plain(store)).toEqual(await plain(copyOf(store)))
      }
    }),
    { numRuns: 200 },
  )
})
