import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  InMemoryTransport as MemoryV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport as MemoryV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ElicitRequestSchema,
  ListToolsRequestSchema,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, inputRequired, Server as ServerV2 } from '@modelcontextprotocol/server'
import { journal, journalPort, MemoryTaskStore, ReActAgent } from '@x/agents'
import { agentTools, approvals, decide, reactLoop } from '@x/agents/loop'
import { ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { McpClient, McpToolset } from './index.ts'
import { mcpTools } from './mcp-toolset.ts'
import { waitForUser } from './wait-for-user.ts'

const info = { name: 'hotel', version: '1.0.0' }
const client = { capabilities: { elicitation: { form: {}, url: {} } } }
const question = {
  message: 'Which room?',
  requestedSchema: {
    type: 'object' as const,
    properties: {
      nights: { type: 'integer' as const, minimum: 1 },
      view: { type: 'string' as const, enum: ['sea', 'park'], default: 'park' },
    },
    required: ['nights'],
  },
}
const address = { mode: 'url' as const, message: 'Sign in.', url: 'https://hotel.example/sign-in' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** What the server has seen: the questions that it asked, and the keys of the calls. */
interface Seen {
  asked: number
  keys: unknown[]
  cancelled?: number
}
type Connect = (seen: Seen) => Promise<McpClient>

const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } })
const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] })

/** A server that sends its questions as requests: `book` asks for a room, and `sign_in` for a visit of an address. */
function pushing(seen: Seen): ServerV1 {
  const server = new ServerV1(info, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['book', 'book_two', 'sign_in', 'refuse', 'hang'].map(tool),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    signal.addEventListener('abort', () => (seen.cancelled = 1))
    seen.keys.push(params._meta?.['idempotencyKey'])
    seen.asked++
    if (params.name === 'refuse' && seen.asked < 2)
      throw new UrlElicitationRequiredError([{ ...address, elicitationId: 'a' }])
    if (params.name === 'hang') return new Promise<never>(() => {})
    if (params.name === 'refuse') return text('signed in')
    if (params.name === 'sign_in')
      return text(await server.elicitInput({ ...address, elicitationId: crypto.randomUUID() }))
    const answers = [await server.elicitInput(question)]
    if (params.name === 'book_two')
      answers.push(await server.elicitInput({ ...question, message: 'And which second room?' }))
    return text(answers.length > 1 ? answers : answers[0])
  })
  return server
}

/** A server that asks in its results, as in the newest protocol revision. */
function inBand(seen: Seen): ServerV2 {
  const server = new ServerV2(info, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({ tools: ['book', 'book_two', 'sign_in'].map(tool) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { room, second } = (mcpReq.inputResponses ?? {}) as Record<string, unknown>
    if (params.name !== 'book_two' && room) return text(room)
    if (second) return text([JSON.parse(mcpReq.requestState()!), second])
    seen.keys.push(params._meta?.['idempotencyKey'])
    seen.asked++
    if (params.name === 'sign_in') return inputRequired({ inputRequests: { room: inputRequired.elicitUrl(address) } })
    if (!room) return inputRequired({ inputRequests: { room: inputRequired.elicit(question) } })
    return inputRequired({
      inputRequests: { second: inputRequired.elicit({ ...question, message: 'And which second room?' }) },
      requestState: JSON.stringify(room),
    })
  })
  return server
}

const pairs: Record<string, Connect> = {
  async 'client 1, questions as requests'(seen) {
    const [near, far] = MemoryV1.createLinkedPair()
    await pushing(seen).connect(far)
    const own = new ClientV1(info, client)
    await own.connect(near)
    return own
  },
  async 'client 2, questions as requests'(seen) {
    const [near, far] = MemoryV2.createLinkedPair()
    await pushing(seen).connect(far as never)
    const own = new ClientV2(info, client)
    await own.connect(near)
    return own
  },
  async 'client 2, questions in results'(seen) {
    const handler = createMcpHandler(() => inBand(seen))
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
    const own = new ClientV2(info, { ...client, versionNegotiation: { mode: 'auto' } })
    await own.connect(new HttpV2(new URL('http://127.0.0.1/mcp'), { fetch }))
    expect(own.getProtocolEra()).toBe('modern')
    return own
  },
}

const elicitation = (connected: McpClient) =>
  waitForUser(connected instanceof ClientV1 ? { request: ElicitRequestSchema } : {})(connected)

async function toolset(connect: Connect, seen: Seen): Promise<McpToolset> {
  const made = await mcpTools(await connect(seen), { elicitation, timeoutMs: 200 })
  ends.push(() => made.close())
  return made
}

/** An agent that calls the tool, then answers. */
function agent({ tools }: McpToolset, store: MemoryTaskStore, answers: string[]) {
  return ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [...tools], taskStore: journal(store) })
}
const calls = (name: string) => `Thought: I call.\nAction: ${name}\nAction Input: {}`
const done = 'Thought: I know.\nAnswer: Done.'

