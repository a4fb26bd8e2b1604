/** One approval counts for one call: the same checks for every way in which an approval arrives. */
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { boundApprovals } from '@x/agents/loop'
import { chatHandler } from '@x/ai-sdk'
import { agUiHandler } from '@x/ai-sdk/ag-ui'
import { ChatMessage, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { ownedBy, ownedId, StoredTasks, type TaskRun, tasksHandler } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { askUser, serveTools } from '@x/mcp'
import { afterEach, describe, expect, it } from 'vitest'

/** What a person was shown of a call. */
interface Question {
  callId: string
  /** The amount. */
  euros: number
  /** What the answer must bring back. */
  id: string
  taskId?: string | undefined
  /** Why the question is asked again. */
  problem?: string | undefined
}

/** A way in which approvals arrive. */
interface Way {
  /** Begins the task of `ann`. */
  ask(world: World): Promise<Question>
  /** Approves a question. Returns the next one; undefined if the call has run or was refused. */
  approve(world: World, question: Question, by: string): Promise<Question | undefined>
}

/** An application whose processes share their stores. Its model pays 5 euros, and pays them again in the next turn. */
class World {
  readonly paid: unknown[] = []
  readonly store = new MemoryTaskStore()
  readonly chatStore = new SimpleChatStore()
  readonly handler = createMcpHandler(() => this.server())
  readonly started: StoredTasks[] = []
  description = 'Pays an invoice.'
  lifetimeMs: number | undefined
  /** The name of the task that was submitted last. */
  rent = ''
  /** The arguments of the second request of a client of MCP. */
  euros = 5
  private readonly llm: ScriptedLLM

  constructor() {
    const call = (id: string) =>
      new ChatMessage({
        role: 'assistant',
        content: null,
        additionalKwargs: {
          tool_calls: [{ id, type: 'function', function: { name: 'pay', arguments: '{"euros":5}' } }],
        },
      })
    const metadata = new LLMMetadata({ modelName: 'm', isChatModel: true, isFunctionCallingModel: true })
    this.llm = new ScriptedLLM({ answers: [call('c1'), 'Paid.', call('c2'), 'Paid again.'], metadata })
  }

  get tool() {
    return FunctionTool.fromDefaults({
      name: 'pay',
      description: this.description,
      schema: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
      needsApproval: true,
      fn: ({ euros }) => `paid ${this.paid.push(euros)}`,
    })
  }

  /** Returns the agent of a new process. */
  agent(taskStore = journal(this.store)) {
    return FunctionCallingAgent.fromTools({
      llm: this.llm,
      tools: [this.tool],
      taskStore,
      approvals: boundApprovals({ user: ({ user }: { user: string }) => user, lifetimeMs: this.lifetimeMs }),
    })
  }

  async tasks(): Promise<StoredTasks> {
    // The last process has ended.
    await this.started.at(-1)?.stop()
    const agent = ({ taskStore }: TaskRun) => this.agent(taskStore)
    const tasks = new StoredTasks({ store: this.store, agent, pollingIntervalMs: 5 })
    this.started.push(tasks)
    await tasks.start()
    return tasks
  }

  server(): Server {
    const server = new Server({ name: 'bank', version: '1' }, { capabilities: { tools: {} } })
    const user = ({ http }: { http?: { authInfo?: { clientId?: string } } }) => http?.authInfo?.clientId
    const timeoutMs = this.lifetimeMs ?? 600_000
    serveTools(server, [this.tool], { approvals: askUser({ user: user as never, timeoutMs }) })
    return server
  }

  /** Somebody who can write saved tasks changes the arguments of the call that waits. */
  tamper(): void {
    this.euros = 9
    for (const { taskId } of this.store.list()) {
      const entries = this.store.load(taskId)
      if (!entries) continue
      const changed = JSON.stringify(entries).replaceAll('\\"euros\\":5', '\\"euros\\":9')
      this.store.delete(taskId)
      this.store.append(taskId, JSON.parse(changed), 0)
    }
  }

  async stop(): Promise<void> {
    for (const tasks of this.started) await tasks.stop()
  }
}

const post = (body: object, user = 'ann') =>
  new Request('http://localhost/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': user },
    body: JSON.stringify(body),
  })
const userOf = (request: Request) => request.headers.get('x-user')

/** What is read of the events of both protocols. */
interface Chunk {
  type: string
  messageMetadata?: { taskId: string }
  toolCallId?: string
  approvalId?: string
  input?: { euros: number }
  data?: { problem: string }
  delta?: string
  outcome?: { interrupts?: { id: string; toolCallId: string; message: string }[] }
}
async function chunksOf(response: Response): Promise<Chunk[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)))
}

