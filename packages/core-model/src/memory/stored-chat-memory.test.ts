import { describe, expect, it } from 'vitest'
import { ChatMessage } from '../messages/chat-message.ts'
import type { ChatStore } from '../messages/chat-store.ts'
import { LLMMetadata } from '../messages/responses.ts'
import { SimpleChatStore } from '../messages/simple-chat-store.ts'
import type { Turn, TurnStore } from '../messages/turn-store.ts'
import { ChatMemoryBuffer } from './chat-memory-buffer.ts'
import { countOf, StoredChatMemory, TurnMemory, turnMemoryOf } from './stored-chat-memory.ts'
import { turnsIn } from './turns-as-messages.ts'

/** A chat store that answers later, as a database does. */
class SlowChatStore implements ChatStore {
  readonly rows = new Map<string, ChatMessage[]>()

  private async later<T>(value: () => T): Promise<T> {
    await new Promise((resolve) => setTimeout(resolve, 1))
    return value()
  }
  setMessages(key: string, messages: readonly ChatMessage[]) {
    return this.later(() => void this.rows.set(key, [...messages]))
  }
  getMessages(key: string) {
    return this.later(() => [...(this.rows.get(key) ?? [])])
  }
  addMessage(key: string, message: ChatMessage) {
    return this.later(() => void this.rows.set(key, [...(this.rows.get(key) ?? []), message]))
  }
  deleteMessages(key: string) {
    return this.later(() => {
      const messages = this.rows.get(key) ?? null
      this.rows.delete(key)
      return messages
    })
  }
}

const make = (chatStore = new SlowChatStore(), conversationId = 'ann') =>
  new StoredChatMemory({ chatStore, conversationId })
const texts = (messages: readonly ChatMessage[] | undefined) => messages?.map(String)

describe('StoredChatMemory', () => {
  it('stores, returns, replaces and deletes the messages of its conversation', async () => {
    const store = new SlowChatStore()
    const memory = make(store)
    await make(store, 'bob').put({ content: 'Bob' })
    await memory.put({ content: 'one' })
    await memory.put({ role: 'assistant', content: 'two' })
    expect(texts(await memory.getAll())).toEqual(['user: one', 'assistant: two'])
    await memory.set([{ content: 'three' }])
    expect(texts(await memory.get())).toEqual(['user: three'])
    await expect(memory.set('four' as never)).rejects.toMatchObject({ code: 'model_validation' })
    await memory.reset()
    expect(await memory.getAll()).toEqual([])
    expect(texts(store.rows.get('bob'))).toEqual(['user: Bob'])
  })

  it('returns the newest messages within the limit', async () => {
    const memory = new StoredChatMemory({ chatStore: new SlowChatStore(), conversationId: 'a', tokenLimit: 2 })
    await memory.set([{ content: 'one two three' }, { content: 'four' }])
    expect(texts(await memory.get())).toEqual(['user: four'])
    expect(await memory.get({ initialTokenCount: 2 })).toEqual([])
    await expect(memory.get({ initialTokenCount: 3 })).rejects.toMatchObject({ code: 'token_limit' })
  })

  it('uses the limit of the model, and throws for invalid options', () => {
    const chatStore = new SlowChatStore()
    const llm = { metadata: new LLMMetadata({ contextWindow: 1000 }) }
    expect(new StoredChatMemory({ chatStore, conversationId: 'a', llm }).tokenLimit).toBe(750)
    for (const wrong of [{ tokenLimit: 0 }, { conversationId: 5 as never }, { lenght: 1 }, { length: -1 }])
      expect(() => new StoredChatMemory({ chatStore, conversationId: 'a', ...wrong })).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
  })

  it('has the results of the last calls among its first messages, when an earlier turn has gone on', async () => {
    const memory = make(new SlowChatStore())
    const call = (id: string) => ({
      role: 'assistant' as const,
      content: null,
      additionalKwargs: { tool_calls: [{ id, type: 'function', function: { name: 'n', arguments: '{}' } }] },
    })
    const result = (id: string) => ({ role: 'tool' as const, content: id, additionalKwargs: { tool_call_id: id } })
    const last = [{ content: 'Two?' }, { role: 'assistant' as const, content: 'two' }]
    await memory.set([{ content: 'One?' }, call('a'), result('a'), call('b'), result('b'), result('c'), ...last])
    const roles = async (length: number) => (await memory.upTo(length).get()).map(({ role }) => role)
    expect(await roles(0)).toEqual([])
    expect(await roles(1)).toEqual(['user'])
    for (const length of [2, 3]) expect(await roles(length)).toEqual(['user', 'assistant', 'tool'])
    for (const length of [4, 5, 6]) expect(await roles(length)).toHaveLength(6)
    expect(await roles(7)).toHaveLength(7)
    expect(await roles(20)).toHaveLength(8)
  })
})

