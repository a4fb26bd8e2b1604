import { SimpleChatStore } from '@x/core-model'
import { StoredChatMemory } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { Task } from '../task/task.ts'
import { plainAgentTool } from './plain-agent-tool.ts'

const expert = (...answers: string[]) =>
  ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: answers.map((answer) => `Answer: ${answer}`) }) })

it('refuses an option that is not one of a plain tool', () => {
  const options = { agent: expert(), schema: { type: 'object' } } as never
  expect(() => plainAgentTool('expert', options)).toThrow('expert.schema: unknown option')
})

it('keeps a lasting conversation beside that of the calling task, in the same store', async () => {
  const chatStore = new SimpleChatStore()
  const memory = new StoredChatMemory({ chatStore, conversationId: 'ann' })
  const tool = plainAgentTool('expert', { agent: expert('One.', 'Two.'), conversation: 'lasting' })
  const task = new Task({ input: 'x', memory })
  for (const input of ['First?', 'Second?']) await tool.call({ input }, { task })
  const messages = chatStore.getMessages('ann/expert').map(({ content }) => content)
  expect(messages).toEqual(['First?', 'One.', 'Second?', 'Two.'])
})

it('asks an agent whose memory makes no empty one for a conversation', async () => {
  const agent = expert('Yes.')
  const { fresh: _, ...bare } = agent.memory
  const memory = Object.assign(Object.create(Object.getPrototypeOf(agent.memory) as object), bare, { fresh: undefined })
  const limited = new Proxy(agent, {
    get: (own, key) => {
      const value = key === 'memory' ? memory : Reflect.get(own, key, own)
      return typeof value === 'function' ? value.bind(own) : value
    },
  })
  expect(String(await plainAgentTool('ask', { agent: limited }).call({ input: 'Well?' }))).toBe('Yes.')
  const without = new Proxy(limited, {
    get: (own, key) => (key === 'conversation' ? undefined : Reflect.get(own, key, own)),
  })
  await expect(plainAgentTool('ask', { agent: without }).call({ input: 'Well?' })).rejects.toMatchObject({
    code: 'configuration',
  })
})
