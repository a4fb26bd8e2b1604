import { type BaseMemory, ChatMessage, ChatResponse, LLMMetadata, messageText } from '@x/core-model'
import { ChatMemoryBuffer, messagesNow } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import type { Conversation } from './conversation.ts'

/** A model that calls a tool first, and then repeats all user messages. */
function repeating() {
  const reply = (messages: readonly ChatMessage[]) => {
    const said = messages.filter(({ role }) => role === 'user').map((message) => messageText(message))
    const hasLooked = said.at(-1)!.startsWith('Observation')
    const heard = said.filter((text) => !text.startsWith('Observation')).join('|')
    return hasLooked ? `Answer: ${heard}` : 'Thought: look\nAction: look\nAction Input: {}'
  }
  const respond = async (messages: readonly ChatMessage[]) => {
    await new Promise((resolve) => setTimeout(resolve, messages.length % 3))
    return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: reply(messages) }) })
  }
  return {
    metadata: new LLMMetadata({ isChatModel: true }),
    chat: respond,
    complete: () => Promise.reject(new Error('not used')),
    async *streamChat(messages: readonly ChatMessage[]) {
      const { message } = await respond(messages)
      for (const delta of messageText(message).match(/.{1,7}/gs)!) yield new ChatResponse({ message, delta })
    },
    async *streamComplete() {},
  }
}

const look = FunctionTool.fromDefaults({ name: 'look', schema: { type: 'object', properties: {} }, fn: () => 'seen' })

/** The messages that the model received in a conversation, and the messages in it. */
function heard(memory: BaseMemory): string[] {
  return messagesNow(memory).map(String)
}

describe('conversations of one agent', () => {
  it('do not mix: 1,000 concurrent chats with two messages each', async () => {
    const agent = ReActAgent.fromTools({ llm: repeating(), tools: [look] })
    const talk = async (conversation: Conversation, name: string) => {
      const first = await conversation.chat(`${name} says hello`)
      const second = await conversation.streamChat(`${name} again`)
      await second.done
      return [first.response, second.response]
    }
    const users = Array.from({ length: 1000 }, (_, i) => ({ name: `user ${i}`, conversation: agent.conversation() }))
    const answers = await Promise.all(users.map(({ name, conversation }) => talk(conversation, name)))
    for (const [i, { name, conversation }] of users.entries()) {
      const [first, second] = [`${name} says hello`, `${name} says hello|${name} again`]
      expect(answers[i]).toEqual([first, second])
      expect(heard(conversation.memory)).toEqual([
        `user: ${name} says hello`,
        `assistant: ${first}`,
        `user: ${name} again`,
        `assistant: ${second}`,
      ])
    }
    expect(agent.chatHistory).toEqual([])
  })

  it('can be passed to a run as a memory', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: one', 'Answer: two'] }) })
    const memory = ChatMemoryBuffer.fromDefaults()
    await agent.chat('a', { memory })
    for await (const _ of agent.runEvents('b', { memory }));
    expect(heard(memory)).toEqual(['user: a', 'assistant: one', 'user: b', 'assistant: two'])
    expect(agent.chatHistory).toEqual([])
  })

  it('can start with messages', async () => {
    const agent = ReActAgent.fromTools({ llm: repeating(), tools: [look] })
    const conversation = agent.conversation({ chatHistory: [{ role: 'user', content: 'before' }] })
    expect(String(await conversation.chat('now'))).toBe('before|now')
    for await (const _ of conversation.runEvents('later'));
    expect(conversation.chatHistory.at(-1)!.content).toBe('before|now|later')
  })

  it('cannot be combined with a memory in one run', async () => {
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [] }) })
    const options = { memory: ChatMemoryBuffer.fromDefaults(), conversation: agent.conversation() }
    await expect(agent.chat('x', options)).rejects.toThrow('memory and conversation cannot be combined')
    expect(agent.listTasks()).toEqual([])
  })
})

describe('the conversation of the agent itself', () => {
  it('belongs to one run at a time, its stream included', async () => {
    const agent = ReActAgent.fromTools({ llm: repeating(), tools: [look] })
    const first = agent.streamChat('a')
    await expect(agent.chat('b')).rejects.toMatchObject({ code: 'conversation_busy' })
    expect(agent.listTasks()).toHaveLength(1)
    for await (const _ of await first);
    expect(String(await agent.chat('b'))).toBe('a|b')
  })

  it('can be used again after a failure and while a task waits for approval', async () => {
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object', properties: {} },
      needsApproval: true,
      fn: () => 'paid',
    })
    const call = 'Thought: pay\nAction: pay\nAction Input: {}'
    const agent = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: [call, 'Answer: other', 'Answer: paid'] }),
      tools: [pay],
    })
    const { taskId, calls } = await agent.chat('Pay!').catch((error) => error)
    expect(String(await agent.chat('Something else'))).toBe('other')
    await agent.approve(taskId, calls[0].id)
    expect(String(await agent.runTask(taskId))).toBe('paid')
    await expect(agent.chat('No answer left')).rejects.toMatchObject({ code: 'unexpected_call' })
  })

  it('is replaced by a chat history, unless another run uses it', async () => {
    const agent = ReActAgent.fromTools({ llm: repeating(), tools: [look] })
    const history = (content: string) => ({ chatHistory: [{ role: 'user' as const, content }] })
    const answers = await Promise.all([agent.chat('a', history('ann')), agent.chat('b', history('bob'))])
    expect(answers.map(String)).toEqual(['ann|a', 'bob|b'])
    expect(heard(agent.memory)).toEqual(['user: ann', 'user: a', 'assistant: ann|a'])
    expect(String(await agent.chat('c', { chatHistory: [] }))).toBe('c')
    expect(agent.chatHistory).toHaveLength(2)
  })
})
