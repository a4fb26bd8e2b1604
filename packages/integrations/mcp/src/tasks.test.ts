import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ElicitRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { FunctionTool, MemoryTaskStore, ReActAgent } from '@x/agents'
import { type DurableTasks, StoredTasks, type TaskRun } from '@x/durable'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { askUser } from './ask-user.ts'
import type { McpTaskIds } from './call-as-task.ts'
import { mcpTools } from './mcp-toolset.ts'
import { type ServeToolsOptions, serveTools } from './serve-tools.ts'
import { TaskTool } from './task-tool.ts'
import { waitForUser } from './wait-for-user.ts'

const info = { name: 'test', version: '1.0.0' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Tasks that a client asks about every 10 milliseconds. */
class QuickTasks extends InMemoryTaskStore {
  override createTask: InMemoryTaskStore['createTask'] = (options, ...rest) =>
    super.createTask({ ...options, pollInterval: 10 }, ...rest)
}

const schema = { type: 'object', properties: {} } as const
function tools() {
  const seen = { aborted: 0 }
  const common = { description: 'Works.', schema }
  const slow = FunctionTool.fromDefaults({
    ...common,
    name: 'slow',
    fn: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return 'done'
    },
  })
  const broken = FunctionTool.fromDefaults({ ...common, name: 'broken', fn: () => Promise.reject(new Error('closed')) })
  const forever = FunctionTool.fromDefaults({
    ...common,
    name: 'forever',
    fn: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(++seen.aborted))
      }),
  })
  const pay = FunctionTool.fromDefaults({ ...common, name: 'pay', needsApproval: true, fn: () => 'paid' })
  return { list: [slow, broken, forever, pay], seen }
}

async function served(options: Partial<ServeToolsOptions> = { tasks: true }) {
  const store = new QuickTasks()
  ends.push(() => store.cleanup())
  const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } }
  const server = new Server(info, { capabilities, taskStore: store })
  const { list, seen } = tools()
  const requests = { list: ListToolsRequestSchema, call: CallToolRequestSchema }
  serveTools(server, list, { requests, approvals: askUser(), ...options })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const client = new Client(info, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { approve: true } }))
  await client.connect(near)
  ends.push(() => client.close())
  // A request may take less time than the tool.
  const toolset = await mcpTools(client, { timeoutMs: 100, totalTimeoutMs: 5000 })
  const tool = (name: string) => toolset.tools.find(({ metadata }) => metadata.name === name)!
  const tasks = async () => (await store.listTasks()).tasks
  return { client, tool, tasks, seen }
}

describe('calls as tasks', () => {
  it('may take longer than a request', async () => {
    const { tool, tasks } = await served()
    expect(await tool('slow').call({})).toMatchObject({ content: 'done', isError: false })
    expect(await tasks()).toMatchObject([{ status: 'completed', ttl: 3_600_000 }])
    const plain = await served({ tasks: false })
    await expect(plain.tool('slow').call({})).rejects.toMatchObject({ code: 'tool_execution' })
    expect(await plain.tasks()).toEqual([])
  })

  it('report the failure of a tool', async () => {
    const { tool, tasks } = await served()
    await expect(tool('broken').call({})).rejects.toMatchObject({
      code: 'tool_execution',
      message: expect.stringContaining('closed'),
    })
    expect(await tasks()).toMatchObject([{ status: 'failed' }])
  })

  it('are cancelled with the run, also at the server', async () => {
    const { tool, tasks, seen } = await served()
    const controller = new AbortController()
    const reason = new Error('enough')
    const call = tool('forever').call({}, { signal: controller.signal })
    await expect.poll(async () => (await tasks()).length).toBe(1)
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect.poll(() => seen.aborted).toBe(1)
    expect(await tasks()).toMatchObject([{ status: 'cancelled' }])
  })

  it('are not offered for tools that ask the user', async () => {
    const { client, tool, tasks } = await served()
    const support = (await client.listTools()).tools.map(({ name, execution }) => [name, execution?.taskSupport])
    expect(support).toEqual([
      ['slow', 'optional'],
      ['broken', 'optional'],
      ['forever', 'optional'],
      ['pay', undefined],
    ])
    expect((await tool('pay').call({})).content).toBe('paid')
    expect(await tasks()).toEqual([])
  })

  it('wait for answers to the reference server, which requires tasks', {
    tags: 'system',
    timeout: 30_000,
  }, async () => {
    const command = `${import.meta.dirname}/../node_modules/@modelcontextprotocol/server-everything/dist/index.js`
    const client = new Client(info, { capabilities: { elicitation: { form: {} } } })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [command, 'stdio'], stderr: 'ignore' }),
    )
    ends.push(() => client.close())
    const elicitation = waitForUser({ request: ElicitRequestSchema })
    const { tools } = await mcpTools(client, { elicitation, filter: ({ name }) => name === 'simulate-research-query' })
    const llm = new ScriptedLLM({
      answers: [
        'Thought: I look.\nAction: simulate-research-query\nAction Input: {"topic": "python", "ambiguous": true}',
        'Thought: I know.\nAnswer: It is a language.',
      ],
    })
    const agent = ReActAgent.fromTools({ llm, tools: [...tools] })
    await agent.createTask('What is python?', { taskId: 't' })
    await expect(agent.runTask('t')).rejects.toMatchObject({ code: 'approval_required' })
    const [call] = agent.getPendingApprovals('t')
    expect(call!.arguments).toEqual({
      server: 'mcp-servers/everything',
      tool: 'simulate-research-query',
      message: expect.any(String),
      requestedSchema: expect.objectContaining({ required: ['interpretation'] }),
    })
    await agent.provideResult('t', call!.id, { action: 'accept', content: { interpretation: 'snake' } })
    const { sources } = await agent.runTask('t')
    expect(sources[0]!.content).toContain('python (snake)')
  })
})

