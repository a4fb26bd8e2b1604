/** A chat application for tests: an agent with tools, one of which needs approval, in a process or as durable tasks. */
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore, type ToolSchema } from '@x/agents'
import { memoryChatStreams } from '@x/chats'
import { ChatMessage, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { StoredTasks, type TaskRun, TasksAgent } from '@x/durable'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { openDatabase, SqliteChatStore } from '@x/sqlite'
import { afterEach, expect } from 'vitest'
import type { agUiHandler } from '../src/ag-ui-handler.ts'
import { type ChatHandlerOptions, chatHandler } from '../src/chat-handler.ts'
import { loadUIMessages } from '../src/load-ui-messages.ts'
import { type Any, clientOf, clients } from './chat-clients.ts'

export const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
export const schema = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
let calls = 0
export const calling = (name: string, euros = 5, content: string | null = null) =>
  new ChatMessage({
    role: 'assistant',
    content,
    additionalKwargs: {
      tool_calls: [{ id: `c${calls++}`, type: 'function', function: { name, arguments: JSON.stringify({ euros }) } }],
    },
  })

const ended: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

/** Where chats are: SQLite reads a turn, and the messages before it, alone. */
const chatStoreOf = async (name: string) =>
  name.includes('SQLite') ? new SqliteChatStore(await openDatabase(':memory:')) : new SimpleChatStore()

/** Makes an agent, of another protocol for example. */
// biome-ignore lint/suspicious/noExplicitAny: the options of the classes of agents differ
export type MakeAgent = (options: any) => any

/** A chat application. Its model answers this. `payments` is the schema of the tool that needs approval. */
export async function appOf(
  kind: string,
  answers: ScriptedAnswer[],
  {
    payments = schema,
    handler = chatHandler,
    makeAgent = FunctionCallingAgent.fromTools.bind(FunctionCallingAgent) as unknown as MakeAgent,
    ...options
  }: Partial<ChatHandlerOptions<object>> & {
    payments?: ToolSchema
    handler?: typeof chatHandler | typeof agUiHandler
    makeAgent?: MakeAgent
  } = {},
) {
  const chatStore = await chatStoreOf(kind)
  const taskStore = new MemoryTaskStore()
  const streams = memoryChatStreams()
  const llm = new ScriptedLLM({ answers, metadata })
  const paid: [number, string | undefined][] = []
  const note = ({ euros }: { euros: number }, { idempotencyKey }: { idempotencyKey?: string } = {}) => {
    paid.push([euros, idempotencyKey])
    return { paid: euros }
  }
  let isReached = () => {}
  const reached = new Promise<void>((resolve) => {
    isReached = resolve
  })
  const hang = () => {
    isReached()
    return new Promise(() => {})
  }
  const fail = () => Promise.reject(new Error('connect postgres://admin:hunter2@10.0.0.5 failed'))
  const plain = (given: ToolSchema) => ('~standard' in given ? schema : given)
  const toolsWith = (given: ToolSchema) => [
    FunctionTool.fromDefaults({ name: 'mail', schema, fn: note as never }),
    FunctionTool.fromDefaults({
      name: 'pay',
      schema: given,
      parameters: plain(given),
      needsApproval: true,
      fn: note as never,
    }),
    FunctionTool.fromDefaults({ name: 'order', schema, needsApproval: fail, fn: note as never }),
    FunctionTool.fromDefaults({ name: 'count', schema, fn: ({ euros }) => `${euros}` }),
    FunctionTool.fromDefaults({ name: 'hang', schema, fn: hang }),
    FunctionTool.fromDefaults({ name: 'hold', schema: plain(given), needsApproval: true, fn: hang }),
    FunctionTool.external({ name: 'choose', schema }),
    FunctionTool.fromDefaults({ name: 'fail', schema, fn: fail }),
  ]
  let tools = toolsWith(payments)
  let agent: object = makeAgent({ llm, tools, taskStore: journal(taskStore) })
  const isDurable = kind.startsWith('durable tasks')
  if (isDurable) {
    const made = ({ taskStore: own }: TaskRun) => makeAgent({ llm, tools, taskStore: own })
    const tasks = new StoredTasks({ store: taskStore, chatStore, agent: made, pollingIntervalMs: 10 })
    await tasks.start()
    ended.push(() => tasks.stop())
    agent = new TasksAgent(tasks)
  }
  const routeOf = () => handler({ agent: agent as never, user: () => 'ann', chatStore, streams, ...options })
  /** Runs the application with another schema of `pay` and `hold`, as a new process would. */
  const deploy = (other: ToolSchema) => {
    tools = toolsWith(other)
    if (!isDurable) agent = makeAgent({ llm, tools, taskStore: journal(taskStore) })
    app.route = routeOf()
  }
  /** Lets the store of tasks fail until the returned function is called. */
  const breakTasks = () => {
    const broken = () => Promise.reject(new Error('The disk is full.'))
    const { append } = taskStore
    Object.assign(taskStore, { append: broken })
    return () => Object.assign(taskStore, { append })
  }
  const load = () =>
    loadUIMessages(chatStore, 'ann', 'chat', { agent: agent as never, streams, onError: options.onError })
  const app = { chatStore, llm, paid, reached, route: routeOf(), load, breakTasks, deploy }
  return app
}
export type App = Awaited<ReturnType<typeof appOf>>

/** A page that is open, or was loaded again. */
export async function pageOf({ route, load }: App, isLoaded = false): Promise<Any> {
  const page = clientOf(clients.at(-1)!, () => route)
  if (isLoaded) page.messages = await load()
  return page
}

export const json = (data: unknown) => JSON.parse(JSON.stringify(data))

/** The page has what a page that is loaded now shows: ids, metadata, and parts with their states, approvals and values. */
export async function expectEqual(app: App, page: Any): Promise<void> {
  await expect.poll(async () => json(await app.load())).toEqual(json(page.messages))
}

export const stop = ({ route }: App) =>
  route(new Request('https://chat.example/api/chat/chat/stream', { method: 'DELETE' }))

/** Decides about the call that waits, as the user of a page. Throws the error that the page shows. */
export const decided = async (page: Any, approved: boolean, input?: object) => {
  const part = page.messages
    .flatMap(({ parts }: Any) => parts)
    .findLast((one: Any) => one.state === 'approval-requested')
  if (input) part.input = input
  await page.addToolApprovalResponse({ id: part.approval.id, approved })
  await expect.poll(() => page.status).toMatch(/ready|error/)
  if (page.status === 'error') throw page.error
}
