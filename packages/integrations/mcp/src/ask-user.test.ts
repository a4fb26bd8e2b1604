import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  InMemoryTransport as MemoryV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ElicitRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, createRequestStateCodec, Server as ServerV2 } from '@modelcontextprotocol/server'
import { FunctionTool, journal, MemoryTaskStore, QueryEngineTool, ReActAgent, type Tool } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type AskUserOptions, askUser } from './ask-user.ts'
import { mcpTools } from './mcp-toolset.ts'
import type { McpAnswer, McpQuestion } from './mcp-types.ts'
import { serveTools } from './serve-tools.ts'
import { waitForUser } from './wait-for-user.ts'

const info = { name: 'bank', version: '1.0.0' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Answers the questions of a server; undefined for a client that shows none. */
type Answer = ((question: McpQuestion) => McpAnswer) | undefined
type Connect = (tools: () => Iterable<Tool>, answer: Answer, options?: AskUserOptions) => Promise<ClientV1 | ClientV2>

const capabilities = (answer: Answer) => (answer ? { capabilities: { elicitation: { form: {}, url: {} } } } : {})

function answering(own: ClientV2, answer: Answer): ClientV2 {
  ends.push(() => own.close())
  if (answer) own.setRequestHandler('elicitation/create', ({ params }) => answer(params as McpQuestion) as never)
  return own
}

const pairs: Record<string, Connect> = {
  async 'SDK 1'(tools, answer, options) {
    const [near, far] = MemoryV1.createLinkedPair()
    const server = new ServerV1(info, { capabilities: { tools: {} } })
    const requests = { list: ListToolsRequestSchema, call: CallToolRequestSchema }
    serveTools(server, tools(), { requests, approvals: askUser(options) })
    await server.connect(far)
    const own = new ClientV1(info, capabilities(answer))
    ends.push(() => own.close())
    if (answer)
      own.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params as unknown as McpQuestion) as never)
    await own.connect(near)
    return own
  },
  async 'SDK 2'(tools, answer, options) {
    const [near, far] = MemoryV2.createLinkedPair()
    const server = new ServerV2(info, { capabilities: { tools: {} } })
    serveTools(server, tools(), { approvals: askUser(options) })
    await server.connect(far)
    const own = answering(new ClientV2(info, capabilities(answer)), answer)
    await own.connect(near)
    return own
  },
  async 'SDK 2, newest revision'(tools, answer, options) {
    // A server, and so `serveTools`, for every request.
    const handler = createMcpHandler(() => {
      const server = new ServerV2(info, { capabilities: { tools: {} } })
      serveTools(server, tools(), { approvals: askUser(options) })
      return server
    })
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
    const own = new ClientV2(info, { ...capabilities(answer), versionNegotiation: { mode: 'auto' } })
    await answering(own, answer).connect(new HttpV2(new URL('http://127.0.0.1/mcp'), { fetch }))
    expect(own.getProtocolEra()).toBe('modern')
    return own
  },
}

const accept = (content: Record<string, unknown>) => () => ({ action: 'accept', content }) as const
const yes = accept({ approve: true })
/** Approves, and notes the questions. */
const noting =
  (questions: string[]) =>
  ({ message }: { message: string }) => {
    questions.push(message)
    return yes()
  }

/** A tool that pays, with what it has paid. */
function paying() {
  const paid: unknown[] = []
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    description: 'Pays.',
    schema: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
    needsApproval: ({ euros }) => {
      if (euros === 13) throw new Error('The prices are down.')
      return euros >= 100
    },
    fn: ({ euros }, { idempotencyKey }) => {
      paid.push(idempotencyKey ? [euros, idempotencyKey] : euros)
      return `Paid ${euros}.`
    },
  })
  return { pay, paid }
}