describe('calls as tasks of an engine', () => {
  const requests = { list: ListToolsRequestSchema, call: CallToolRequestSchema }
  const description = 'Answers a question.'
  const paying = 'Thought: pay\nAction: pay\nAction Input: {}'
  const answer = 'Thought: ok\nAnswer: It is paid.'

  /** A process: a server of MCP and the worker of the tasks. */
  async function processOf(store: MemoryTaskStore, answers: ScriptedAnswer[], prefix?: string) {
    const llm = new ScriptedLLM({ answers })
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: () => 'paid' })
    const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, tools: [pay], taskStore })
    const tasks = new StoredTasks({ store, agent, pollingIntervalMs: 10 })
    await tasks.start()
    ends.push(() => tasks.stop())
    const work = new TaskTool(tasks, { name: 'work', description, pollingIntervalMs: 10, prefix })
    const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } }
    const server = new Server(info, { capabilities, taskStore: work })
    const echo = FunctionTool.fromDefaults({ name: 'echo', description, schema, fn: () => 'echo' })
    serveTools(server, [echo], { requests, tasks: work })
    const [near, far] = InMemoryTransport.createLinkedPair()
    await server.connect(far)
    const client = new Client(info)
    await client.connect(near)
    ends.push(() => client.close())
    return { tasks, client, work, end: async () => Promise.all([client.close(), tasks.stop()]) }
  }

  /** Makes a call as a task, and returns its id. */
  async function begin({ client }: { client: Client }, input = 'Pay!'): Promise<string> {
    for await (const message of client.experimental.tasks.callToolStream(
      { name: 'work', arguments: { input } },
      undefined,
      { task: {} },
    ))
      if (message.type === 'taskCreated') return message.task.taskId
    throw new Error('no task')
  }
  const statusOf = ({ client }: { client: Client }, taskId: string) => client.experimental.tasks.getTask(taskId)

  it('outlive the server, and wait for decisions', async () => {
    const store = new MemoryTaskStore()
    const first = await processOf(store, [paying])
    expect((await first.client.listTools()).tools.map(({ name, execution }) => [name, execution?.taskSupport])).toEqual(
      [
        ['echo', undefined],
        ['work', 'optional'],
      ],
    )
    const taskId = await begin(first)
    await expect.poll(async () => (await statusOf(first, taskId)).status).toBe('input_required')
    const { createdAt, statusMessage, ttl } = await statusOf(first, taskId)
    expect(statusMessage).toBe('pay waits for its approval.')
    expect(ttl).toBeNull()
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(10_000)
    await first.end()
    const second = await processOf(store, [answer])
    const result = second.client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)
    const [call] = await second.tasks.waiting(taskId)
    await second.tasks.decide(taskId, { callId: call!.id, type: 'approve' })
    expect(await result).toMatchObject({ content: [{ type: 'text', text: 'It is paid.' }] })
    expect(await statusOf(second, taskId)).toMatchObject({ status: 'completed', createdAt })
  })

  it('are cancelled, and report failures', async () => {
    const made = await processOf(new MemoryTaskStore(), [paying, new Error('no key')])
    const cancelled = await begin(made)
    await expect.poll(async () => (await statusOf(made, cancelled)).status).toBe('input_required')
    await made.client.experimental.tasks.cancelTask(cancelled)
    expect(await made.tasks.status(cancelled)).toBe('cancelled')
    const failed = await begin(made)
    await expect.poll(async () => (await statusOf(made, failed)).status).toBe('failed')
    expect((await statusOf(made, failed)).statusMessage).toBe('no key')
    expect(await made.client.experimental.tasks.getTaskResult(failed, CallToolResultSchema)).toMatchObject({
      content: [{ text: 'no key' }],
      isError: true,
    })
  })

  it('do not show clients why their agent cannot be made', async () => {
    const agent = () => {
      throw new Error('connect ECONNREFUSED 10.0.0.1:443')
    }
    const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent, maxInterruptions: 0 })
    await tasks.start()
    ends.push(() => tasks.stop())
    const work = new TaskTool(tasks, { name: 'work', description })
    const { taskId } = await work.createTask({}, 1, { params: { name: 'work', arguments: { input: 'Pay!' } } })
    await expect.poll(async () => (await work.getTask(taskId))?.status).toBe('failed')
    const shown = [await work.getTask(taskId), await work.getTaskResult(taskId)]
    expect(JSON.stringify(shown)).not.toContain('10.0.0.1')
  })

  describe('of a client that keeps their ids', () => {
    const input = { input: 'Pay!' }
    const options = { idempotencyKey: 'run/1/0' }
    async function toolOf({ client }: { client: Client }, taskIds?: McpTaskIds) {
      const { tools } = await mcpTools(client, { taskIds, filter: ({ name }) => name === 'work' })
      return tools[0]!
    }
    const submitted = (store: MemoryTaskStore) => store.list().filter(({ taskId }) => taskId.startsWith('submitted/'))

    it('are continued by a repeated call, after a restart of both', async () => {
      const [store, taskIds] = [new MemoryTaskStore(), new Map<string, string>()]
      const first = await processOf(store, [new Promise(() => {})])
      const calling = (await toolOf(first, taskIds)).call(input, options)
      const lost = Promise.resolve(calling).catch(({ code }) => code)
      await expect.poll(() => taskIds.size).toBe(1)
      await first.end()
      expect(await lost).toBe('tool_execution')
      const tool = await toolOf(await processOf(store, [answer, answer]), taskIds)
      for (const _ of [1, 2]) expect((await tool.call(input, options)).content).toBe('It is paid.')
      expect(submitted(store)).toHaveLength(1)
      await tool.call(input, { idempotencyKey: 'run/1/1' })
      expect(submitted(store)).toHaveLength(2)
    })

    it('are not continued without the ids, or without a key', async () => {
      const store = new MemoryTaskStore()
      const made = await processOf(store, [answer, answer, answer, answer])
      const calls = [await toolOf(made), await toolOf(made, new Map())]
      for (const _ of [1, 2]) await calls[0]!.call(input, options)
      for (const _ of [1, 2]) await calls[1]!.call(input)
      expect(submitted(store)).toHaveLength(4)
    })

    it('begin again if they were cancelled, and fail if they have failed or are unknown', async () => {
      const taskIds = new Map<string, string>()
      const made = await processOf(new MemoryTaskStore(), [new Promise(() => {}), new Error('no key'), answer])
      const tool = await toolOf(made, taskIds)
      const controller = new AbortController()
      const call = tool.call(input, { ...options, signal: controller.signal })
      await expect.poll(() => taskIds.size).toBe(1)
      const [key, cancelled] = [...taskIds][0]!
      controller.abort(new Error('enough'))
      await expect(call).rejects.toThrow('enough')
      await expect.poll(() => made.tasks.status(cancelled)).toBe('cancelled')
      for (const _ of [1, 2]) await expect(tool.call(input, options)).rejects.toThrow('no key')
      taskIds.set(key, 'mcp-forgotten')
      await expect(tool.call(input, options)).rejects.toThrow('Task not found')
    })

    it('are cancelled with the repeated call', async () => {
      const taskIds = new Map<string, string>()
      const made = await processOf(new MemoryTaskStore(), [new Promise(() => {})])
      const [first, second] = [await toolOf(made, taskIds), await toolOf(made, taskIds)]
      Promise.resolve(first.call(input, options)).catch(() => {})
      await expect.poll(() => taskIds.size).toBe(1)
      const controller = new AbortController()
      const call = second.call(input, { ...options, signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 50)
      await expect(call).rejects.toThrow('enough')
      await expect.poll(() => made.tasks.status([...taskIds.values()][0]!)).toBe('cancelled')
    })
  })

  it('are those with their prefix only', async () => {
    const store = new MemoryTaskStore()
    const ann = await processOf(store, [answer], 'ann')
    const taskId = await begin(ann)
    await expect.poll(async () => (await statusOf(ann, taskId)).status).toBe('completed')
    await ann.tasks.submit('Pay!', { taskId: 'mcp-an-order-7' })
    await ann.end()
    const other = await processOf(store, [], 'an')
    for (const id of [taskId, 'mcp-an-order-7', 'mcp-none', 'order-7'])
      await expect(statusOf(other, id)).rejects.toThrow('Task not found')
  })

  it('are ordinary calls for clients without tasks', async () => {
    const { work } = await processOf(new MemoryTaskStore(), [answer, paying, 'Action: nothing'])
    expect((await work.tool.call({ input: 'Pay!' })).content).toBe('It is paid.')
    await expect(work.tool.call({ input: 'Pay!' })).rejects.toThrow('pay waits for its approval.')
  })

  it('are cancelled with an ordinary call, also while it is submitted', async () => {
    const { work, tasks } = await processOf(new MemoryTaskStore(), [new Promise(() => {})])
    const reason = new Error('enough')
    const controller = new AbortController()
    const submitted: string[] = []
    const submit = tasks.submit.bind(tasks)
    tasks.submit = async (...args) => {
      submitted.push(await submit(...args))
      controller.abort(reason)
      return submitted[0]!
    }
    await expect(work.tool.call({ input: 'Pay!' }, { signal: controller.signal })).rejects.toBe(reason)
    await expect.poll(() => tasks.status(submitted[0]!)).toBe('cancelled')
  })

  it('have no list, and report the errors of the engine', async () => {
    const { work, tasks } = await processOf(new MemoryTaskStore(), [])
    const { taskId } = await work.createTask({}, 1, { params: { name: 'work', arguments: { input: 'Pay!' } } })
    await work.storeTaskResult()
    expect(await work.listTasks()).toEqual({ tasks: [] })
    tasks.status = () => Promise.reject(new Error('no connection'))
    await expect(work.getTask(taskId)).rejects.toThrow('no connection')
  })

  it('need the input and the name of the tool', async () => {
    const { work } = await processOf(new MemoryTaskStore(), [])
    for (const params of [{ name: 'work' }, { name: 'work', arguments: { input: 5 } }, { name: 'echo' }, undefined])
      await expect(work.createTask({}, 1, { params } as never)).rejects.toMatchObject({ code: 'configuration' })
    expect(() => serveTools({} as never, [], { requests, tasks: {} as never })).toThrow('a boolean or a TaskTool')
  })
})

