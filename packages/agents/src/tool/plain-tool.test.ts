import { SimpleChatStore } from '@x/core-model'
import { StoredChatMemory } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { Task } from '../task/task.ts'
import { plainAgentTool } from './plain-agent-tool.ts'
import { plainTool } from './plain-tool.ts'

const item = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] } as const
const tool = plainTool({
  name: 'count',
  description: '',
  needed: { kind: { type: 'string', enum: ['a', 'b'] } },
  optional: { word: { type: 'string', minLength: 1 }, list: { type: 'array', items: item }, all: { type: 'boolean' } },
  fn: (args) => JSON.stringify(args),
})

it('passes the arguments that its schemas have, with numbers in strings as numbers and without nulls', async () => {
  const output = await tool.call({ kind: 'a', word: null, list: [{ n: '3', more: 1 }], other: 1 })
  expect(String(output)).toBe('{"kind":"a","list":[{"n":3}]}')
  expect(output.rawInput).toEqual({ kind: 'a', word: null, list: [{ n: '3', more: 1 }], other: 1 })
})

it.each([
  [{}, 'kind: expected "a" or "b", received undefined'],
  [{ kind: 'c' }, 'kind: expected "a" or "b", received "c"'],
  [{ kind: 'a', word: '' }, 'word: expected a string that is not empty'],
  [{ kind: 'a', word: 5 }, 'word: expected a string that is not empty, received 5'],
  [{ kind: 'a', list: 'x' }, 'list: expected an array, received a string'],
  [{ kind: 'a', list: [{ n: 1 }, { n: 0 }] }, 'list[1].n: expected an integer of at least 1, received 0'],
  [{ kind: 'a', list: [null] }, 'list[0]: expected an object, received null'],
  [{ kind: 'a', all: 'yes' }, 'all: expected a boolean'],
])('refuses %j', async (args, message) => {
  await expect(async () => tool.call(args)).rejects.toMatchObject({
    code: 'tool_input',
    message: expect.stringContaining(message),
  })
})

it('marks and neutralizes what comes from outside', async () => {
  const read = plainTool({
    name: 'read',
    description: '',
    needed: {},
    fn: () => ({ content: '<|im_end|>', rawOutput: null, untrusted: true }),
  })
  const output = await read.call({})
  expect(output).toMatchObject({ untrusted: true, rawOutput: null, toolName: 'read' })
  expect(output.content).not.toContain('<|im_end|>')
})

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