const chat: Way = {
  ask: (world) => sendToChat(world, 'ann', [message('m1', 'user', [{ type: 'text', text: 'Pay!' }])]) as never,
  approve: (world, { callId, euros, id, taskId }, by) => {
    const approval = { id, approved: true }
    const part = { type: 'tool-pay', toolCallId: callId, state: 'approval-responded', input: { euros }, approval }
    const sent = [
      message('m1', 'user', [{ type: 'text', text: 'Pay!' }]),
      message('a1', 'assistant', [part], { taskId }),
    ]
    return sendToChat(world, by, sent)
  },
}

const message = (id: string, role: string, parts: object[], metadata?: object) => ({ id, role, parts, metadata })

async function sendToChat(world: World, user: string, messages: object[]): Promise<Question | undefined> {
  const { chatStore } = world
  const run = ({ user: own }: { user: string }) => ({ context: { user: own } })
  const handle = chatHandler({ agent: world.agent(), user: userOf, chatStore, run })
  const chunks = await chunksOf(await handle(post({ id: 'chat', messages }, user)))
  const of = (type: string) => chunks.findLast((chunk) => chunk.type === type)
  const asked = of('tool-approval-request')
  if (!asked) return undefined
  const { toolCallId: callId, approvalId: id } = asked
  const taskId = of('start')!.messageMetadata!.taskId
  return {
    callId: callId!,
    euros: of('tool-input-available')!.input!.euros,
    id: id!,
    taskId,
    problem: of('data-approval-problem')?.data?.problem,
  }
}

const agUi: Way = {
  ask: (world) => sendToAgUi(world, 'ann', {}) as never,
  approve: (world, { id }, by) =>
    sendToAgUi(world, by, { resume: [{ interruptId: id, status: 'resolved', payload: true }] }),
}

async function sendToAgUi(world: World, user: string, more: object): Promise<Question | undefined> {
  const { chatStore } = world
  const run = ({ user: own }: { user: string }) => ({ context: { user: own } })
  const handle = agUiHandler({ agent: world.agent(), user: userOf, chatStore, run: run as never })
  const messages = [{ id: 'm1', role: 'user', content: 'Pay!' }]
  const chunks = await chunksOf(await handle(post({ threadId: 'chat', runId: 'r', messages, ...more }, user)))
  const [interrupt] = chunks.findLast(({ type }) => type === 'RUN_FINISHED')?.outcome?.interrupts ?? []
  if (!interrupt) return undefined
  const { euros } = JSON.parse(chunks.findLast(({ type }) => type === 'TOOL_CALL_ARGS')!.delta!)
  const problem = interrupt.message.replace('pay waits for approval.', '').trim()
  return { callId: interrupt.toolCallId, euros, id: interrupt.id, problem: problem || undefined }
}

/** Waits until a task of the worker ends or waits for a decision that was not applied yet. */
async function settled(tasks: StoredTasks, taskId: string): Promise<Question | undefined> {
  while (['queued', 'running'].includes(await tasks.status(taskId))) await tasks.changed()
  const [call] = await tasks.waiting(taskId)
  if (!call) return undefined
  const euros = (typeof call.arguments === 'string' ? JSON.parse(call.arguments) : call.arguments).euros
  return { callId: call.id, euros, id: call.approvalId!, taskId, problem: call.problem }
}

const durableTasks: Way = {
  ask: async (world) => {
    const tasks = await world.tasks()
    const taskId = await tasks.submit('Pay!', { context: { user: 'ann' } })
    return (await settled(tasks, taskId))!
  },
  approve: async (world, { callId, id, taskId }, by) => {
    const tasks = await world.tasks()
    await tasks.decide(taskId!, { callId, type: 'approve', approvalId: id, by }).catch(() => {})
    return settled(tasks, taskId!)
  },
}

const overHttp: Way = {
  ask: async (world) => {
    const tasks = await world.tasks()
    world.rent = `rent-${world.paid.length}`
    const sent = post({ input: 'Pay!', taskId: world.rent })
    const { taskId } = (await (await handlerOf(tasks)(new Request('http://localhost/tasks', sent))).json()) as Question
    return (await settled(tasks, taskId!))!
  },
  approve: async (world, { callId, id }, by) => {
    const tasks = await world.tasks()
    const sent = post({ callId, type: 'approve', approvalId: id }, by)
    await handlerOf(tasks)(new Request(`http://localhost/tasks/${world.rent}/decide`, sent))
    return settled(tasks, ownedId('ann', world.rent))
  },
}

const handlerOf = (tasks: StoredTasks) => {
  const context = (request: Request) => ({ user: userOf(request)! })
  return tasksHandler(tasks, { mayUse: ownedBy(userOf), by: (request) => userOf(request)!, context })
}

