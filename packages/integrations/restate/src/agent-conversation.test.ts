import * as restate from '@restatedev/restate-sdk'
import { type ChatStore, SimpleChatStore } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { useRestate } from '../test/deployment.ts'
import { agentOf, calls, failureOf, scripted, tools } from '../test/scripted.ts'
import { type AgentServiceOptions, agentConversation, agentWorkflow, type ConversationAnswer } from './index.ts'

type Made = Pick<AgentServiceOptions, 'agent'> & { chatStore?: ChatStore }

const use = useRestate()
const deploy = async (options: Made) => {
  const app = await use((name, { agent, chatStore }: Made) => {
    const workflow = agentWorkflow({ restate, name: `${name}Run`, agent, chatStore })
    return [workflow, agentConversation({ restate, name, workflow, chatStore })]
  }, options)
  return Object.assign(app, {
    chat: (message: unknown, key = 'ann') => app.handler<ConversationAnswer>('chat', message, key),
    history: (key = 'ann') => app.handler<{ role: string; content: string }[]>('history', undefined, key),
    current: () => app.handler<string | null>('current', undefined, 'ann'),
    runOf: <T>(key: string, path: string, body?: unknown) => app.handler<T>(path, body, key, `${app.name}Run`),
  })
}
const texts = (messages: readonly { role: string; content: unknown }[]) =>
  messages.map(({ role, content }) => `${role}: ${content}`)

