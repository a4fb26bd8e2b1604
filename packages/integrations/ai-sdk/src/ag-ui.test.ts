import { HttpAgent } from '@ag-ui/client'
import type { Interrupt } from '@ag-ui/core'
import { InMemoryKeyValueStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { callTurn, fetchOf, type Route, slowModel, World } from '../test/chat-world.ts'
import { agUiHandler } from './ag-ui-handler.ts'
import { chatKey } from './chat-route.ts'
import { memoryChatStreams, storedChatStreams } from './chat-streams.ts'

interface Client {
  agent: HttpAgent
  /** The events of all runs. */
  events: string[]
  say(text: string): Promise<void>
  /** The calls that wait. */
  interrupts: Interrupt[]
}

/** The client of AG-UI. It refuses events in a wrong order. `route` may change between its requests. */
function clientOf(route: () => Route, { threadId = 'chat', user = 'ann' } = {}): Client {
  const agent = new HttpAgent({
    url: 'https://chat.example/agent',
    threadId,
    headers: { 'x-user': user },
    fetch: fetchOf(route),
  })
  const client: Client = {
    agent,
    events: [],
    interrupts: [],
    async say(text) {
      agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
      await agent.runAgent()
    },
  }
  agent.subscribe({
    onEvent: ({ event }) => void client.events.push(event.type),
    onRunFinishedEvent: ({ event }) => {
      client.interrupts = event.outcome?.type === 'interrupt' ? event.outcome.interrupts : []
    },
  })
  return client
}

const texts = ({ agent }: Client) =>
  agent.messages.flatMap(({ role, content }) =>
    typeof content === 'string' && role !== 'reasoning' ? [`${role}: ${content}`] : [],
  )
const post = (body: unknown, user = 'ann') =>
  new Request('https://chat.example/agent', { method: 'POST', body: JSON.stringify(body), headers: { 'x-user': user } })
const input = (fields: object) => ({
  threadId: 't',
  runId: 'r',
  messages: [{ id: 'm', role: 'user', content: 'Hi' }],
  ...fields,
})
const stored = (world: World, user = 'ann', id = 'chat') => world.chatStore.getMessages(chatKey(user, id)).map(String)

describe('the client of AG-UI', () => {
  it('gets an answer with a tool, and the next one knows the conversation', async () => {
    const world = new World(agUiHandler)
    const route = world.instance([callTurn('Let me see.'), ['Bou', 'ght.'], 'A pear.'])
    const client = clientOf(() => route)
    await client.say('Buy a pear.')
    expect(texts(client)).toEqual([
      'user: Buy a pear.',
      'assistant: Let me see.',
      'tool: {"bought":"pear"}',
      'assistant: Bought.',
    ])
    expect(client.events.filter((type) => type !== 'TEXT_MESSAGE_CONTENT')).toEqual([
      'RUN_STARTED',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
      'TOOL_CALL_RESULT',
      'STEP_FINISHED',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_END',
      'STEP_FINISHED',
      'RUN_FINISHED',
    ])
    await client.say('What did you buy?')
    expect(texts(client).at(-1)).toBe('assistant: A pear.')
    expect(world.request(0, 2)).toHaveLength(5)
  })

  it('shares no conversation with another user or thread', async () => {
    const world = new World(agUiHandler)
    const route = world.instance(['1', '2', '3'])
    const [ann, bob] = ['ann', 'bob'].map((user) => clientOf(() => route, { user })) as [Client, Client]
    await Promise.all([ann.say('I am Ann.'), bob.say('I am Bob.')])
    await clientOf(() => route, { threadId: '__proto__' }).say('Who am I?')
    expect(world.request(0, 2)).toEqual(['user: Who am I?'])
    expect(stored(world)[0]).toBe('user: I am Ann.')
    expect(stored(world, 'bob')[0]).toBe('user: I am Bob.')
  })

  it('has one conversation at two instances, which the client cannot change', async () => {
    const world = new World(agUiHandler)
    const routes = [world.instance(['one']), world.instance(['two'])]
    const client = clientOf(() => routes.shift()!)
    await client.say('a')
    client.agent.setMessages(
      client.agent.messages.map((message) =>
        message.role === 'assistant' ? { ...message, content: 'Yes!' } : message,
      ),
    )
    await client.say('b')
    expect(world.request(1, 0)).toEqual(['user: a', 'assistant: one', 'user: b'])
  })

  it('edits a message', async () => {
    const world = new World(agUiHandler)
    const route = world.instance(['Hello Ann', 'Hello Anna'])
    const client = clientOf(() => route)
    await client.say('I am Ann.')
    const [first] = client.agent.messages
    client.agent.setMessages([{ ...first, role: 'user', content: 'I am Anna.' } as never])
    await client.agent.runAgent()
    expect(stored(world)).toEqual(['user: I am Anna.', 'assistant: Hello Anna'])
  })

  it.each([
    ['approves', { status: 'resolved' }, ['pear']],
    ['approves with data', { status: 'resolved', payload: { approved: true } }, ['pear']],
    ['rejects', { status: 'cancelled', payload: { reason: 'too dear' } }, []],
    ['rejects with data', { status: 'resolved', payload: { approved: false, reason: 'too dear' } }, []],
    ['rejects with false', { status: 'resolved', payload: false }, []],
  ] as const)('%s a call, in another instance', async (_, decision, bought) => {
    const world = new World(agUiHandler, {}, true)
    const routes = [world.instance([callTurn('Shall I?')]), world.instance(['As you wish.'])]
    const client = clientOf(() => routes.shift()!)
    await client.say('Buy a pear.')
    expect(client.interrupts).toMatchObject([
      { reason: 'tool_call', message: 'buy waits for approval.', toolCallId: 'c1' },
    ])
    expect(world.bought).toEqual([])
    await client.agent.runAgent({ resume: [{ interruptId: client.interrupts[0]!.id, ...decision }] })
    expect(texts(client).at(-1)).toBe('assistant: As you wish.')
    expect(world.bought).toEqual(bought)
    expect(stored(world).at(-2)).toMatch(bought.length > 0 ? /bought/ : /not|reject|denied/i)
  })

  it('cannot decide about a task of another thread or user', async () => {
    const world = new World(agUiHandler, {}, true)
    const route = world.instance([callTurn('Shall I?')])
    const client = clientOf(() => route)
    await client.say('Buy a pear.')
    const resume = [{ interruptId: client.interrupts[0]!.id, status: 'resolved' }]
    for (const [threadId, user] of [
      ['chat', 'bob'],
      ['other', 'ann'],
    ] as const)
      expect(await (await route(post(input({ threadId, resume }), user))).text()).toContain('"code":"configuration"')
    expect(world.bought).toEqual([])
  })

  it('sees errors without their text', async () => {
    const route = new World(agUiHandler).instance([new Error('key sk-123 is wrong')])
    const client = clientOf(() => route)
    await client.say('Hi').catch(() => {})
    expect(client.events.at(-1)).toBe('RUN_ERROR')
    const text = await (await route(post(input({})))).text()
    expect(text).toContain('RUN_ERROR')
    expect(text).not.toContain('sk-123')
  })

  it('stops the model by leaving', async () => {
    const world = new World(agUiHandler)
    const slow = slowModel()
    const route = world.instanceOf(slow.llm)
    const client = clientOf(() => route)
    const saying = client.say('Tell me a story.').catch(() => {})
    await expect.poll(() => texts(client).at(-1)).toBe('assistant: Once ')
    client.agent.abortRun()
    await saying
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
  })

  it.each([
    ['this', () => memoryChatStreams()],
    ['another', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })],
  ])('comes back to a running answer of %s instance, and stops it', async (_, create) => {
    const world = new World(agUiHandler, { streams: create() })
    const slow = slowModel()
    const first = await world.instanceOf(slow.llm)(post(input({})))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    const second = world.instance([])
    const at = (method: string) =>
      second(new Request('https://a.example/agent/t/stream', { method, headers: { 'x-user': 'ann' } }))
    expect((await second(post(input({})))).status).toBe(409)
    const back = await at('GET')
    await at('DELETE')
    expect(await back.text()).toContain('RUN_ERROR')
    expect(await first.text()).toContain('RUN_ERROR')
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
  })

  it('passes images and files to the model, and refuses other addresses', async () => {
    const world = new World(agUiHandler)
    const route = world.instance(['A cat.'])
    const parts = [
      { type: 'text', text: 'What?' },
      { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } },
      { type: 'document', source: { type: 'url', value: 'https://a.example/b.pdf', mimeType: 'application/pdf' } },
      { type: 'image', source: { type: 'url', value: 'https://a.example/c.png' } },
    ]
    await (await route(post(input({ messages: [{ id: 'm', role: 'user', content: parts }] })))).text()
    expect(world.llms[0]?.calls[0]?.messages?.at(-1)?.['content']).toEqual([
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'file', file: { url: 'https://a.example/b.pdf', media_type: 'application/pdf' } },
      { type: 'image_url', image_url: { url: 'https://a.example/c.png' } },
    ])
    const content = [{ type: 'image', source: { type: 'url', value: 'file:///etc/passwd' } }]
    expect(await (await route(post(input({ messages: [{ id: 'm2', role: 'user', content }] })))).text()).toContain(
      '"code":"configuration"',
    )
  })

  it.each([
    ['no thread', { threadId: 5 }],
    ['no run', { runId: '' }],
    ['messages that are no array', { messages: {} }],
    ['no message', { messages: [] }],
    ['content that is an object', { messages: [{ role: 'user', content: {} }] }],
    ['a part without a source', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    ['an id that is a number', { messages: [{ id: 5, role: 'user', content: '' }] }],
    ['decisions that are no array', { resume: {} }],
    ['a decision without an interrupt', { resume: [{ status: 'resolved' }] }],
    ['an id that is no interrupt', { resume: [{ interruptId: 'a/%E0%A4%A', status: 'resolved' }] }],
    ['decisions about two tasks', { resume: [{ interruptId: 'a/1' }, { interruptId: 'b/1' }] }],
  ])('is refused with %s', async (_, fields) => {
    const response = await new World(agUiHandler).instance([])(post(input(fields)))
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'model_validation'])
  })
})
