/** The chats of one user: a Durable Object. Its SQL storage has the conversations and the tasks, so that a restart loses nothing. */
import { chatHandler, loadUIMessages } from '@x/ai-sdk'
import { chatsOf, memoryChatStreams } from '@x/chats'
import { StoredTasks, TasksAgent } from '@x/durable'
import { type ObjectStorage, objectDatabase, SqliteChatStore, SqliteEventLog, SqliteTaskStore } from '@x/sqlite'
import { agentOf, tools } from './agent.ts'

interface ObjectContext {
  storage: ObjectStorage & { setAlarm(time: number): Promise<void> }
}

/** How long the platform may leave a task alone that it has interrupted, in milliseconds. */
const ALARM_MS = 30_000
/** The object belongs to one user. */
const user = () => 'me'

export class UserChats {
  private readonly context: ObjectContext
  private readonly tasks: StoredTasks
  private readonly answer: (request: Request) => Promise<Response>

  constructor(context: ObjectContext) {
    this.context = context
    const database = objectDatabase(context.storage)
    const chatStore = new SqliteChatStore(database)
    const events = new SqliteEventLog(database)
    const store = new SqliteTaskStore(database)
    this.tasks = new StoredTasks({ store, agent: agentOf, chatStore, events, pollingIntervalMs: 10_000 })
    const agent = new TasksAgent(this.tasks)
    const streams = memoryChatStreams()
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
    this.answer = async (request) => {
      const [id, more] = new URL(request.url).pathname.split('/').slice(3)
      if (request.method !== 'GET' || more) return chat(request)
      if (!id) return Response.json(await chatsOf(chatStore, user()).list())
      return Response.json(await loadUIMessages(chatStore, user(), decodeURIComponent(id), { agent, streams, tools }))
    }
    void this.tasks.start({ alone: true })
  }

  /** Answers the page: `GET /api/chat` lists the chats, `GET /api/chat/ID` loads one; the other requests are those of `useChat`, and deletions. */
  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'GET') await this.wakeLater()
    return this.answer(request)
  }

  /** The platform stops an object without requests. While a task runs, this starts the object again. */
  async alarm(): Promise<void> {
    const tasks = await this.tasks.list()
    if (tasks.some(({ status }) => status !== 'waiting')) await this.wakeLater()
  }

  private wakeLater(): Promise<void> {
    return this.context.storage.setAlarm(Date.now() + ALARM_MS)
  }
}