const users = fc
  .array(fc.constantFrom('user', '-', '1', '2', '.', '/', '"', ' ', '漢'), { minLength: 1, maxLength: 6 })
  .map((all) => `u${all.join('')}`)
const pairs = fc.sample(fc.tuple(users, users), 1000).filter(([a, b]) => a !== b)

it('no owner reaches the task of another one, by any method', async () => {
  const touched: string[] = []
  const tasks = new Proxy({} as DurableTasks, {
    get: (_, method) => async (id: string, options?: { taskId: string }) => {
      if (method === 'submit') return options!.taskId
      touched.push(id)
      return method === 'status' ? 'waiting' : []
    },
  })
  const of = (prefix: string) => new TaskTool(tasks, { name: 't', description: 'd', prefix })
  for (const [a, b] of [['user-12', 'user-1'], ['user-1', 'user-12'], ...pairs] as [string, string][]) {
    const own = of(a)
    const { taskId } = await own.createTask({}, 1, { params: { name: 't', arguments: { input: 'x' } } })
    expect((await own.getTask(taskId))?.status).toBe('input_required')
    touched.length = 0
    const other = of(b)
    expect(await other.getTask(taskId)).toBe(null)
    for (const call of [
      () => other.getTaskResult(taskId),
      () => other.updateTaskStatus(taskId, 'cancelled'),
      () => other.enqueue(taskId, {}),
      () => other.dequeue(taskId),
      () => other.dequeueAll(taskId),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'task_not_found' })
    expect(touched).toEqual([])
  }
  expect(pairs.length).toBeGreaterThan(900)
  for (const nobody of ['', ' ', 'undefined', null as never])
    expect(() => of(nobody)).toThrow('TaskTool.prefix: expected the id of a user, received ')
})
