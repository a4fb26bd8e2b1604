import {
  ChatMessage,
  type ChatStore,
  defaultImageTokens,
  type MessageContent,
  SimpleChatStore,
  type TurnStore,
} from '@x/core-model'
import { ChatMemoryBuffer, StoredChatMemory, TurnMemory, turnsIn } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

/** A store that can read the end of a conversation alone, and counts what it reads. */
function pagedStore(): { chatStore: ChatStore; read: number[] } {
  const simple = new SimpleChatStore()
  const whole = turnsIn(simple)
  const read: number[] = []
  const turns: TurnStore = {
    read: async (key) => {
      read.push(Number.POSITIVE_INFINITY)
      return whole.read(key)
    },
    begin: (...args) => whole.begin(...args),
    save: (...args) => whole.save(...args),
    append: async (key, turn, change) => {
      await whole.begin(key, undefined, (all) =>
        all.some(({ task }) => task === turn.task)
          ? all
          : [...all.map((marks) => (marks.state === 'open' ? change(marks) : marks)), turn],
      )
    },
    before: async (key, task, count) => {
      read.push(count)
      const all = await whole.read(key)
      const at = all.findIndex((turn) => turn.task === task)
      const messages = all.slice(0, at < 0 ? undefined : at).flatMap((turn) => turn.messages)
      return { turn: all[at], messages: count === 0 ? [] : messages.slice(-count) }
    },
    countMessages: async (key, task) => {
      const all = await whole.read(key)
      const at = all.findIndex((turn) => turn.task === task)
      return all.slice(0, at < 0 ? undefined : at).flatMap((turn) => turn.messages).length
    },
  }
  // The turns above are made of the messages alone.
  return { chatStore: Object.assign(simple, { turns }), read }
}

it('a turn of a long conversation reads its end alone, and answers as with the whole', async () => {
  const { chatStore, read } = pagedStore()
  for (let i = 0; i < 1000; i++)
    await chatStore.addMessage('ann', new ChatMessage({ role: i % 2 ? 'assistant' : 'user', content: `message ${i}` }))
  const llm = new ScriptedLLM({ answers: ['Answer: Hello.', 'Answer: Again.'] })
  const agent = ReActAgent.fromTools({ llm })
  const memory = () => new StoredChatMemory({ chatStore, conversationId: 'ann', tokenLimit: 300 })
  expect(String(await agent.chat('Hi!', { memory: memory() }))).toBe('Hello.')
  expect(String(await agent.chat('And?', { memory: memory() }))).toBe('Again.')
  expect(Math.max(...read)).toBe(128)
  const sent = JSON.stringify(llm.calls[1]!.messages?.slice(-3))
  for (const content of ['Hi!', 'Hello.', 'And?']) expect(sent).toContain(content)
  const states = (await turnsIn(chatStore).read('ann')).slice(-2)
  expect(states.map(({ state, messages }) => [state, messages.length])).toEqual([
    ['done', 2],
    ['done', 2],
  ])
})

it('a turn whose task is stored reads its end alone, once, and the journal has the number of messages before it', async () => {
  const { chatStore, read } = pagedStore()
  for (let i = 0; i < 1000; i++)
    await chatStore.addMessage('ann', new ChatMessage({ role: i % 2 ? 'assistant' : 'user', content: `message ${i}` }))
  const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'seen' })
  const call = 'Thought: look\nAction: look\nAction Input: {}'
  const store = new MemoryTaskStore()
  const llm = new ScriptedLLM({ answers: [call, call, 'Thought: done\nAnswer: Hello.', 'Answer: Again.'] })
  const agent = ReActAgent.fromTools({ llm, tools: [look], taskStore: journal(store) })
  const memory = () => new StoredChatMemory({ chatStore, conversationId: 'ann', tokenLimit: 1000 })
  expect(String(await agent.chat('Hi!', { memory: memory(), taskId: 't' }))).toBe('Hello.')
  expect(read.filter((count) => count > 0)).toEqual([128, 512])
  expect(JSON.stringify(store.load('t'))).toMatch(/"conversation_length":1000\b.*"memory_length":\[1000\]/)
  // Another turn begins with as much as the one before received.
  read.length = 0
  expect(String(await agent.chat('And?', { memory: memory() }))).toBe('Again.')
  expect(read.filter((count) => count > 0)).toHaveLength(1)
})

