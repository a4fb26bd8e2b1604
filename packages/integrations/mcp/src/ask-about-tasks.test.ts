import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ElicitRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server as ServerV2 } from '@modelcontextprotocol/server'
import { FunctionTool, MemoryTaskStore, ReActAgent } from '@x/agents'
import { StoredTasks, type TaskRun } from '@x/durable'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../test/listen.ts'
import { askUser } from './ask-user.ts'
import { mcpTools } from './mcp-toolset.ts'
import type { McpAnswer, McpQuestion } from './mcp-types.ts'
import { serveTools } from './serve-tools.ts'
import { TaskTool } from './task-tool.ts'
import { waitForUser } from './wait-for-user.ts'

const info = { name: 'bank', version: '1.0.0' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const requests = { list: ListToolsRequestSchema, call: CallToolRequestSchema }
const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } }
const paying = 'Thought: pay\nAction: pay\nAction Input: {"euros": 500}'
const done = 'Thought: ok\nAnswer: All is paid.'
const euros = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
const yes: McpAnswer = { action: 'accept', content: { approve: true } }

/** What several processes share. */
class Bank {
  readonly store = new MemoryTaskStore()
  readonly paid: unknown[] = []
  readonly questions: McpQuestion[] = []
  readonly related: unknown[] = []

  /** A process that runs tasks. */
  async engine(...answers: ScriptedAnswer[]): Promise<StoredTasks> {
    const llm = new ScriptedLLM({ answers })
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      schema: euros,
      needsApproval: true,
      fn: ({ euros }) => {
        this.paid.push(euros)
        return 'paid'
      },
    })
    const count = FunctionTool.external({ name: 'count', schema: { type: 'object', properties: {} } })
    const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [pay, count], taskStore })
    const tasks = new StoredTasks({ store: this.store, agent, pollingIntervalMs: 10 })
    await tasks.start()
    ends.push(() => tasks.stop())
    return tasks
  }

  /** A server of SDK 1 with a client; `answer` is undefined for a client that shows no questions. */
  async client(
    tasks: StoredTasks,
    answer?: (signal: AbortSignal) => McpAnswer | Promise<McpAnswer>,
    options: Parameters<typeof askUser>[0] = {},
    isHttp = false,
  ): Promise<{ client: Client; work: TaskTool }> {
    const work = toolOf(tasks)
    const server = new Server(info, { capabilities, taskStore: work, taskMessageQueue: work })
    serveTools(server, [], { requests, tasks: work, approvals: askUser(options) })
    const near = isHttp ? await httpOf(server) : await inMemory(server)
    const client = new Client(info, answer && { capabilities: { elicitation: { form: {} } } })
    if (answer)
      client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
        this.questions.push(params as unknown as McpQuestion)
        this.related.push(params._meta?.['io.modelcontextprotocol/related-task'])
        return (await answer(signal)) as never
      })
    await client.connect(near as InMemoryTransport)
    ends.push(() => client.close())
    return { client, work }
  }
}

async function inMemory(server: Server): Promise<InMemoryTransport> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  return near
}

/** The one session of a server over HTTP. */
async function httpOf(server: Server): Promise<StreamableHTTPClientTransport> {
  const far = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'session' })
  await server.connect(far)
  const url = await listen(
    (request) => far.handleRequest(request),
    (end) => ends.push(end),
  )
  return new StreamableHTTPClientTransport(url)
}

const toolOf = (tasks: StoredTasks) =>
  new TaskTool(tasks, { name: 'work', description: 'Pays bills.', pollingIntervalMs: 10 })
const callOf = { name: 'work', arguments: { input: 'Pay!' } }
const paid = { content: [{ type: 'text', text: 'All is paid.' }] }

/** Makes a call as a task, and returns its id. */
async function begin(client: Client): Promise<string> {
  for await (const message of client.experimental.tasks.callToolStream(callOf, undefined, { task: {} }))
    if (message.type === 'taskCreated') return message.task.taskId
  throw new Error('no task')
}
const resultOf = (client: Client, taskId: string) =>
  client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)
