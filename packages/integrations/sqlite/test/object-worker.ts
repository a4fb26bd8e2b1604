/** A worker whose Durable Object runs the checks of the stores on its storage, and returns those that failed. */
import { taskStoreChecks } from '@x/testing/agents'
import { type CheckedIndexOptions, indexChecks, LetterEmbedding } from '@x/testing/retrieval'
import { chatStoreChecks, documentStoreChecks } from '@x/testing/storage'
import {
  type ObjectStorage,
  objectDatabase,
  SqliteChatStore,
  SqliteDocumentStore,
  SqliteEventLog,
  SqliteKeywordRetriever,
  SqliteTaskStore,
  SqliteVectorRetriever,
} from '../src/index.ts'

interface Storage extends ObjectStorage {
  deleteAll(): Promise<void>
}

interface Check {
  name: string
  run(): Promise<void> | void
}

/** The object. */
export class Checked {
  private readonly storage: Storage

  constructor({ storage }: { storage: Storage }) {
    this.storage = storage
  }

  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/count') return Response.json(this.count())
    const failed: string[] = []
    let count = 0
    for (const { name, run } of this.checks()) {
      count++
      try {
        await run()
      } catch (error) {
        failed.push(`${name}: ${(error as Error).stack}`)
      }
    }
    return Response.json({ count, failed })
  }

  /** Counts how often it was called; a call that fails counts nothing. */
  private count(): number {
    const database = objectDatabase(this.storage)
    const chats = new SqliteChatStore(database)
    const calls = () => database.get('select count(*) n from conversations')!['n'] as number
    chats.setMessages(`call ${calls()}`, [])
    try {
      database.transaction(() => {
        chats.setMessages('undone', [])
        throw new Error('It fails.')
      })
    } catch {}
    return calls()
  }

  private checks(): Check[] {
    const open = () => objectDatabase(this.storage)
    const create = async () => {
      await this.storage.deleteAll()
      return open()
    }
    return [
      ...chatStoreChecks(async () => new SqliteChatStore(await create())),
      ...taskStoreChecks(
        async () => new SqliteTaskStore(await create()),
        async () => new SqliteTaskStore(open()),
      ),
      ...documentStoreChecks(async () => new SqliteDocumentStore(await create())),
      ...indexChecks(async (options: CheckedIndexOptions) => new SqliteKeywordRetriever(await create(), options), {
        kind: 'words',
        hasBm25Scores: true,
      }),
      ...indexChecks(
        async (options: CheckedIndexOptions) =>
          new SqliteVectorRetriever(await create(), { embedModel, similarityTopK: 10, ...options }),
        {
          kind: 'vectors',
        },
      ),
      {
        name: 'an event log continues',
        run: async () => {
          const log = new SqliteEventLog(await create())
          await log.addEvents('t', { call: 'a\u0000\ud800' })
          await log.addEvents('t', { call: 'b' })
          if (JSON.stringify(log.readEvents('t', 0)) !== JSON.stringify([{ call: 'a\u0000\ud800' }, { call: 'b' }]))
            throw new Error(JSON.stringify(log.readEvents('t', 0)))
        },
      },
    ]
  }
}

const embedModel = new LetterEmbedding()

interface Env {
  CHECKED: { idFromName(name: string): unknown; get(id: unknown): { fetch(request: Request): Promise<Response> } }
}

export default {
  fetch: (request: Request, { CHECKED }: Env) => CHECKED.get(CHECKED.idFromName('one')).fetch(request),
}