describe('a long conversation', () => {
  const content = (i: number) => `message ${i}`
  const long = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => new ChatMessage({ role: i % 2 ? 'assistant' : 'user', content: content(i) }),
    )

  it.each([100, 128, 129, 2000])('of %i messages is read from its end, as far as the limit allows', async (count) => {
    const chatStore = new SimpleChatStore()
    chatStore.setMessages('ann', long(count))
    const pages: number[] = []
    const getLast = (key: string, last: number) => {
      pages.push(last)
      return chatStore.getLast(key, last)
    }
    const counted = Object.assign(Object.create(chatStore), {
      getLast,
      getMessages: chatStore.getMessages.bind(chatStore),
    })
    for (const tokenLimit of [10, 500, 3000, 1_000_000]) {
      const whole = new ChatMemoryBuffer({ tokenLimit, chatStore, chatStoreKey: 'ann' }).get()
      const memory = new StoredChatMemory({ chatStore: counted, conversationId: 'ann', tokenLimit })
      expect((await memory.get()).map(String)).toEqual(whole.map(String))
    }
    expect(pages[0]).toBe(128)
    expect(Math.max(...pages)).toBeLessThan(5 * Math.max(count, 128))
  })

  it.each([
    [127, [128, 128]],
    [128, [128, 512, 192]],
    [300, [128, 512, 364]],
  ])('of %i messages is read with one page the second time: %j', async (count, expected) => {
    const chatStore = new SimpleChatStore()
    const pages: Record<string, number[]> = { ann: [], bob: [] }
    const getLast = (key: string, last: number) => {
      pages[key]!.push(last)
      return chatStore.getLast(key, last)
    }
    const counted = Object.assign(new SlowChatStore(), { getLast })
    for (const conversationId of ['ann', 'bob', 'ann', 'bob']) {
      chatStore.setMessages(conversationId, long(count))
      await new StoredChatMemory({ chatStore: counted, conversationId, tokenLimit: 1_000_000 }).get()
    }
    expect(pages).toEqual({ ann: expected, bob: expected })
  })

  it('is read as a whole without a limit', async () => {
    const chatStore = new SimpleChatStore()
    chatStore.setMessages('ann', long(300))
    chatStore.getLast = () => []
    const llm = { metadata: new LLMMetadata({ contextWindow: null as never }) }
    expect(await new StoredChatMemory({ chatStore, conversationId: 'ann', llm }).get()).toHaveLength(300)
  })
})