/** Runs the task until it waits, and returns what waits. */
async function waits(own: ReActAgent, taskId: string) {
  await expect(own.runTask(taskId)).rejects.toMatchObject({ code: 'approval_required' })
  return own.getPendingApprovals(taskId)
}

describe.each(Object.entries(pairs))('waitForUser: %s', (name, connect) => {
  const start = async (toolName: string, store = new MemoryTaskStore()) => {
    const seen: Seen = { asked: 0, keys: [] }
    const tools = await toolset(connect, seen)
    const own = agent(tools, store, [calls(toolName), done])
    await own.createTask('Book!', { taskId: 't' })
    const [call] = await waits(own, 't')
    return { own, call: call!, seen, store, tools }
  }
  const output = async (own: ReActAgent) => JSON.parse((await own.runTask('t')).sources[0]!.content)

  it('waits for the answer, longer than a call may take, and continues with it', async () => {
    const { own, call, seen } = await start('book')
    expect(call).toMatchObject({
      name: 'elicitation',
      awaits: 'result',
      arguments: { server: 'hotel', tool: 'book', message: 'Which room?', requestedSchema: question.requestedSchema },
    })
    await new Promise((resolve) => setTimeout(resolve, 250))
    await own.provideResult('t', call.id, { action: 'accept', content: { nights: 2 } })
    expect(await output(own)).toEqual({ action: 'accept', content: { nights: 2, view: 'park' } })
    expect(seen).toEqual({ asked: 1, keys: [expect.stringMatching(/^[0-9a-f]{64}$/)] })
  })

  it('asks again if the answer does not match the schema', async () => {
    const { own, call, seen } = await start('book')
    for (const [result, problem] of [
      [{ action: 'accept', content: { nights: 0 } }, 'nights: expected a number at least 1, received 0'],
      [{ action: 'accept', content: { nights: 1, smoking: true } }, 'smoking: unknown argument'],
      ['two nights', 'action: expected accept, decline or cancel'],
    ] as const) {
      await own.provideResult('t', own.getPendingApprovals('t')[0]!.id, result)
      const [again] = await waits(own, 't')
      expect(again).toMatchObject({ name: 'elicitation', arguments: { problem: expect.stringContaining(problem) } })
      expect(again!.id).not.toBe(call.id)
    }
    await own.provideResult('t', own.getPendingApprovals('t')[0]!.id, { action: 'accept', content: { nights: 3 } })
    expect(await output(own)).toMatchObject({ content: { nights: 3 } })
    expect(seen.asked).toBe(1)
  })

  it('declines and cancels', async () => {
    const rejected = await start('book')
    await rejected.own.reject('t', rejected.call.id)
    expect(await output(rejected.own)).toEqual({ action: 'decline' })
    const declined = await start('book')
    await declined.own.provideResult('t', declined.call.id, { action: 'decline' })
    expect(await output(declined.own)).toEqual({ action: 'decline' })
    const cancelled = await start('book')
    await cancelled.own.provideResult('t', cancelled.call.id, 'The page was closed.', { isError: true })
    expect(await output(cancelled.own)).toEqual({ action: 'cancel' })
  })

  it('waits for a visit of an address', async () => {
    const { own, call } = await start('sign_in')
    expect(call.arguments).toMatchObject({ mode: 'url', url: address.url, message: 'Sign in.' })
    await own.approve('t', call.id)
    expect(await output(own)).toEqual({ action: 'accept' })
  })

  it('waits for one question after the other', async () => {
    const { own, call, seen } = await start('book_two')
    await own.provideResult('t', call.id, { action: 'accept', content: { nights: 1 } })
    const [second] = await waits(own, 't')
    expect(second).toMatchObject({ arguments: { message: 'And which second room?' } })
    await own.provideResult('t', second!.id, { action: 'accept', content: { nights: 2 } })
    expect(await output(own)).toMatchObject([{ content: { nights: 1 } }, { content: { nights: 2 } }])
    expect(seen.asked).toBe(name.includes('results') ? 2 : 1)
  })

  it('continues in another process, with the same key and the answers so far', async () => {
    const store = new MemoryTaskStore()
    const first = await start('book_two', store)
    await first.own.provideResult('t', first.call.id, { action: 'accept', content: { nights: 1 } })
    const [second] = await waits(first.own, 't')
    await first.tools.close()

    const seen: Seen = { asked: 0, keys: [] }
    const other = agent(await toolset(connect, seen), store, [done])
    await other.resumeTask('t')
    await other.provideResult('t', second!.id, { action: 'accept', content: { nights: 2 } })
    expect(await output(other)).toMatchObject([{ content: { nights: 1 } }, { content: { nights: 2 } }])
    if (name.includes('results')) expect(seen.asked).toBe(0)
    else expect(seen).toEqual({ asked: 1, keys: first.seen.keys })
  })

  it('continues in an engine that replays the run in another process', async () => {
    const results = new Map<string, unknown>()
    const durable = journalPort(async (step, make) => {
      if (!results.has(step)) results.set(step, JSON.parse(JSON.stringify(await make())))
      return results.get(step) as never
    })
    const run = async (answers: string[], seen: Seen) => {
      const { tools } = await toolset(connect, seen)
      const own = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [...tools] })
      await own.createTask('Book!', { taskId: 't' })
      await expect(own.runTask('t', { durable })).rejects.toMatchObject({ code: 'approval_required' })
      return own
    }
    const first: Seen = { asked: 0, keys: [] }
    await run([calls('book')], first)
    const second: Seen = { asked: 0, keys: [] }
    const own = await run([done], second)
    expect([first.asked, second.asked]).toEqual([1, 0])
    const result = { action: 'accept', content: { nights: 5 } }
    await own.provideResult('t', own.getPendingApprovals('t')[0]!.id, result)
    const { sources } = await own.runTask('t', { durable })
    expect(JSON.parse(sources[0]!.content)).toMatchObject({ content: { nights: 5 } })
    if (!name.includes('results')) expect(second.keys).toEqual(first.keys)
  })

  it('declines for calls that no agent makes', async () => {
    const seen: Seen = { asked: 0, keys: [] }
    const { tools } = await toolset(connect, seen)
    const book = tools.find(({ metadata }) => metadata.name === 'book')!
    expect(JSON.parse((await book.call({})).content)).toEqual({ action: 'decline' })
    expect(JSON.parse((await book.call({}, { idempotencyKey: 'k' })).content)).toEqual({ action: 'decline' })
    expect(seen.keys[0]).toBe(undefined)
  })

  it('lets a task start again', async () => {
    const { own, tools, seen } = await start('book')
    await own.undoStep('t')
    const again = agent(tools, new MemoryTaskStore(), [calls('book'), done])
    await again.createTask('Book!', { taskId: 't' })
    const [call] = await waits(again, 't')
    if (!name.includes('results')) await expect.poll(() => seen.cancelled).toBe(1)
    await again.provideResult('t', call!.id, { action: 'accept', content: { nights: 7 } })
    expect(await output(again)).toMatchObject({ content: { nights: 7 } })
  })
})