it('a turn has the messages of its earlier attempts, as many as are asked for, and fails when the store does', async () => {
  const { chatStore } = pagedStore()
  for (let i = 0; i < 200; i++) await chatStore.addMessage('ann', new ChatMessage({ content: `m${i}` }))
  const memory = new TurnMemory({ chatStore, conversationId: 'ann', turn: 't', like: { tokenLimit: 40 } })
  await memory.begin(new ChatMessage({ content: 'first' }))
  await memory.begin(new ChatMessage({ content: 'second' }))
  await chatStore.turns!.save('ann', 't', {
    marks: { state: 'failed', attempts: 1 },
    from: 1,
    messages: [new ChatMessage({ content: 'later' })],
  })
  expect((await memory.own())?.messages.map(({ content }) => content)).toEqual(['first', 'later'])
  const contents = (await memory.get()).map(({ content }) => content)
  expect(contents.slice(-2)).toEqual(['m199', 'first'])
  expect(contents.length).toBeLessThan(30)
  const all = (await memory.getAll()).map(({ content }) => content)
  expect([all.length, all.at(-1)]).toEqual([201, 'first'])
  memory.refresh()
  Object.assign(memory.turns, { before: () => Promise.reject(new Error('power cut')) })
  await expect(memory.get()).rejects.toThrow('power cut')
})

it('a finished task of the first turn that is loaded again leaves the conversation as it is', async () => {
  const chatStore = new SimpleChatStore()
  const taskStore = new MemoryTaskStore()
  const agentOf = () =>
    ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['Answer: One.', 'Answer: Two.'] }),
      taskStore: journal(taskStore),
    })
  const memoryOf = (turn: string) => new TurnMemory({ chatStore, conversationId: 'ann', turn })
  const agent = agentOf()
  for (const taskId of ['a', 'b']) await agent.chat(`task ${taskId}`, { taskId, memory: memoryOf(taskId) })
  const before = await turnsIn(chatStore).read('ann')
  expect(before).toHaveLength(2)
  // Its process ended before the turn said that it is done.
  await turnsIn(chatStore).begin('ann', undefined, ([first, second]) => [{ ...first!, state: 'open' }, second!])
  for (const memory of [memoryOf('a'), new StoredChatMemory({ chatStore, conversationId: 'ann' })])
    await agentOf().resumeTask('a', { memory })
  expect((await turnsIn(chatStore).read('ann')).map(({ messages }) => messages.map(String))).toEqual(
    before.map(({ messages }) => messages.map(String)),
  )
})

const words = 'word '.repeat(1000).trim()
const forms: Record<string, MessageContent> = {
  string: words,
  parts: [{ type: 'text', text: words }],
  'parts with an image': [
    { type: 'text', text: words },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(10_000)}` } },
  ],
}

describe.each(Object.entries(forms))('1,000 words as %s', (name, content) => {
  it('count as the same number of tokens for a budget', async () => {
    const usageOf = async (content: MessageContent) => {
      const llm = new ScriptedLLM({ answers: ['Answer: done'], wire: false })
      const agent = ReActAgent.fromTools({
        llm,
        chatHistory: [{ role: 'user', content }],
        budget: { maxTokens: 10_000 },
      })
      const task = await agent.createTask('x')
      await agent.runTask(task.taskId)
      return (task.extraState['usage'] as { totalTokens: number }).totalTokens
    }
    expect((await usageOf(content)) - (await usageOf(''))).toBe(
      name.endsWith('image') ? 1000 + defaultImageTokens : 1000,
    )
  })
})

it('a reply that consists only of reasoning has no text', async () => {
  const content: MessageContent = [{ type: 'reasoning', text: 'Let me see.' }]
  const llm = new ScriptedLLM({ answers: [new ChatMessage({ role: 'assistant', content }), 'Answer: done'] })
  const agent = ReActAgent.fromTools({ llm })
  expect(String(await agent.chat('x'))).toBe('done')
})

describe('a subclass of ChatMemoryBuffer', () => {
  class LastOne extends ChatMemoryBuffer {
    static override className() {
      return 'LastOne'
    }
    override get() {
      return this.getAll().slice(-1)
    }
  }

  it('is what an agent asks for messages', async () => {
    const llm = new ScriptedLLM({ answers: ['Thought: x\nAnswer: one', 'Thought: x\nAnswer: two'] })
    const agent = ReActAgent.fromTools({ llm, tools: [], memoryCls: LastOne })
    await agent.chat('First.')
    await agent.chat('Second.')
    expect(JSON.stringify(llm.calls[1])).not.toContain('First.')
  })
})
