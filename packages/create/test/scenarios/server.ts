/** The server of a chat, whose stores are in one folder: another one with the same folder is a second server, or one after a crash. */
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { FunctionCallingAgent, FunctionTool, journal } from '@x/agents'
import { chatHandler, loadUIMessages } from '@x/ai-sdk'
import { chatKey, memoryChatStreams, storedChatStreams } from '@x/chats'
import { StoredTasks, type TaskRun, TasksAgent } from '@x/durable'
import { OpenAI } from '@x/openai'
import { openDatabase, SqliteChatStore, SqliteEventLog, SqliteTaskStore } from '@x/sqlite'
import { FileKeyValueStore } from '@x/storage/node'
import { Hono } from 'hono'

/** Options of a server. */
export interface ServerOptions {
  folder: string
  modelUrl: string
  page: string
  /** Whether runs are durable tasks. */
  isDurable: boolean
  /** Whether another server uses the folder at the same time. */
  isShared: boolean
  port: number
  /** The number of the write of a turn at which the process ends: before it, or with `x.5` after it. */
  crashAt?: number
}

const options: ServerOptions = JSON.parse(process.argv[2]!)
const database = await openDatabase(join(options.folder, 'chat.db'))
const chatStore = crashing(new SqliteChatStore(database))
const taskStore = new SqliteTaskStore(database)
/** What the tools have done, each with its key. */
const effects = await openDatabase(join(options.folder, 'effects.db'))
effects.run('create table if not exists done (key text, name text, fruit text)')

const tool = (name: string, needsApproval: boolean) =>
  FunctionTool.fromDefaults({
    name,
    description: `Does ${name}.`,
    schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
    needsApproval,
    fn: ({ fruit }: { fruit: string }, { idempotencyKey = '' }) => {
      effects.run('insert into done values (?, ?, ?)', idempotencyKey, name, fruit)
      return { [name]: fruit }
    },
  })
const llm = new OpenAI({ baseUrl: options.modelUrl, model: 'm', apiKey: 'none' })
const agentOf = (run: Partial<TaskRun>) =>
  FunctionCallingAgent.fromTools({
    llm,
    tools: [tool('buy', true), tool('mail', false)],
    taskStore: run.taskStore ?? journal(taskStore),
    durable: run.durable,
    newId: run.newId,
    now: run.now,
  })

const user = (request: Request) => request.headers.get('x-user')
const streams = options.isShared
  ? storedChatStreams(new FileKeyValueStore(join(options.folder, 'streams')), { pollMs: 20 })
  : memoryChatStreams()
const agent = options.isDurable ? await durable() : agentOf({})
const chat = chatHandler({
  agent: agent as TasksAgent,
  user,
  chatStore,
  streams,
  mayDecide: (_, { user: by }) => by !== 'guest',
})

async function durable(): Promise<TasksAgent> {
  const events = new SqliteEventLog(database)
  const tasks = new StoredTasks({ store: taskStore, chatStore, agent: agentOf, events, leaseMs: 1000 })
  await tasks.start(options.isShared ? {} : { alone: true })
  return new TasksAgent(tasks)
}

/** Returns the store of a process that ends at one of its writes. */
function crashing(store: SqliteChatStore): SqliteChatStore {
  const { crashAt } = options
  const { turns } = store
  if (crashAt === undefined || !turns) return store
  let writes = 0
  const counted = <T>(write: () => T): T => {
    writes++
    if (writes === crashAt) process.kill(process.pid, 'SIGKILL')
    const result = write()
    if (writes + 0.5 === crashAt) process.kill(process.pid, 'SIGKILL')
    return result
  }
  const own = {
    read: turns.read.bind(turns),
    begin: (...args: Parameters<typeof turns.begin>) => counted(() => turns.begin(...args)),
    save: (...args: Parameters<typeof turns.save>) => counted(() => turns.save(...args)),
  }
  return Object.defineProperty(store, 'turns', { value: own })
}

const app = new Hono()
app.get('/ui/:id', async (context) => {
  const by = user(context.req.raw) ?? ''
  return context.json(await loadUIMessages(chatStore, by, context.req.param('id'), { agent, streams } as object))
})
app.get('/effects/:id', (context) => {
  const key = chatKey(user(context.req.raw) ?? '', context.req.param('id'))
  return context.json(effects.all('select name, fruit, key from done where key like ?', `${key}%`))
})
app.all('/api/chat/*', (context) => chat(context.req.raw))
app.all('/api/chat', (context) => chat(context.req.raw))
app.get('*', serveStatic({ root: options.page }))
serve({ fetch: app.fetch, port: options.port, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
