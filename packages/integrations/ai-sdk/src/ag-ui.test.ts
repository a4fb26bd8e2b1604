import type { Message } from '@ag-ui/core'
import {
  type AsyncBaseTool,
  FunctionCallingAgent,
  FunctionTool,
  journal,
  MemoryTaskStore,
  ToolMetadata,
} from '@x/agents'
import { ApprovalRequiredError } from '@x/agents/errors'
import { chatKey, memoryChatStreams, storedChatStreams } from '@x/chats'
import { ChatMessage, SimpleChatStore, ToolOutput } from '@x/core-model'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { callTurn, metadata, slowModel, TasksWorld, World } from '../../../chats/test/chat-world.ts'
import { type Client, clientOf, texts } from '../test/ag-ui-client.ts'
import { type AgUiChat, agUiHandler } from './ag-ui-handler.ts'
import { loadAgUiInterrupts, loadAgUiMessages } from './load-ag-ui-messages.ts'

const post = (body: unknown, user = 'ann') =>
  new Request('https://chat.example/agent', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-user': user },
  })
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

  it('shows the same when it is loaded again, and learns what it lacks', async () => {
    const world = new World(agUiHandler)
    const both = callTurn('Let me see.')
    ;(both.additionalKwargs['tool_calls'] as object[]).push(
      ...(callTurn(null, 'c2').additionalKwargs['tool_calls'] as []),
    )
    const route = world.instance([both, 'Bought.', 'Two.', 'Three.'])
    const client = clientOf(() => route)
    await client.say('Buy a pear.')
    const load = () => loadAgUiMessages(world.chatStore, 'ann', 'chat')
    const plain = (messages: readonly object[]) => JSON.parse(JSON.stringify(messages))
    expect(plain(await load())).toEqual(plain(client.agent.messages))
    const second = clientOf(() => route)
    second.agent.setMessages([])
    await second.say('Two?')
    expect(second.events).toContain('CUSTOM')
    expect(stored(world).filter((text) => text.startsWith('user'))).toEqual(['user: Buy a pear.', 'user: Two?'])
    await client.say('Three?')
    expect(stored(world)).toHaveLength(9)
  })

  it.each(['resolved', 'cancelled'] as const)(
    'continues a call that waits after the page is loaded again: %s',
    async (status) => {
      const world = new World(agUiHandler, {}, true)
      const route = world.instance([callTurn('Shall I?'), 'Understood.', 'Next.'])
      const first = clientOf(() => route)
      await first.say('Buy a pear.')
      const client = clientOf(() => route)
      client.agent.setMessages((await loadAgUiMessages(world.chatStore, 'ann', 'chat')) as Message[])
      const interrupts = await loadAgUiInterrupts(world.chatStore, 'ann', 'chat')
      expect(interrupts).toEqual(first.interrupts)
      expect(await loadAgUiInterrupts(world.chatStore, 'bob', 'chat')).toEqual([])
      client.agent.pendingInterrupts = interrupts
      // The client refuses another run until they are decided about.
      await expect(client.say('And?')).rejects.toThrow(/interrupt/i)
      client.agent.setMessages((await loadAgUiMessages(world.chatStore, 'ann', 'chat')) as Message[])
      await client.agent.runAgent({ resume: [{ interruptId: interrupts[0]!.id, status }] })
      expect(world.bought).toEqual(status === 'resolved' ? ['pear'] : [])
      expect(texts(client).at(-1)).toBe('assistant: Understood.')
      expect(await loadAgUiInterrupts(world.chatStore, 'ann', 'chat')).toEqual([])
      await client.say('Next?')
      expect(texts(client).at(-1)).toBe('assistant: Next.')
      expect(stored(world).at(-1)).toBe('assistant: Next.')
    },
  )

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
    const route = world.instance(['Hello Ann', 'Hello Anna', 'Yes.', 'Of course.'])
    const client = clientOf(() => route)
    await client.say('I am Ann.')
    const behind = clientOf(() => route)
    behind.agent.setMessages((await loadAgUiMessages(world.chatStore, 'ann', 'chat')) as Message[])
    const [first] = client.agent.messages
    client.agent.setMessages([{ ...first, role: 'user', content: 'I am Anna.' } as never])
    await client.agent.runAgent()
    expect(stored(world)).toEqual(['user: I am Anna.', 'assistant: Hello Anna'])
    // A client is told of the edit, unless it shows it.
    await behind.say('Sure?')
    expect(behind.events).toContain('CUSTOM')
    const current = clientOf(() => route)
    current.agent.setMessages((await loadAgUiMessages(world.chatStore, 'ann', 'chat')) as Message[])
    await current.say('Really?')
    expect(current.events).not.toContain('CUSTOM')
  })

  it.each([
    ['approves', { status: 'resolved' }, ['pear']],
    ['approves with data', { status: 'resolved', payload: { approved: true } }, ['pear']],
    ['edits', { status: 'resolved', payload: { approved: true, editedArgs: { fruit: 'plum' } } }, ['plum']],
    ['rejects', { status: 'cancelled', payload: { reason: 'too dear' } }, []],
    ['rejects with data', { status: 'resolved', payload: { approved: false, reason: 'too dear' } }, []],
    ['rejects with false', { status: 'resolved', payload: false }, []],
  ] as const)('%s a call, in another instance, also of a durable task', async (_, decision, bought) => {
    for (const Made of [World, TasksWorld]) await decides(new Made(agUiHandler, {}, true), decision, bought)
  })

  async function decides(world: World, decision: object, bought: readonly string[]): Promise<void> {
    const routes = [world.instance([callTurn('Shall I?')]), world.instance(['As you wish.'])]
    const client = clientOf(() => routes.shift()!)
    await client.say('Buy a pear.')
    expect(client.interrupts).toMatchObject([
      {
        reason: 'tool_call',
        message: 'buy waits for approval.',
        toolCallId: 'c1',
        metadata: { arguments: { fruit: 'pear' } },
      },
    ])
    expect(world.bought).toEqual([])
    await client.agent.runAgent({ resume: [{ interruptId: client.interrupts[0]!.id, ...decision } as never] })
    expect(texts(client).at(-1)).toBe('assistant: As you wish.')
    expect(world.bought).toEqual(bought)
    expect(stored(world).at(-2)).toMatch(bought.length > 0 ? /bought/ : /not|reject|denied/i)
  }

  describe('with tools of the client', () => {
    const locate = {
      name: 'locate',
      description: 'Returns the city of the user.',
      parameters: { type: 'object', properties: { exact: { type: 'boolean' } } },
    }
    const wants = new ChatMessage({
      role: 'assistant',
      content: 'Where are you?',
      additionalKwargs: {
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'locate', arguments: '{"exact":true}' } }],
      },
    })
    /** A world whose agents have the tools of the client. The answers are those of its instances. */
    function worldOf(...answers: ScriptedAnswer[][]) {
      const taskStore = new MemoryTaskStore()
      const chatStore = new SimpleChatStore()
      const llms = answers.map((one) => new ScriptedLLM({ answers: one, metadata }))
      const routes = llms.map((llm) =>
        new World(agUiHandler, {
          chatStore,
          agent: ({ tools }: AgUiChat) =>
            FunctionCallingAgent.fromTools({ llm, tools: [...tools], taskStore: journal(taskStore) }) as never,
        } as never).instance([]),
      )
      return { llms, routes }
    }
    const calls = ({ agent }: Client) =>
      agent.messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    const answer = ({ agent }: Client, fields: object = {}) =>
      agent.addMessage({
        id: 'result',
        role: 'tool',
        content: 'Berlin',
        toolCallId: calls({ agent } as Client)[0]!.id,
        ...fields,
      })

    it('waits for the result, and continues with it in another instance', async () => {
      const { llms, routes } = worldOf([wants], ['In Berlin.'])
      const client = clientOf(() => routes.shift()!)
      client.agent.addMessage({ id: 'q', role: 'user', content: 'Where am I?' })
      await client.agent.runAgent({ tools: [locate] })
      expect(calls(client)).toMatchObject([{ function: { name: 'locate', arguments: '{"exact":true}' } }])
      expect(client.interrupts).toEqual([])
      expect(client.events).not.toContain('TOOL_CALL_RESULT')
      expect(llms[0]!.calls[0]!.options?.tools).toMatchObject([{ function: { name: 'locate' } }])
      answer(client)
      await client.agent.runAgent({ tools: [locate] })
      expect(texts(client)).toEqual([
        'user: Where am I?',
        'assistant: Where are you?',
        'tool: Berlin',
        'assistant: In Berlin.',
      ])
      expect(calls(client)).toHaveLength(1)
      expect(JSON.stringify(llms[1]!.calls[0]!.messages!.at(-1))).toContain('Berlin')
    })

    it('takes a result that comes with a message behind it, and answers the message', async () => {
      const { llms, routes } = worldOf([wants, 'In Berlin.', 'It rains.', 'Bye.'])
      const client = clientOf(() => routes[0]!)
      client.agent.addMessage({ id: 'q', role: 'user', content: 'Where am I?' })
      await client.agent.runAgent({ tools: [locate] })
      answer(client)
      client.agent.addMessage({ id: 'q2', role: 'user', content: 'And the weather?' })
      await client.agent.runAgent({ tools: [locate] })
      expect(llms[0]!.calls.map(({ messages }) => messages!.at(-1)!.content)).toEqual([
        'Where am I?',
        'Berlin',
        'And the weather?',
      ])
      expect(texts(client).slice(-2)).toEqual(['assistant: In Berlin.', 'assistant: It rains.'])
      // Its result is among the messages of each later request.
      client.agent.addMessage({ id: 'q3', role: 'user', content: 'Thanks.' })
      await client.agent.runAgent({ tools: [locate] })
      expect(texts(client).at(-1)).toBe('assistant: Bye.')
    })

    it('passes on an error of the client', async () => {
      const { llms, routes } = worldOf([wants, 'I do not know.'])
      const client = clientOf(() => routes[0]!)
      client.agent.addMessage({ id: 'q', role: 'user', content: 'Where am I?' })
      await client.agent.runAgent({ tools: [locate] })
      answer(client, { content: '', error: 'not allowed' })
      await client.agent.runAgent({ tools: [locate] })
      expect(JSON.stringify(llms[0]!.calls[1]!.messages!.at(-1))).toContain('Error: not allowed')
    })

    it('takes no result for a task of another thread or user', async () => {
      const { routes } = worldOf([wants])
      const client = clientOf(() => routes[0]!)
      client.agent.addMessage({ id: 'q', role: 'user', content: 'Where am I?' })
      await client.agent.runAgent({ tools: [locate] })
      const messages = [{ id: 'r', role: 'tool', content: 'Rome', toolCallId: calls(client)[0]!.id }]
      for (const [threadId, user] of [
        ['chat', 'bob'],
        ['other', 'ann'],
      ] as const)
        expect((await routes[0]!(post(input({ threadId, messages }), user))).status).toBe(404)
    })

    it('refuses a tool with the name of its own', async () => {
      const agent = ({ tools }: AgUiChat) =>
        FunctionCallingAgent.fromTools({
          llm: new ScriptedLLM({ answers: [], metadata }),
          tools: [
            FunctionTool.fromDefaults({ name: 'locate', schema: locate.parameters as never, fn: () => '' }),
            ...tools,
          ],
        })
      const route = new World(agUiHandler, { agent } as never).instance([])
      expect(await (await route(post(input({ tools: [locate] })))).text()).toContain('"code":"configuration"')
    })
  })

  it('shares its state and context with the tools, and receives the changes', async () => {
    const set = FunctionTool.fromDefaults({
      name: 'buy',
      description: 'Buys a fruit.',
      schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
      fn: ({ fruit }, { context }) => {
        const { state, context: known } = context as AgUiChat
        ;(state['cart'] as unknown[]).push(`${fruit} on ${known[0]!.value}`)
        return 'bought'
      },
    })
    const llm = new ScriptedLLM({ answers: [callTurn(null), 'Done.', 'Nothing more.'], metadata })
    const world = new World(agUiHandler, {
      agent: FunctionCallingAgent.fromTools({ llm, tools: [set] }) as never,
      run: (chat: AgUiChat) => ({ context: chat }),
    } as never)
    const route = world.instance([])
    const client = clientOf(() => route)
    client.agent.setState({ cart: ['plum'], page: 1 })
    client.agent.addMessage({ id: 'q', role: 'user', content: 'Buy a pear.' })
    await client.agent.runAgent({ context: [{ description: 'The page', value: 'the market' }] })
    expect(client.agent.state).toEqual({ cart: ['plum', 'pear on the market'], page: 1 })
    expect(client.events.filter((type) => type === 'STATE_SNAPSHOT')).toHaveLength(1)
    await client.say('What else?')
    expect(client.events.filter((type) => type === 'STATE_SNAPSHOT')).toHaveLength(1)
  })

  it.each([
    ['a result', 'look_up', { what: 'rate' }, { status: 'resolved', payload: '3 %' }, '3 %'],
    ['no result', 'look_up', { what: 'rate' }, { status: 'cancelled', payload: { reason: 'closed' } }, 'closed'],
  ] as const)('gives %s from outside', async (_, name, args, decision, expected) => {
    const call = { id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }
    const turn = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
    const llm = new ScriptedLLM({ answers: [turn, 'I see.'], metadata })
    const tool = FunctionTool.external({ name, description: 'Asks.', schema: { type: 'object', properties: {} } })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool], taskStore: journal(new MemoryTaskStore()) })
    const route = new World(agUiHandler, { agent } as never).instance([])
    const client = clientOf(() => route)
    await client.say('Ask.')
    const message = 'look_up waits for a result.'
    expect(client.interrupts).toMatchObject([{ reason: 'input_required', toolCallId: 'c1', message }])
    await client.agent.runAgent({ resume: [{ interruptId: client.interrupts[0]!.id, ...decision }] })
    expect(texts(client).at(-1)).toBe('assistant: I see.')
    expect(llm.calls[1]!.messages!.at(-1)!['content']).toContain(expected)
  })

  it('answers the question of an MCP server', async () => {
    const requestedSchema = { type: 'object', properties: { nights: { type: 'integer' } } }
    const book: AsyncBaseTool = {
      metadata: new ToolMetadata({ name: 'buy', description: 'Books.', fnSchema: { type: 'object', properties: {} } }),
      takesArguments: true,
      canWait: true,
      async call(_, { decisions = [], idempotencyKey = '' } = {}) {
        const [decision] = decisions
        if (decision?.decision === 'result')
          return new ToolOutput({ content: JSON.stringify(decision.result), toolName: 'buy' })
        const question = { server: 'hotel', message: 'How long?', requestedSchema }
        const call = {
          id: 'q',
          name: 'elicitation',
          arguments: question,
          needsApproval: false,
          awaits: 'result',
        } as const
        throw new ApprovalRequiredError(idempotencyKey, [{ ...call, decision: null }])
      },
    }
    const llm = new ScriptedLLM({ answers: [callTurn(null), 'Booked.'], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [book], taskStore: journal(new MemoryTaskStore()) })
    const route = new World(agUiHandler, { agent } as never).instance([])
    const client = clientOf(() => route)
    await client.say('Book a room.')
    expect(client.interrupts).toMatchObject([{ message: 'How long?', responseSchema: requestedSchema }])
    const { id: interruptId } = client.interrupts[0]!
    await client.agent.runAgent({ resume: [{ interruptId, status: 'resolved', payload: { nights: 3 } }] })
    expect(texts(client).at(-1)).toBe('assistant: Booked.')
    expect(llm.calls[1]!.messages!.at(-1)!['content']).toBe('{"action":"accept","content":{"nights":3}}')
  })

  it('is refused when an approval is no clear yes or no', async () => {
    const world = new World(agUiHandler, {}, true)
    const route = world.instance([callTurn('Shall I?')])
    const client = clientOf(() => route)
    await client.say('Buy a pear.')
    const interruptId = client.interrupts[0]!.id
    for (const [decision, place] of [
      [{ status: 'resolve' }, 'status'],
      [{}, 'status'],
      ...[
        { approved: 'false' },
        { approved: 0 },
        { approved: null },
        'no',
        0,
        [],
        { arguments: { fruit: 'plum' } },
      ].map((payload) => [{ status: 'resolved', payload }, 'payload']),
      [{ status: 'resolved', payload: { editedArgs: 'plum' } }, 'payload.editedArgs'],
    ] as const) {
      const response = await route(post(input({ threadId: 'chat', resume: [{ interruptId, ...Object(decision) }] })))
      expect([decision, response.status]).toEqual([decision, 400])
      expect(await response.text()).toContain(`resume.0.${place}`)
    }
    expect(world.bought).toEqual([])
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
      expect((await route(post(input({ threadId, resume }), user))).status).toBe(404)
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

  it('sees errors of tools without their text, also when it is loaded', async () => {
    const buy = FunctionTool.fromDefaults({
      name: 'buy',
      description: 'Buys a fruit.',
      schema: { type: 'object', properties: { fruit: { type: 'string' } } },
      fn: () => Promise.reject(new Error('key sk-123 is wrong')),
    })
    const llm = new ScriptedLLM({ answers: [callTurn(null), 'Later.'], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [buy] })
    const world = new World(agUiHandler, { agent })
    const client = clientOf(() => world.instance([]))
    await client.say('Buy a pear.')
    expect(texts(client).slice(1)).toEqual(['tool: The tool failed.', 'assistant: Later.'])
    expect(JSON.stringify(llm.calls[1]!.messages)).toContain('sk-123')
    const loaded = await loadAgUiMessages(world.chatStore, 'ann', 'chat')
    expect(loaded.map(({ content }) => content)).toContain('The tool failed.')
    expect(JSON.stringify(loaded)).not.toContain('sk-123')
    for (const load of [loadAgUiMessages, loadAgUiInterrupts])
      await expect(load(world.chatStore, 'ann', 'chat', { stream: {} } as never)).rejects.toThrow(
        'did you mean streams?',
      )
  })

  it('stops the model by leaving', async () => {
    const world = new World(agUiHandler)
    const slow = slowModel()
    const route = world.instanceOf(slow.llm)
    const client = clientOf(() => route)
    const saying = client.say('Tell me a story.').catch(() => {})
    await expect.poll(() => texts(client).at(-1)).toBe('assistant: Once')
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
    // As the client itself reports a run that it has aborted.
    for (const response of [back, first])
      expect(await response.text()).toMatch(/"type":"RUN_ERROR","message":"[^"]+","code":"abort"/)
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
      '"code":"model_validation"',
    )
  })

  it.each([
    ['no thread', { threadId: 5 }],
    ['no run', { runId: '' }],
    ['messages that are no array', { messages: {} }],
    ['no message', { messages: [] }],
    ['an answer at the end', { messages: [...input({}).messages, { id: 'a', role: 'assistant', content: 'Hello' }] }],
    ['content that is an object', { messages: [{ role: 'user', content: {} }] }],
    ['a part without a source', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    ['an id that is a number', { messages: [{ id: 5, role: 'user', content: '' }] }],
    ['decisions that are no array', { resume: {} }],
    [
      'a message without words beside a decision',
      {
        resume: [{ interruptId: 'a/1?approval', status: 'resolved' }],
        messages: [{ id: 'm', role: 'user', content: '' }],
      },
    ],
    ['a decision without an interrupt', { resume: [{ status: 'resolved' }] }],
    ['an id that is no interrupt', { resume: [{ interruptId: 'a/%E0%A4%A?approval', status: 'resolved' }] }],
    ['tools that are no array', { tools: {} }],
    ['a tool without a name', { tools: [{ description: '' }] }],
    ['a tool whose description is a number', { tools: [{ name: 'a', description: 5 }] }],
    ['a tool with an invalid schema', { tools: [{ name: 'a', description: '', parameters: 5 }] }],
    ['a tool with a name that is a line of a prompt', { tools: [{ name: 'a\nAnswer:', description: '' }] }],
    ['a state that is an array', { state: [] }],
    ['context without a value', { context: [{ description: 'page' }] }],
    ['decisions about two tasks', { resume: [{ interruptId: 'a/1?approval' }, { interruptId: 'b/1?approval' }] }],
  ])('is refused with %s', async (_, fields) => {
    const response = await new World(agUiHandler).instance([])(post(input(fields)))
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'model_validation'])
  })
})