const statusOf = (client: Client, taskId: string) => async () =>
  (await client.experimental.tasks.getTask(taskId)).status

describe('a task that waits', () => {
  it.each([
    ['in memory', false],
    ['over HTTP', true],
  ])('asks the user of a client that waits for its result, and only then: %s', async (_, isHttp) => {
    const bank = new Bank()
    const { client } = await bank.client(await bank.engine(paying, done), () => yes, {}, isHttp)
    const taskId = await begin(client)
    await expect.poll(statusOf(client, taskId)).toBe('input_required')
    expect(bank.questions).toEqual([])
    expect(await resultOf(client, taskId)).toMatchObject(paid)
    expect(bank.questions).toMatchObject([{ mode: 'form', message: 'Approve the call of "pay"?\n{"euros":500}' }])
    expect(bank.related).toEqual([{ taskId }])
    expect(bank.paid).toEqual([500])
  })

  it('passes a rejection on to the model', async () => {
    const bank = new Bank()
    const tasks = await bank.engine(paying, done)
    const { client } = await bank.client(tasks, () => ({
      action: 'accept',
      content: { approve: false, reason: 'too dear' },
    }))
    const taskId = await begin(client)
    await resultOf(client, taskId)
    const { sources } = await tasks.answer(taskId)
    expect(sources[0]?.content).toContain('too dear')
    expect(bank.paid).toEqual([])
  })

  it('asks again in another process, after the client had left without an answer', async () => {
    const bank = new Bank()
    const first = await bank.engine(paying)
    const { client } = await bank.client(first, () => new Promise(() => {}))
    const taskId = await begin(client)
    const lost = resultOf(client, taskId).catch(() => 'lost')
    await expect.poll(() => bank.questions.length).toBe(1)
    await client.close()
    expect(await lost).toBe('lost')
    await first.stop()
    const second = await bank.client(await bank.engine(done), () => yes)
    expect(await resultOf(second.client, taskId)).toMatchObject(paid)
    expect(bank.questions).toHaveLength(2)
    expect(bank.paid).toEqual([500])
  })

  it('asks again when the user took too long', async () => {
    const bank = new Bank()
    const late = [() => new Promise<never>(() => {}), () => yes]
    const { client } = await bank.client(await bank.engine(paying, done), () => late.shift()!(), { timeoutMs: 50 })
    expect(await resultOf(client, await begin(client))).toMatchObject(paid)
    expect(bank.questions).toHaveLength(2)
  })

  it('withdraws the question when the call is decided elsewhere', async () => {
    const bank = new Bank()
    const tasks = await bank.engine(paying, done, paying, done)
    let isWithdrawn = false
    const { client } = await bank.client(tasks, (signal) => {
      // The SDK's client does not read that the first request of a server, number 0, is cancelled.
      if (bank.questions.length === 1) return yes
      signal.addEventListener('abort', () => void (isWithdrawn = true))
      return new Promise(() => {})
    })
    await resultOf(client, await begin(client))
    const taskId = await begin(client)
    const result = resultOf(client, taskId)
    await expect.poll(() => bank.questions.length).toBe(2)
    const [call] = await tasks.waiting(taskId)
    await tasks.decide(taskId, { callId: call!.id, type: 'approve' })
    expect(await result).toMatchObject(paid)
    await expect.poll(() => isWithdrawn).toBe(true)
  })

  it('asks once, also if the engine receives the answer later', async () => {
    const bank = new Bank()
    const tasks = await bank.engine(paying, done)
    const decide = tasks.decide.bind(tasks)
    tasks.decide = async (...args) => void setTimeout(() => decide(...args), 100)
    const { client } = await bank.client(tasks, () => yes)
    expect(await resultOf(client, await begin(client))).toMatchObject(paid)
    expect(bank.questions).toHaveLength(1)
  })

  it('asks for a result from outside', async () => {
    const bank = new Bank()
    const tasks = await bank.engine('Thought: count\nAction: count\nAction Input: {}', done)
    const { client } = await bank.client(tasks, () => ({ action: 'accept', content: { result: '7' } }))
    const taskId = await begin(client)
    expect(await resultOf(client, taskId)).toMatchObject(paid)
    expect(bank.questions.map(({ message }) => message)).toEqual(['The result of "count"?\n{}'])
    expect((await tasks.answer(taskId)).sources[0]?.content).toBe('7')
  })

  it('is input_required for clients that cannot ask, until it is decided elsewhere', async () => {
    const bank = new Bank()
    const tasks = await bank.engine(paying, done)
    const { client } = await bank.client(tasks)
    const taskId = await begin(client)
    const result = resultOf(client, taskId)
    await expect.poll(statusOf(client, taskId)).toBe('input_required')
    const [call] = await tasks.waiting(taskId)
    await tasks.decide(taskId, { callId: call!.id, type: 'approve' })
    expect(await result).toMatchObject(paid)
  })

  it('makes the task of an agent wait whose tool it is', async () => {
    const bank = new Bank()
    const { client } = await bank.client(await bank.engine(paying, done), () => yes)
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'cancel' }))
    const { tools } = await mcpTools(client, { elicitation: waitForUser({ request: ElicitRequestSchema }) })
    const llm = new ScriptedLLM({
      answers: ['Thought: work\nAction: work\nAction Input: {"input": "Pay!"}', 'Thought: ok\nAnswer: Done.'],
    })
    const agent = ReActAgent.fromTools({ llm, tools: [...tools] })
    await agent.createTask('Pay!', { taskId: 't' })
    await expect(agent.runTask('t')).rejects.toMatchObject({ code: 'approval_required' })
    const [call] = agent.getPendingApprovals('t')
    expect(call!.arguments).toMatchObject({
      tool: 'work',
      message: expect.stringContaining('Approve the call of "pay"'),
    })
    await agent.provideResult('t', call!.id, yes as never)
    expect((await agent.runTask('t')).sources[0]?.content).toBe('All is paid.')
    expect(bank.paid).toEqual([500])
  })

  it('needs a TaskTool for each server', async () => {
    const work = toolOf(await new Bank().engine())
    const serve = () => {
      const server = new Server(info, { capabilities, taskStore: work, taskMessageQueue: work })
      serveTools(server, [], { requests, tasks: work, approvals: askUser() })
    }
    serve()
    expect(serve).toThrow('make one for each server')
  })
})