describe('the memory of a turn', () => {
  /** A store of turns that counts how often it is read, and fails as often as asked. */
  const open = ({ isPaged = false } = {}) => {
    const chatStore = new SimpleChatStore()
    const stored = turnsIn(chatStore)
    const count = { reads: 0, failures: 0, pages: [] as number[] }
    const read = async (key: string) => {
      count.reads++
      if (count.failures-- > 0) throw new Error('power cut')
      return stored.read(key)
    }
    const turns: TurnStore = {
      read,
      begin: (...args) => stored.begin(...args),
      save: (...args) => stored.save(...args),
    }
    const paged: TurnStore = {
      ...turns,
      read: () => Promise.reject(new Error('read as a whole')),
      append: async (key, turn, change) =>
        void (await stored.begin(key, undefined, (all) => [
          ...all.map((known) => (known.state === 'open' ? change(known) : known)),
          { ...turn, message: 'appended' },
        ])),
      before: async (key, task, most) => {
        count.pages.push(most)
        const all = await read(key)
        const at = all.findIndex((turn) => turn.task === task)
        const messages = all.slice(0, at < 0 ? undefined : at).flatMap((turn) => turn.messages)
        return { turn: all[at], messages: messages.slice(Math.max(0, messages.length - most)) }
      },
      countMessages: async (key, task) => (await stored.read(key)).findIndex((turn) => turn.task === task),
    }
    const store = Object.assign(chatStore, { turns: isPaged ? paged : turns })
    const memory = (turn: string, more: object = {}) =>
      new TurnMemory({ chatStore: store, conversationId: 'ann', turn, ...more })
    const all = () => stored.read('ann') as Promise<Turn[]>
    const states = async () => (await all()).map(({ state }) => state)
    return { all, chatStore, count, memory, states, turns }
  }
  const message = (content: string) => new ChatMessage({ role: 'user', content })

  it('reads the conversation once, again when it is refreshed, and again after a failure', async () => {
    const { count, memory } = open()
    await memory('a').begin(message('One?'))
    const own = memory('b')
    await own.begin(message('Two?'))
    for (let i = 0; i < 2; i++) {
      expect(texts(await own.get())).toEqual(['user: One?'])
      expect(texts((await own.own())?.messages)).toEqual(['user: Two?'])
      expect(await own.countMessages()).toBe(1)
    }
    expect(count.reads).toBe(1)
    own.refresh()
    count.failures = 1
    await expect(own.getAll()).rejects.toThrow('power cut')
    expect(texts(await own.getAll())).toEqual(['user: One?'])
    expect(count.reads).toBe(3)
  })

  it.each([false, true])('has the attempts of its turn, and else what is before it (pages: %s)', async (isPaged) => {
    const { all, memory, turns } = open({ isPaged })
    await memory('a').begin(message('One?'))
    expect(await memory('a').getAll()).toEqual([])
    await memory('b').begin(message('Two?'))
    expect((await all()).map((turn) => [turn.state, turn.message])).toEqual([
      ['failed', isPaged ? 'appended' : undefined],
      ['open', isPaged ? 'appended' : undefined],
    ])
    expect(await memory('b').countMessages()).toBe(1)
    const messages = [new ChatMessage({ role: 'assistant', content: 'Hm.' }), message('Three?')]
    await turns.save('ann', 'b', { marks: { state: 'open', attempts: 2 }, from: 1, messages })
    const expected = ['user: One?', 'user: Two?', 'assistant: Hm.']
    const own = memory('b')
    expect([texts(await own.getAll()), texts(await own.get())]).toEqual([expected, expected])
    expect([await own.countMessages(), await countOf(own)]).toEqual([3, 3])
    expect(texts(await memory('c').getAll())).toEqual([...expected, 'user: Three?'])
    await memory('d', { hasBegun: true }).begin(message('Four?'))
    expect(await all()).toHaveLength(2)
  })

  it('reads pages once, and no more than it needs', async () => {
    const { count, memory } = open({ isPaged: true })
    await memory('a').begin(message('One?'))
    const own = memory('b')
    await own.begin(message('Two?'))
    expect(await own.countMessages()).toBe(1)
    for (let i = 0; i < 2; i++) {
      expect(texts((await own.own())?.messages)).toEqual(['user: Two?'])
      expect(texts(await own.get())).toEqual(['user: One?'])
    }
    expect(count.pages).toEqual([0, 128])
    own.refresh()
    count.failures = 1
    await expect(own.get()).rejects.toThrow('power cut')
    expect(texts(await own.get())).toEqual(['user: One?'])
    expect(count.pages).toEqual([0, 128, 128, 128])
  })

  it.each([127, 128, 129])('has all of %i messages and its attempts, if the limit allows', async (length) => {
    const { chatStore, memory, turns } = open({ isPaged: true })
    chatStore.setMessages(
      'ann',
      Array.from({ length }, () => message('Hi')),
    )
    const like = { tokenLimit: length + 1, tokenizerFn: (text: string) => text.split(' ') }
    await memory('b').begin(message('Two?'))
    await turns.save('ann', 'b', { marks: { state: 'open', attempts: 1 }, from: 1, messages: [] })
    expect(await memory('b', { like }).get()).toHaveLength(length + 1)
    expect(await memory('b', { like }).get({ initialTokenCount: 1 })).toHaveLength(length)
  })

  it('is one of a whole conversation alone', async () => {
    const memory = make()
    expect(memory.forTurn('t')).toBeInstanceOf(TurnMemory)
    expect(memory.upTo(1).forTurn('t')).toBeUndefined()
    const { memory: own } = open()
    const found = [undefined, memory, { turn: 't' } as never, own('t')].map(turnMemoryOf)
    expect(found).toEqual([undefined, undefined, undefined, own('t')])
    await memory.put({ content: 'one' })
    expect(await countOf(memory)).toBe(1)
  })

  it('seals its own turn if it is open, and leaves others as they are', async () => {
    const { memory, states, turns } = open()
    const [one, other] = [memory('a'), memory('b')]
    await one.begin(message('One?'))
    await turns.save('ann', 'a', { marks: { state: 'done' }, from: 1, messages: [] })
    await other.begin(message('Two?'))
    await one.seal()
    expect(await states()).toEqual(['done', 'open'])
    await other.seal()
    expect(await states()).toEqual(['done', 'failed'])
  })
})