/** An agent that pays once, as a tool. */
function banker(more: Partial<Parameters<typeof ReActAgent.fromTools>[0]> = {}) {
  const { pay, paid } = paying()
  const llm = new ScriptedLLM({
    answers: ['Thought: I pay.\nAction: pay\nAction Input: {"euros": 500}', 'Thought: I know.\nAnswer: All is paid.'],
  })
  const agent = ReActAgent.fromTools({ llm, tools: [pay], ...more })
  const ask = QueryEngineTool.fromDefaults({ queryEngine: agent, name: 'banker', description: 'Pays bills.' })
  return { ask, paid, agent }
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text

describe.each(Object.entries(pairs))('askUser: %s', (_, connect) => {
  it('asks before a call that needs approval, and not before others', async () => {
    const { pay, paid } = paying()
    const questions: McpQuestion[] = []
    const client = await connect(
      () => [pay],
      (question) => {
        questions.push(question)
        return yes()
      },
    )
    const call = (euros: number) =>
      client.callTool({ name: 'pay', arguments: { euros }, _meta: { idempotencyKey: 'k' } })
    expect(textOf(await call(5))).toBe('Paid 5.')
    expect(questions).toEqual([])
    expect(textOf(await call(500))).toBe('Paid 500.')
    expect(questions).toMatchObject([{ mode: 'form', message: 'Approve the call of "pay"?\n{"euros":500}' }])
    expect(paid).toEqual([
      [5, 'k'],
      [500, 'k'],
    ])
    expect(textOf(await call(13))).toBe('Paid 13.')
    const unjudged = 'It could not be judged whether this call needs approval.'
    expect(questions[1]).toMatchObject({ message: `Approve the call of "pay"?\n{"euros":13}\n${unjudged}` })
  })

  it.each([
    ['declined', () => ({ action: 'decline' }) as const, 'The user has rejected this call.'],
    ['cancelled', () => ({ action: 'cancel' }) as const, 'The user has rejected this call.'],
    ['not approved', accept({ approve: false, reason: 'Too much.' }), 'The user has rejected this call: Too much.'],
  ])('does not make a call that is %s', async (_, answer, message) => {
    const { pay, paid } = paying()
    const client = await connect(() => [pay], answer)
    const result = await client.callTool({ name: 'pay', arguments: { euros: 500 } })
    expect(result).toMatchObject({ isError: true })
    expect(textOf(result)).toBe(message)
    expect(paid).toEqual([])
  })

  it('refuses a call if the client cannot ask', async () => {
    const { pay, paid } = paying()
    const { ask, paid: paidByAgent } = banker()
    const client = await connect(() => [pay, ask], undefined)
    for (const params of [
      { name: 'pay', arguments: { euros: 500 } },
      { name: 'banker', arguments: { input: 'Pay!' } },
    ]) {
      // The newest revision has an error for it.
      const text = await client.callTool(params).then(
        (result) => (result.isError ? textOf(result) : ''),
        (error) => error.message,
      )
      expect(text).toMatch(/elicitation/)
    }
    expect([paid, paidByAgent]).toEqual([[], []])
  })

  it('asks for the calls of an agent', async () => {
    const { ask, paid } = banker()
    const questions: string[] = []
    const client = await connect(() => [ask], noting(questions), {
      message: ({ name, arguments: args }) => `May I ${name} ${JSON.stringify(args)}?`,
    })
    expect(textOf(await client.callTool({ name: 'banker', arguments: { input: 'Pay!' } }))).toBe('All is paid.')
    expect(questions).toEqual(['May I pay {"euros":500}?'])
    expect(paid).toMatchObject([[500, expect.stringMatching(/^served-/)]])
  })

  it('says why a call of an agent waits', async () => {
    const answers = [
      'Thought: I pay.\nAction: pay\nAction Input: {"euros": 13}',
      'Thought: I know.\nAnswer: All is paid.',
    ]
    const { ask, paid } = banker({ llm: new ScriptedLLM({ answers }) })
    const questions: string[] = []
    const client = await connect(() => [ask], noting(questions))
    expect(textOf(await client.callTool({ name: 'banker', arguments: { input: 'Pay!' } }))).toBe('All is paid.')
    expect(questions).toEqual([expect.stringContaining('It could not be judged whether this call needs approval.')])
    expect(paid).toHaveLength(1)
  })

  it('tells the agent that the user rejects its call', async () => {
    const { ask, paid } = banker()
    const client = await connect(() => [ask], accept({ approve: false, reason: 'Too much.' }))
    expect(textOf(await client.callTool({ name: 'banker', arguments: { input: 'Pay!' } }))).toBe('All is paid.')
    expect(paid).toEqual([])
  })

  it('asks for results from outside', async () => {
    const lookUp = FunctionTool.external({
      name: 'look_up',
      schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    })
    const llm = new ScriptedLLM({
      answers: [
        'Thought: I ask.\nAction: look_up\nAction Input: {"what": "rate"}',
        'Thought: I know.\nAnswer: It is 3 %.',
      ],
    })
    const { ask } = banker({ llm, tools: [lookUp] })
    const taken: string[] = []
    const client = await connect(
      () => [ask],
      ({ message }) => {
        taken.push(message)
        return { action: 'accept', content: { result: '3 %' } }
      },
    )
    expect(textOf(await client.callTool({ name: 'banker', arguments: { input: 'Rate?' } }))).toBe('It is 3 %.')
    expect(taken).toEqual(['The result of "look_up"?\n{"what":"rate"}'])
    expect(JSON.stringify(llm.calls.at(-1))).toContain('3 %')
  })

  it('passes on the question of a server that its agent uses', async () => {
    const { pay, paid } = paying()
    const inner = await connect(() => [pay], yes)
    const { tools } = await mcpTools(inner, {
      elicitation: waitForUser(inner instanceof ClientV1 ? { request: ElicitRequestSchema } : {}),
    })
    const { ask } = banker({ tools: [...tools] })
    const questions: McpQuestion[] = []
    const outer = await connect(
      () => [ask],
      (question) => {
        questions.push(question)
        return yes()
      },
    )
    expect(textOf(await outer.callTool({ name: 'banker', arguments: { input: 'Pay!' } }))).toBe('All is paid.')
    expect(questions).toMatchObject([
      { message: 'bank: Approve the call of "pay"?\n{"euros":500}', requestedSchema: { required: ['approve'] } },
    ])
    expect(paid).toMatchObject([[500, expect.any(String)]])
  })
})

describe('askUser', () => {
  const modern = pairs['SDK 2, newest revision']!

  /** Makes a first request, whose answer is a question, as a client that keeps the state itself. */
  async function waiting(client: ClientV1 | ClientV2) {
    const params = { name: 'banker', arguments: { input: 'Pay!' } }
    const asked = await (client as ClientV2).callTool(params, { allowInputRequired: true } as never)
    const { inputRequests, requestState } = asked as unknown as { inputRequests: object; requestState: string }
    const inputResponses = { [Object.keys(inputRequests)[0]!]: { action: 'accept', content: { approve: true } } }
    return {
      requestState,
      finish: (state = requestState) => client.callTool({ ...params, inputResponses, requestState: state } as never),
    }
  }

  it('continues the task of an agent in another process, from its task store', async () => {
    const store = new MemoryTaskStore()
    const first = banker({ taskStore: journal(store) })
    const { requestState } = await waiting(await modern(() => [first.ask], yes))
    const llm = new ScriptedLLM({ answers: ['Thought: I know.\nAnswer: Paid elsewhere.'] })
    const second = banker({ taskStore: journal(store), llm })
    const { pay, paid } = paying()
    const other = banker({ taskStore: journal(store), llm, tools: [pay] })
    const client = await modern(() => [other.ask], yes)
    const id = first.agent.getPendingApprovals(requestState)[0]!.id
    const result = await client.callTool({
      name: 'banker',
      arguments: { input: 'Pay!' },
      inputResponses: { [`approval:${id}`]: { action: 'accept', content: { approve: true } } },
      requestState,
    } as never)
    expect(textOf(result)).toBe('Paid elsewhere.')
    expect(paid).toMatchObject([[500, expect.any(String)]])
    expect(second.paid).toEqual([])
  })

  it('does not continue a task that it did not start, and pays once if an answer comes twice', async () => {
    const { ask, agent, paid } = banker()
    await agent.createTask('Pay!', { taskId: 'of-somebody-else' })
    const client = await modern(() => [ask], yes)
    const { finish } = await waiting(client)
    for (const state of ['of-somebody-else', `served-${crypto.randomUUID()}`])
      expect(await finish(state)).toMatchObject({ isError: true })
    expect(paid).toEqual([])
    expect(textOf(await finish())).toBe('All is paid.')
    expect(textOf(await finish())).toBe('All is paid.')
    expect(paid.length).toBe(1)
  })

  it('seals its state with the codec of the server', async () => {
    const codec = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(7) })
    const { ask } = banker()
    const handler = createMcpHandler(() => {
      const server = new ServerV2(info, { capabilities: { tools: {} }, requestState: { verify: codec.verify } })
      serveTools(server, [ask], { approvals: askUser({ mint: codec.mint }) })
      return server
    })
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
    const client = answering(new ClientV2(info, { ...capabilities(yes), versionNegotiation: { mode: 'auto' } }), yes)
    await client.connect(new HttpV2(new URL('http://127.0.0.1/mcp'), { fetch }))
    const { requestState, finish } = await waiting(client)
    expect(requestState).not.toContain('served-')
    await expect(finish(`${requestState}x`)).rejects.toThrow('requestState')
    expect(textOf(await finish())).toBe('All is paid.')
  })

  it('refuses unknown options', () => {
    expect(() => askUser({ text: '' } as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})
