import { ChatMessage, type ChatStore, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { ChatMemoryBuffer } from './chat-memory-buffer.ts'
import { StoredChatMemory } from './stored-chat-memory.ts'

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

  it('uses the limit of the model, and throws for invalid limits', () => {
    const chatStore = new SlowChatStore()
    const llm = { metadata: new LLMMetadata({ contextWindow: 1000 }) }
    expect(new StoredChatMemory({ chatStore, conversationId: 'a', llm }).tokenLimit).toBe(750)
    expect(() => new StoredChatMemory({ chatStore, conversationId: 'a', tokenLimit: 0 })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })
})

describe('an agent with an asynchronous memory', () => {
  it('answers in a conversation, streams, and forks its tasks', async () => {
    const store = new SlowChatStore()
    const llm = new ScriptedLLM({ answers: ['Answer: one', 'Answer: two', 'Answer: three'] })
    const agent = ReActAgent.fromTools({ llm })
    const memory = make(store)
    await agent.chat('First?', { memory })
    const answer = await agent.streamChat('Second?', { memory })
    await answer.done
    expect(texts(store.rows.get('ann'))).toEqual(['user: First?', 'assistant: one', 'user: Second?', 'assistant: two'])
    expect(llm.calls[1]!.messages).toHaveLength(4)
    const fork = await agent.forkTask(agent.listTasks()[1]!.taskId, { atStep: 0 })
    await agent.runTask(fork.taskId)
    expect(texts(await fork.memory.getAll())!.at(-1)).toBe('assistant: three')
    expect(store.rows.get('ann')).toHaveLength(4)
    expect(agent.chatHistory).toEqual([])
  })

  it('can use it as its own memory, whose messages are read asynchronously', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: one'] }), memory: make() })
    await agent.chat('First?')
    expect(() => agent.chatHistory).toThrow(expect.objectContaining({ code: 'configuration' }))
    expect(texts(await agent.memory.getAll())).toEqual(['user: First?', 'assistant: one'])
  })

  it('throws ConversationBusyError for a second run in the same conversation, even with another memory object', async () => {
    const store = new SlowChatStore()
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: one'] }) })
    const first = agent.chat('First?', { memory: make(store) })
    await expect(agent.chat('Second?', { memory: make(store) })).rejects.toMatchObject({ code: 'conversation_busy' })
    await first
  })

  it('saves its tasks', async () => {
    const taskStore = new MemoryTaskStore()
    const store = new SlowChatStore()
    const start = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [] }),
      memory: make(store),
      taskStore: journal(taskStore),
    })
    const { taskId } = await start.createTask('First?')
    const llm = new ScriptedLLM({ answers: ['Answer: one'] })
    const agent = ReActAgent.fromTools({ llm, memory: make(store), taskStore: journal(taskStore) })
    await agent.resumeTask(taskId)
    expect(String(await agent.runTask(taskId))).toBe('one')
    expect(texts(store.rows.get('ann'))).toEqual(['user: First?', 'assistant: one'])
  })

  it('a task that continues elsewhere receives the messages of its beginning, also after others were added', async () => {
    const store = new MemoryTaskStore()
    const chats = new SlowChatStore()
    await make(chats).put({ content: 'I am Ann.' })
    const agentOf = (answers: (string | Error)[]) => {
      const llm = new ScriptedLLM({ answers })
      const taskStore = journal(store, { openConversation: () => make(chats) })
      return { llm, agent: ReActAgent.fromTools({ llm, taskStore }) }
    }
    const { agent } = agentOf([new Error('power cut')])
    await expect(agent.chat('Who am I?', { memory: make(chats), taskId: 't' })).rejects.toThrow('power cut')
    expect(store.load('t')![0]).toMatchObject({
      task: { conversation_id: 'ann', conversation_length: 1, conversation: [] },
    })
    await make(chats).put({ content: 'I am Bob.' })
    const next = agentOf(['Answer: Ann.'])
    await next.agent.resumeTask('t')
    expect(String(await next.agent.runTask('t'))).toBe('Ann.')
    const asked = next.llm.calls[0]!.messages!.slice(1).map(({ content }) => content)
    expect(asked).toEqual(['I am Ann.', 'Who am I?'])
    // The turn keeps its place.
    const all = ['user: I am Ann.', 'user: Who am I?', 'assistant: Ann.', 'user: I am Bob.']
    expect(texts(chats.rows.get('ann'))).toEqual(all)
    // The finished task has the whole conversation.
    const last = agentOf([])
    const task = await last.agent.resumeTask('t')
    expect(texts(await task!.memory.getAll())).toEqual(all)
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

  it('keeps 120 turns of 2 kB below 2 MB of journals', async () => {
    const store = new MemoryTaskStore()
    const chats = new SlowChatStore()
    const answers = Array.from({ length: 120 }, (_, i) => `Answer: ${i} ${'b'.repeat(1000)}`)
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), taskStore: journal(store) })
    let bytes = 0
    for (let i = 0; i < 120; i++) {
      await agent.chat(`${i} ${'a'.repeat(1000)}`, { memory: make(chats), taskId: `${i}` })
      bytes += JSON.stringify(store.load(`${i}`)).length
    }
    expect(chats.rows.get('ann')).toHaveLength(240)
    expect(bytes).toBeLessThan(800_000)
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
})