const mcp: Way = {
  ask: (world) => callOfMcp(world, 'ann', {}) as never,
  approve: (world, { id }, by) =>
    callOfMcp(world, by, {
      inputResponses: { approval: { action: 'accept', content: { approve: true } } },
      requestState: id,
    }),
}

async function callOfMcp(world: World, clientId: string, more: object): Promise<Question | undefined> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const { euros } = world
  const request = post({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { _meta, name: 'pay', arguments: { euros }, ...more },
  })
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'pay',
    accept: 'application/json, text/event-stream',
  }
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  const authInfo = { token: 't', clientId, scopes: [] }
  const response = await world.handler.fetch(request, { authInfo })
  const { result } = (await response.json()) as {
    result: { requestState?: string; inputRequests?: { approval: { params: { message: string } } } }
  }
  if (!result.requestState) return undefined
  const [, args = '{}', problem] = result.inputRequests!.approval.params.message.split('\n')
  return { callId: 'approval', euros: JSON.parse(args).euros, id: result.requestState, problem }
}

const WAYS: [string, Way][] = [
  ['a chat', chat],
  ['AG-UI', agUi],
  ['DurableTasks', durableTasks],
  ['tasksHandler', overHttp],
  ['MCP', mcp],
]

describe.each(WAYS)('an approval through %s', (name, way) => {
  const worlds: World[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.stop()
  })
  async function asked(prepare: (world: World) => void = () => {}) {
    const world = new World()
    worlds.push(world)
    prepare(world)
    return { world, question: await way.ask(world) }
  }

  it('runs the call that was shown, once', async () => {
    const { world, question } = await asked()
    expect(question).toMatchObject({ euros: 5, problem: undefined })
    expect(await way.approve(world, question, 'ann')).toBeUndefined()
    expect(world.paid).toEqual([5])
    await way.approve(world, question, 'ann').catch(() => {})
    expect(world.paid).toEqual([5])
  })

  it('does not count for another definition of the tool', async () => {
    const { world, question } = await asked()
    world.description = 'Pays everybody.'
    const again = await way.approve(world, question, 'ann')
    expect(again).toMatchObject({ problem: 'The tool has changed.' })
    expect(world.paid).toEqual([])
    // Nor does the same answer, which was to the question before.
    const third = await way.approve(world, { ...again!, id: question.id }, 'ann')
    expect([third?.problem !== undefined, world.paid]).toEqual([true, []])
    expect(await way.approve(world, third!, 'ann')).toBeUndefined()
    expect(world.paid).toEqual([5])
  })

  it('does not count for other arguments, and says so', async () => {
    const { world, question } = await asked()
    world.tamper()
    const again = await way.approve(world, question, 'ann')
    expect(again).toMatchObject({ euros: 9, problem: expect.stringContaining('The arguments have changed.') })
    expect(world.paid).toEqual([])
  })

  it('counts only from the user who was asked', async () => {
    const { world, question } = await asked()
    await way.approve(world, question, 'eve')
    expect(world.paid).toEqual([])
    const next = name === 'DurableTasks' ? await settled(world.started.at(-1)!, question.taskId!) : question
    expect(await way.approve(world, next!, 'ann')).toBeUndefined()
    expect(world.paid).toEqual([5])
  })

  it('does not count after its time', async () => {
    const { world, question } = await asked((own) => {
      own.lifetimeMs = 1
    })
    const start = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(start + 2)
    expect(await way.approve(world, question, 'ann')).toMatchObject({ problem: expect.stringContaining('too late') })
    expect(world.paid).toEqual([])
  })

  it('of one call is none of an equal call of another turn', async () => {
    const { world, question } = await asked()
    await way.approve(world, question, 'ann')
    expect(world.paid).toEqual([5])
    const other = await way.ask(world)
    expect(other.id).not.toBe(question.id)
    const again = await way.approve(
      world,
      { ...other, id: name === 'MCP' ? question.id : foreign(question, other) },
      'ann',
    )
    expect(again?.problem).not.toBe('')
    expect(world.paid).toEqual([5])
  })
})

it.each([false, true])(
  'arguments that a page has edited run, also if the saved task was changed (%s)',
  async (isChanged) => {
    const world = new World()
    const question = await chat.ask(world)
    if (isChanged) world.tamper()
    expect(await chat.approve(world, { ...question, euros: 3 }, 'ann')).toBeUndefined()
    expect(world.paid).toEqual([3])
  },
)

/** The id of a question for a call of another task. */
function foreign({ id }: Question, other: Question): string {
  const [, approvalId] = id.split('=')
  return approvalId ? `${other.id.split('=')[0]}=${approvalId}` : id
}
