import { TextNode } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { TableEmbedding } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { newDatabase, newPool, newSchema } from '../test/new-database.ts'
import {
  openDatabase,
  type PostgresDatabase,
  PostgresDocumentStore,
  PostgresKeyValueStore,
  PostgresTaskStore,
  PostgresVectorRetriever,
} from './index.ts'
import { conflict } from './postgres-driver.ts'

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

/** The keys in a different order for each writer and round. */
function turned(by: number): string[] {
  const at = by % KEYS.length
  const keys = [...KEYS.slice(at), ...KEYS.slice(0, at)]
  return by % 2 === 0 ? keys : keys.reverse()
}

function node(id: string, source?: string): TextNode {
  return new TextNode({
    id,
    text: id,
    embedding: [1, 0],
    ...(source !== undefined && { relationships: { 1: { nodeId: source } } }),
  })
}

/** A writer: `by` is a different number in each round. */
type Write = (by: number) => unknown

const writers: [name: string, create: (database: PostgresDatabase) => Write][] = [
  [
    'key values',
    (database) => {
      const store = new PostgresKeyValueStore(database)
      return (by) => store.putAll(turned(by).map((key) => [key, { by }]))
    },
  ],
  [
    'vectors',
    (database) => {
      const embedModel = new TableEmbedding({ texts: {} })
      const retriever = new PostgresVectorRetriever(database, { embedModel })
      return (by) => retriever.add(turned(by).map((id) => node(id)))
    },
  ],
  [
    'large strings of tasks',
    (database) => {
      const store = new PostgresTaskStore(database)
      return async (by) => {
        const taskId = `t${by % 5}`
        await store.blobs.put(taskId, new Map(KEYS.map((key) => [key, key])))
        if (by % 3 === 0) await store.delete(taskId)
      }
    },
  ],
  [
    'an ingested document',
    (database) => {
      const store = new PostgresDocumentStore(database)
      return async (by) => {
        const nodes = turned(by).map((id) => node(id, 'doc'))
        await store.beginIngestion('doc', nodes, 'in progress')
        await store.endIngestion('doc', KEYS, `${by}`, {})
      }
    },
  ],
]

describe('many writers of the same rows', () => {
  // The server notices a deadlock after the time of this test.
  const pool = () => newPool({ max: 16, options: '-c deadlock_timeout=2min' })

  it.each(writers)(
    'wait for each other, never in a circle: %s',
    async (_, create) => {
      const schema = newSchema()
      const connections = pool()
      const all: Write[] = []
      for (let i = 0; i < 16; i++) all.push(create(await openDatabase(connections, { schema })))
      await all[0]!(0)
      const rounds = Array.from({ length: 10 }, (_, round) => round)
      await Promise.all(
        all.map(async (write, i) => {
          for (const round of rounds) await write(1 + i + 16 * round)
        }),
      )
    },
    30_000,
  )

  it('whose transactions were undone repeat them one at a time', async () => {
    const database = await newDatabase()
    let running = 0
    const write = async () => {
      let attempt = 0
      await database.transaction(async () => {
        if (++attempt === 1) throw conflict()
        expect(++running).toBe(1)
        await pause(5)
        running--
      })
    }
    await Promise.all(Array.from({ length: 5 }, write))
  })

  it('whose single statements were undone repeat them in a transaction', async () => {
    const schema = newSchema()
    const pool = newPool()
    await openDatabase(pool, { schema })
    const failing = { query: () => Promise.reject(conflict()), connect: () => pool.connect() }
    const store = new PostgresKeyValueStore(await openDatabase(failing, { schema }))
    await store.put('a', { n: 1 })
    expect(await store.get('a')).toEqual({ n: 1 })
  })
})
