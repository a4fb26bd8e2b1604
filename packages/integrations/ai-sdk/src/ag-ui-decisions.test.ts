import { AgentTool, FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { memoryChatStreams } from '@x/chats'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { callTurn, metadata, slowModel, TasksWorld, World } from '../../../chats/test/chat-world.ts'
import { type Client, clientOf, texts } from '../test/ag-ui-client.ts'
import { appOf, calling, schema, stop } from '../test/chat-app.ts'
import { agUiHandler } from './ag-ui-handler.ts'
import { loadAgUiInterrupts, loadAgUiMessages } from './load-ag-ui-messages.ts'

/** Decides about all calls that wait. */
const decide = (client: Client, payload: unknown = true) =>
  client.agent.runAgent({
    resume: client.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload })),
  })
const load = async ({ chatStore }: World) => loadAgUiMessages(chatStore, 'ann', 'chat')
const shown = (messages: readonly { content?: unknown }[]) =>
  messages.flatMap(({ content }) => (typeof content === 'string' && content !== '' ? [content] : []))

describe('a message of the user that comes with decisions', () => {
  /** A page whose user writes while a call waits: the client sends the message with the decision. */
  async function writes(world: World, ...answers: Parameters<World['instance']>[0]) {
    const route = world.instance([callTurn('Shall I?'), ...answers])
    const client = clientOf(() => route)
    await client.say('Buy a pear.')
    await expect(client.say('Never buy plums.')).rejects.toThrow(/interrupt/i)
    client.events.length = 0
    return client
  }

  it.each([
    ['in this process', () => new World(agUiHandler, {}, true)],
    ['with streams', () => new World(agUiHandler, { streams: memoryChatStreams() }, true)],
    ['as durable tasks', () => new TasksWorld(agUiHandler, {}, true)],
  ])('is stored and answered behind the decided turn, in one run: %s', async (_, create) => {
    const world = create()
    const client = await writes(world, 'Bought.', 'No plums.', 'Yes.')
    await decide(client)
    expect(world.bought).toEqual(['pear'])
    expect(client.events.filter((type) => type.startsWith('RUN_'))).toEqual(['RUN_STARTED', 'RUN_FINISHED'])
    expect(world.request(0, 2).at(-1)).toBe('user: Never buy plums.')
    expect(texts(client).slice(-2)).toEqual(['assistant: Bought.', 'assistant: No plums.'])
    const loaded = await load(world)
    expect(shown(loaded)).toEqual([
      'Buy a pear.',
      'Shall I?',
      '{"bought":"pear"}',
      'Bought.',
      'Never buy plums.',
      'No plums.',
    ])
    // The page knows the answer by the id of the store.
    expect(client.agent.messages.at(-1)!.id).toBe(loaded.at(-1)!.id)
    // It shows the message in front of the rest of the decided turn, and receives where it belongs.
    expect(client.events).toContain('CUSTOM')
    await client.say('Really?')
    expect(texts(client).at(-1)).toBe('assistant: Yes.')
  })

  it('is not answered again if the chat has it', async () => {
    const world = new World(agUiHandler, {}, true)
    const route = world.instance([callTurn(null), 'Bought.'])
    const client = clientOf(() => route)
    await client.say('Buy a pear.')
    client.agent.setMessages(client.agent.messages.slice(0, 1))
    await decide(client)
    expect(texts(client).slice(-1)).toEqual(['assistant: Bought.'])
    expect(world.llms[0]!.calls).toHaveLength(2)
  })

  it('is answered once if the request comes twice', async () => {
    const world = new World(agUiHandler, {}, true)
    const client = await writes(world, 'Bought.', 'No plums.')
    const again = client.agent.clone()
    await decide(client)
    await again.runAgent({ resume: [{ interruptId: again.pendingInterrupts[0]!.id, status: 'resolved' }] })
    expect(world.llms[0]!.calls).toHaveLength(3)
    expect(shown(again.messages).slice(-2)).toEqual(['Bought.', 'No plums.'])
  })

  it.each([
    ['fails', new Error('the model is down'), 'No plums.'],
    ['waits again', callTurn('One more?', 'c2'), 'No plums.'],
  ])('is stored and answered if the decided turn %s', async (how, first, second) => {
    for (const Made of [World, TasksWorld]) {
      const world = new Made(agUiHandler, {}, true)
      const client = await writes(world, first, second)
      await decide(client).catch(() => {})
      expect(shown(await load(world)).slice(-2)).toEqual(['Never buy plums.', 'No plums.'])
      expect(texts(client).at(-1)).toBe('assistant: No plums.')
      expect(client.events.at(-1)).toBe(how === 'fails' ? 'RUN_ERROR' : 'RUN_FINISHED')
      const waiting = await loadAgUiInterrupts(world.chatStore, 'ann', 'chat')
      if (how !== 'fails') expect(client.interrupts).toEqual(waiting)
    }
  })

  it('is stored and answered while other calls of the decided turn wait', async () => {
    for (const Made of [World, TasksWorld]) {
      const world = new Made(agUiHandler, {}, true)
      const both = callTurn('Shall I?')
      ;(both.additionalKwargs['tool_calls'] as object[]).push(
        ...(callTurn(null, 'c2').additionalKwargs['tool_calls'] as []),
      )
      const route = world.instance([both, 'No plums.', 'Bought.'])
      const client = clientOf(() => route)
      await client.say('Buy two pears.')
      const [first, second] = client.interrupts
      // Its own check wants all decisions at once.
      client.agent.pendingInterrupts = []
      client.agent.addMessage({ id: 'm2', role: 'user', content: 'Never buy plums.' })
      await client.agent.runAgent({ resume: [{ interruptId: first!.id, status: 'resolved' }] })
      expect(texts(client).at(-1)).toBe('assistant: No plums.')
      expect(client.interrupts).toEqual([second])
      await decide(client)
      expect(world.bought).toEqual(['pear', 'pear'])
      expect(shown(await load(world)).slice(-3)).toEqual(['Bought.', 'Never buy plums.', 'No plums.'])
    }
  })

  it('is reported as not taken if messages are refused while a call waits', async () => {
    const world = new World(agUiHandler, { whileWaiting: 'refuse' }, true)
    const client = await writes(world, callTurn('One more?', 'c2'))
    const codes: unknown[] = []
    client.agent.subscribe({ onRunErrorEvent: ({ event }) => void codes.push(event.code) })
    await decide(client).catch(() => {})
    expect(codes).toEqual(['decision_pending'])
    expect(shown(await load(world))).not.toContain('Never buy plums.')
  })

  it.each([
    ['in this process', World],
    ['as durable tasks', TasksWorld],
  ])('is stored and stopped with the decided turn: %s', async (_, Made) => {
    const world = new Made(agUiHandler, {}, true)
    const client = await writes(world)
    const slow = slowModel()
    const route = world.instanceOf(slow.llm)
    const second = clientOf(() => route)
    second.agent.setMessages(client.agent.messages)
    second.interrupts = client.interrupts
    const deciding = decide(second).catch(() => {})
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await route(new Request('https://a.example/agent/chat/stream', { method: 'DELETE', headers: { 'x-user': 'ann' } }))
    await deciding
    slow.release()
    expect(slow.llm.count).toBe(1)
    expect(shown(await load(world))).toContain('Never buy plums.')
  })

  it('is stored if the client leaves', async () => {
    const world = new World(agUiHandler, {}, true)
    const client = await writes(world)
    const slow = slowModel()
    const route = world.instanceOf(slow.llm)
    const second = clientOf(() => route)
    second.agent.setMessages(client.agent.messages)
    second.interrupts = client.interrupts
    const deciding = decide(second).catch(() => {})
    await expect.poll(() => texts(second).at(-1)).toBe('assistant: Once')
    second.agent.abortRun()
    await deciding
    slow.release()
    await expect.poll(async () => shown(await load(world))).toContain('Never buy plums.')
    expect(slow.llm.count).toBe(1)
  })

  it('is no decision if the list of decisions is empty', async () => {
    const world = new World(agUiHandler)
    const client = clientOf(() => world.instance(['Hello.']))
    client.agent.addMessage({ id: 'm1', role: 'user', content: 'Hi' })
    await client.agent.runAgent({ resume: [] })
    expect(texts(client).at(-1)).toBe('assistant: Hello.')
  })
})