describe('a call that is no task', () => {
  it('asks the user and waits for the answer', async () => {
    const bank = new Bank()
    const tasks = await bank.engine(paying, paying, done)
    const { client } = await bank.client(tasks, () => yes)
    expect(await client.callTool(callOf)).toMatchObject(paid)
    expect(bank.paid).toEqual([500, 500])
    expect(bank.questions).toHaveLength(2)
  })

  it('fails if the client cannot ask', async () => {
    const bank = new Bank()
    const { client } = await bank.client(await bank.engine(paying))
    expect(await client.callTool(callOf)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('does not support elicitation') }],
    })
  })

  it('gets the answer with a new request, in the newest revision', async () => {
    const bank = new Bank()
    const tasks = await bank.engine(paying, done)
    const handler = createMcpHandler(() => {
      const server = new ServerV2(info, { capabilities: { tools: {} } })
      serveTools(server, [], { tasks: toolOf(tasks), approvals: askUser() })
      return server
    })
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init))
    const client = new ClientV2(info, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: 'auto' },
    })
    client.setRequestHandler('elicitation/create', () => yes as never)
    await client.connect(new HttpV2(new URL('http://127.0.0.1/mcp'), { fetch }))
    ends.push(() => client.close())
    expect(client.getProtocolEra()).toBe('modern')
    expect(await client.callTool(callOf)).toMatchObject(paid)
    expect(bank.paid).toEqual([500])
  })
})