describe('waitForUser', () => {
  const requests = Object.entries(pairs).slice(0, 2)

  it.each(requests)('waits for the address that a server requires before the call: %s', async (_, connect) => {
    const start = async () => {
      const own = agent(await toolset(connect, { asked: 0, keys: [] }), new MemoryTaskStore(), [calls('refuse'), done])
      await own.createTask('Book!', { taskId: 't' })
      const [call] = await waits(own, 't')
      expect(call!.arguments).toMatchObject({ url: address.url })
      return { own, call: call! }
    }
    const visited = await start()
    await visited.own.approve('t', visited.call.id)
    expect((await visited.own.runTask('t')).sources[0]!.content).toBe('"signed in"')
    const declined = await start()
    await declined.own.reject('t', declined.call.id)
    expect((await declined.own.runTask('t')).sources[0]).toMatchObject({ isError: true })
  })

  it.each(requests)('keeps the questions of tasks apart: %s', async (_, connect) => {
    const tools = await toolset(connect, { asked: 0, keys: [] })
    const agents = ['a', 'b', 'c'].map((taskId) => ({
      taskId,
      own: agent(tools, new MemoryTaskStore(), [calls('book'), done]),
    }))
    const waiting = await Promise.all(
      agents.map(async ({ own, taskId }) => {
        await own.createTask('Book!', { taskId })
        return (await waits(own, taskId))[0]!
      }),
    )
    const outputs = agents.map(async ({ own, taskId }, i) => {
      await own.provideResult(taskId, waiting[i]!.id, { action: 'accept', content: { nights: i + 1 } })
      return JSON.parse((await own.runTask(taskId)).sources[0]!.content).content.nights
    })
    expect(await Promise.all(outputs)).toEqual([1, 2, 3])
  })

  it.each(requests)('makes the next call when one is aborted: %s', async (_, connect) => {
    const { tools } = await toolset(connect, { asked: 0, keys: [] })
    const find = (name: string) => tools.find(({ metadata }) => metadata.name === name)!
    const [running, queued] = [new AbortController(), new AbortController()]
    const reason = new Error('enough')
    const hanging = find('hang').call({}, { signal: running.signal })
    const second = find('hang').call({}, { signal: queued.signal })
    const third = find('book').call({})
    queued.abort(reason)
    await expect(second).rejects.toBe(reason)
    running.abort(reason)
    await expect(hanging).rejects.toBe(reason)
    expect((await third).content).toBe('{"action":"decline"}')
  })

  it('lets a loop of parts wait, which must have the layers for it', async () => {
    const { tools } = await toolset(pairs['client 1, questions as requests']!, { asked: 0, keys: [] })
    const book = tools.find(({ metadata }) => metadata.name === 'book')!
    const newLoop = (answers: string[], layers = [approvals(), agentTools()]) =>
      reactLoop({ llm: new ScriptedLLM({ answers }), tools: [book], layers })
    expect(() => newLoop([], [approvals()])).toThrow(expect.objectContaining({ code: 'configuration' }))
    const loop = newLoop([calls('book'), done])
    const { status, task, pending } = await loop.run('Book!')
    expect(status).toBe('waiting')
    const [question] = pending.filter(({ name }) => name === 'elicitation')
    const result = { action: 'accept', content: { nights: 4 } }
    await decide(loop, task, question!.id, { decision: 'result', result })
    const { text, sources } = await loop.resume(task)
    expect([text, sources[0]!.content]).toEqual(['Done.', expect.stringContaining('"nights":4')])
  })

  it('refuses unknown options', () => {
    expect(() => waitForUser({ schema: {} } as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})