describe('a call of an agent behind a tool', () => {
  const pay = FunctionTool.fromDefaults({
    name: 'buy',
    schema: { type: 'object', properties: { fruit: { type: 'string' } } },
    needsApproval: true,
    fn: ({ fruit }) => `bought ${fruit}`,
  })

  /** An agent whose tool is an agent that buys two fruits, one after the other. */
  function clerk(world: World) {
    const inner = FunctionCallingAgent.fromTools({
      llm: new ScriptedLLM({ metadata, answers: [callTurn(null, 'i1'), callTurn(null, 'i2'), 'Both are bought.'] }),
      tools: [pay],
    })
    const ask = callTurn(null)
    const [made] = ask.additionalKwargs['tool_calls'] as { function: object }[]
    made!.function = { name: 'clerk', arguments: '{"input":"buy"}' }
    const tool = new AgentTool({ agent: inner, name: 'clerk', description: 'Buys.' })
    const agent = FunctionCallingAgent.fromTools({
      llm: new ScriptedLLM({ metadata, answers: [ask, 'Done.'] }),
      tools: [tool],
      taskStore: journal(world.taskStore),
    })
    return new World(agUiHandler, { agent, chatStore: world.chatStore } as never).instance([])
  }
  const plain = (messages: readonly object[]) =>
    messages.map((message) => JSON.parse(JSON.stringify({ ...message, id: undefined })))

  it.each([
    [true, ['bought pear', 'bought pear']],
    [false, []],
  ])('has its result on the page, also when it is loaded: approved is %s', async (payload, results) => {
    const world = new World(agUiHandler)
    const route = clerk(world)
    const client = clientOf(() => route)
    await client.say('Buy two pears.')
    for (const id of ['c1/i1', 'c1/i2']) {
      expect(client.interrupts.map(({ toolCallId }) => toolCallId)).toEqual([id])
      expect(plain(await load(world))).toEqual(plain(client.agent.messages))
      await decide(client, payload)
    }
    const shownResults = client.agent.messages.flatMap((message) =>
      message.role === 'tool' && message.toolCallId.includes('/') ? [String(message.content)] : [],
    )
    expect(shownResults).toHaveLength(2)
    if (results.length > 0) expect(shownResults).toEqual(results)
    expect(plain(await load(world))).toEqual(plain(client.agent.messages))
  })
})

