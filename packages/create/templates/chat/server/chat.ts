/** The route of the chat. Conversations and tasks are in `chat.db`, so that a restart loses nothing. */
import { chatHandler, loadUIMessages } from '@x/ai-sdk'
import { chatsOf, memoryChatStreams } from '@x/chats'
import { StoredTasks, TasksAgent } from '@x/durable'
import { openDatabase, SqliteChatStore, SqliteEventLog, SqliteTaskStore } from '@x/sqlite'
import { agentOf, tools } from './agent.ts'

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
// One user. Return the user of your session here; null refuses the request.
const user = () => 'me'
const chat = chatHandler({
  agent,
  chatStore,
  streams,
  user,
  tools,
  // Who may approve and reject. Ask your session here.
  mayDecide: () => true,
  // The page shows the code alone: a message may contain what users must not see.
  onError: ({ code }) => `The answer failed (${code}).`,
  logError: console.error,
})

/** Ends the work of this process. Calls that run may end, so that they are not repeated after the restart. */
export const stop = () => tasks.stop({ drainMs: 20_000 })

/**
 * Answers the page: `GET /api/chat` returns the list of chats, and `GET /api/chat/ID` the messages of one. The other requests are those of
 * `useChat`, and `DELETE /api/chat/ID`.
 */
export async function answer(request: Request): Promise<Response> {
  const [id, more] = new URL(request.url).pathname.split('/').slice(3)
  if (request.method !== 'GET' || more) return chat(request)
  if (!id) return Response.json(await chatsOf(chatStore, user()).list())
  return Response.json(await loadUIMessages(chatStore, user(), decodeURIComponent(id), { agent, streams, tools }))
}
