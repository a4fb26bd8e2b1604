/** The server: the page, and the route of the chat. Conversations and tasks are in `chat.db`, so that a restart loses nothing. */
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { chatHandler, loadUIMessages } from '@x/ai-sdk'
import { memoryChatStreams } from '@x/chats'
import { StoredTasks, TasksAgent } from '@x/durable'
import { openDatabase, SqliteChatStore, SqliteEventLog, SqliteTaskStore } from '@x/sqlite'
import { Hono } from 'hono'
import { agentOf } from './agent.ts'

const database = await openDatabase(process.env['DATABASE'] ?? 'chat.db')
const chatStore = new SqliteChatStore(database)
const tasks = new StoredTasks({
  store: new SqliteTaskStore(database),
  agent: agentOf,
  chatStore,
  // So that a page that reconnects after a restart sees the answer from its beginning.
  events: new SqliteEventLog(database),
})
await tasks.start({ alone: true })

const agent = new TasksAgent(tasks)
// With several servers: storedChatStreams.
const streams = memoryChatStreams()
// One user. Return the user of your session here; null is nobody.
const user = () => 'me'
const chat = chatHandler({
  agent,
  chatStore,
  streams,
  user,
  // Who may approve and reject. Ask your session here.
  mayDecide: () => true,
  // The page shows the code alone: a message may contain what users must not see.
  onError: ({ code, message }) => {
    console.error(message)
    return `The answer failed (${code}).`
  },
})

const app = new Hono()
app.get('/api/chat/:id', async (context) => {
  return context.json(await loadUIMessages(chatStore, user(), context.req.param('id'), { agent, streams }))
})
app.all('/api/chat/*', (context) => chat(context.req.raw))
app.get('*', serveStatic({ root: 'dist' }))
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`)
})