describe('a conversation', () => {
  it('contains its own messages only', async () => {
    const llm = scripted('Hello Ann.', 'You are Ann.', 'Who are you?')
    const app = await deploy({ agent: agentOf(llm) })
    expect(await app.history()).toEqual([])
    expect(await app.chat('I am Ann.')).toMatchObject({ response: 'Hello Ann.', taskId: 'ann-1' })
    expect(await app.chat({ input: 'Who am I?' })).toMatchObject({ response: 'You are Ann.', taskId: 'ann-2' })
    expect(await app.chat('Hi.', 'bob')).toMatchObject({ response: 'Who are you?', taskId: 'bob-1' })
    expect(texts(await app.history())).toEqual([
      'user: I am Ann.',
      'assistant: Hello Ann.',
      'user: Who am I?',
      'assistant: You are Ann.',
    ])
    expect(texts(llm.calls[1]?.messages as never)).toEqual([
      'user: I am Ann.',
      'assistant: Hello Ann.',
      'user: Who am I?',
    ])
    await app.handler('reset', undefined, 'ann')
    expect(await app.history()).toEqual([])
  })

  it('is in a chat store, of which requests contain a reference, and moves there from the state', async () => {
    const chatStore = new SimpleChatStore()
    const llm = scripted('Hello Ann.', 'You are Ann.', new Error('a bug'), 'Really.', 'Again.')
    const app = await deploy({ agent: agentOf(llm) })
    await app.chat('I am Ann.')
    await app.upgrade({ agent: agentOf(llm), chatStore })
    expect(await app.chat('Who am I?')).toEqual(expect.not.objectContaining({ messages: expect.anything() }))
    expect(await failureOf(app.chat('Fail!'))).toMatchObject({ message: 'a bug' })
    await app.chat('Really?')
    const talk = ['user: I am Ann.', 'assistant: Hello Ann.', 'user: Who am I?', 'assistant: You are Ann.']
    talk.push('user: Really?', 'assistant: Really.')
    expect(texts(await app.history())).toEqual(talk)
    expect(chatStore.getMessages('ann').map(String)).toEqual(talk)
    expect(texts(llm.calls[3]?.messages as never)).toEqual(talk.slice(0, 5))
    // A run reads the first messages only.
    const ref = { id: 'ann', length: 2 }
    const { conversation } = await app.runOf<{ conversation: object }>('own', 'run', {
      input: 'Hm?',
      conversation: ref,
    })
    expect(texts(llm.calls[4]?.messages as never)).toEqual([...talk.slice(0, 2), 'user: Hm?'])
    expect(conversation).toEqual({ id: 'ann', length: 8 })
    await app.handler('reset', undefined, 'ann')
    expect([await app.history(), chatStore.getMessages('ann')]).toEqual([[], []])
  })

  it('writes at most 2 MB for 120 turns of 2 kB, if it is in a chat store', {
    tags: 'growth',
    timeout: 120_000,
  }, async () => {
    const chatStore = new SimpleChatStore()
    const words = () => Buffer.from(crypto.getRandomValues(new Uint8Array(750))).toString('base64')
    const llm = scripted(...Array.from({ length: 250 }, words))
    const app = await deploy({ agent: agentOf(llm), chatStore })
    for (let i = 0; i < 5; i++) await app.chat(words(), 'other')
    const before = app.bytes()
    for (let i = 0; i < 120; i++) {
      const conversation = { id: 'ann', length: 2 * i }
      await app.runOf(`ann-${i}`, 'run', { input: words(), conversation })
    }
    expect(chatStore.getMessages('ann')).toHaveLength(240)
    expect((app.bytes() - before) / 1e6).toBeLessThan(2)
    // The object passes each message and its answer on.
    const between = app.bytes()
    for (let i = 0; i < 120; i++) await app.chat(words(), 'bob')
    expect(chatStore.getMessages('bob')).toHaveLength(240)
    expect((app.bytes() - between) / 1e6).toBeLessThan(4)
  })

  it('refuses a message when its history is larger than the engine can record, and stays as it was', async () => {
    const app = await deploy({ agent: agentOf(scripted('One.', 'Two.')) })
    await app.chat('Short.')
    const failure = await failureOf(app.chat('x'.repeat(30_000_000)))
    expect(failure).toMatchObject({ code: 'result_too_large', message: expect.stringMatching(/^Conversation "ann"/) })
    expect([await app.current(), await app.history()]).toMatchObject([null, { length: 2 }])
    expect(await app.chat('Shorter.')).toMatchObject({ response: 'Two.' })
  })

  it('answers one message at a time, and waits for decisions', async () => {
    const { pay, ran } = tools()
    const llm = scripted(calls(['a', 'pay', { to: 'Ann' }]), 'Paid.', 'Again?')
    const app = await deploy({ agent: agentOf(llm, [pay]) })
    const first = app.chat('Pay Ann!')
    while ((await app.current()) !== 'ann-1') await new Promise((resolve) => setTimeout(resolve, 10))
    const second = app.chat('And again!')
    for (;;) {
      const { state } = await app.runOf<{ state: string }>('ann-1', 'status')
      if (state === 'waiting') break
    }
    expect(llm.calls.length).toBe(1)
    await app.runOf('ann-1', 'decide', { callId: 'a', type: 'approve' })
    expect((await first).response).toBe('Paid.')
    expect(await second).toMatchObject({ response: 'Again?', taskId: 'ann-2' })
    expect(ran).toEqual(['pay Ann ann-1/1/0'])
    expect((await app.history()).length).toBe(6)
    expect(await app.current()).toBeNull()
  })

  it('does not change when a message fails or is cancelled', async () => {
    const { pay } = tools()
    const llm = scripted('Hello.', new Error('a bug'), calls(['a', 'pay', { to: 'Ann' }]), 'Bye.')
    const app = await deploy({ agent: agentOf(llm, [pay]) })
    await app.chat('Hi.')
    expect(await failureOf(app.chat('Fail!'))).toEqual({ status: 500, code: 'error', message: 'a bug' })
    const cancelled = failureOf(app.chat('Pay!'))
    while ((await app.current()) !== 'ann-3') await new Promise((resolve) => setTimeout(resolve, 10))
    for (;;) {
      const { state } = await app.runOf<{ state: string }>('ann-3', 'status')
      if (state === 'waiting') break
    }
    await app.runOf('ann-3', 'cancel')
    expect(await cancelled).toMatchObject({ status: 409, message: 'Cancelled' })
    expect(texts(await app.history())).toEqual(['user: Hi.', 'assistant: Hello.'])
    expect((await app.chat('Bye.')).response).toBe('Bye.')
    expect((await app.history()).length).toBe(4)
  })

  it('refuses invalid requests and options', async () => {
    const app = await deploy({ agent: agentOf(scripted()) })
    expect(await failureOf(app.chat({ text: 'x' }))).toMatchObject({ status: 400, code: 'configuration' })
    expect(await failureOf(app.chat({ input: 'x', chatHistory: [] }))).toMatchObject({ status: 400 })
    expect(() => agentConversation({ restate, name: 'x' } as never)).toThrow(
      'agentConversation.workflow: expected the workflow of the agent, received nothing',
    )
    expect(() => agentConversation({ restate, name: 'x', agent: 1 } as never)).toThrow(
      'agentConversation.agent: unknown option',
    )
  })
})