it.each(['an agent', 'durable tasks'])(
  'a rejection of a call that may have run does not say that it has not: %s',
  async (kind) => {
    const app = await appOf(kind, [calling('hold'), 'Done.'], { handler: agUiHandler })
    const first = clientOf(() => app.route)
    await first.say('Pay!')
    const running = decide(first).catch(() => {})
    await app.reached
    await stop(app)
    await running
    app.deploy({ ...schema, properties: { euros: { type: 'number', maximum: 90 } } })
    const client = clientOf(() => app.route)
    client.agent.setMessages(first.agent.messages.slice(0, 1))
    await client.agent.runAgent()
    const problem = 'hold waits for approval. The tool has changed. The call may have run already.'
    expect(client.interrupts).toMatchObject([{ message: problem }])
    await decide(client, { approved: false, reason: 'no' })
    const result = texts(client).find((text) => text.startsWith('tool'))
    expect(result).toMatch(/^tool: Interrupted: it is unknown .* The user has rejected another attempt: no$/)
    expect(shown(await loadAgUiMessages(app.chatStore, 'ann', 'chat'))[1]).toBe(result!.slice('tool: '.length))
  },
)

it.each(['an agent', 'durable tasks'])(
  'an edit that the tool converts leaves the arguments that the client shows: %s',
  async (kind) => {
    const app = await appOf(kind, [calling('pay'), 'Done.'], { handler: agUiHandler })
    const client = clientOf(() => app.route)
    await client.say('Pay!')
    await decide(client, { editedArgs: { euros: '30' } })
    expect(app.paid).toMatchObject([[30, expect.any(String)]])
    const calls = client.agent.messages.flatMap((message) => (message.role === 'assistant' && message.toolCalls) || [])
    expect(calls.map((call) => call.function.arguments)).toEqual(['{"euros":5}'])
    const loaded = await loadAgUiMessages(app.chatStore, 'ann', 'chat')
    expect(JSON.stringify(loaded)).toContain('{\\"euros\\":30}')
  },
)
