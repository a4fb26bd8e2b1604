import type { ChatMessage, ChatStore } from '@x/core-model'
import { StoredChatMemory } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent, type FunctionCallingAgentOptions } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

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

const note = FunctionTool.fromDefaults({ name: 'note', schema: {}, fn: () => 'noted' })
const turns = [[toolCall('a', 'note', '{"to": ')], 'Done.'] as const

/** Returns an agent that continues a task whose call an earlier agent, with `repairToolCall`, has refused. */
async function continued(options: Partial<FunctionCallingAgentOptions> = {}) {
  const llm = functionCallingLlm(turns)
  const store = new MemoryTaskStore()
  let isAlive = true
  const mortal = journal({
    append: (id, entries, revision) => {
      if (!isAlive) throw new Error('killed')
      return store.append(id, entries, revision)
    },
    load: (id) => store.load(id),
    list: (filter) => store.list(filter),
    delete: (id) => store.delete(id),
  })
  const repairToolCall = () => {
    isAlive = false
    return null
  }
  const first = FunctionCallingAgent.fromTools({ llm, tools: [note], taskStore: mortal, repairToolCall })
  await expect(first.chat('Go!', { taskId: 't' })).rejects.toThrow('killed')
  return FunctionCallingAgent.fromTools({ llm, tools: [note], taskStore: journal(store), ...options })
}

it('a call that was refused is reported to the model when the agent repairs calls no more', async () => {
  const external = FunctionTool.external({ name: 'ask', schema: {} })
  for (const tools of [[note], [note, external]]) {
    const agent = await continued({ tools })
    const { response, sources } = await agent.chat('', { taskId: 't' })
    expect(response).toBe('Done.')
    expect(sources).toMatchObject([{ isError: true, content: expect.stringContaining('Tool arguments') }])
  }
})

it('such a call ends the run of an agent whose failures do', async () => {
  const agent = await continued({ onToolError: 'raise' })
  await expect(agent.chat('', { taskId: 't' })).rejects.toMatchObject({ code: 'tool_arguments' })
})
