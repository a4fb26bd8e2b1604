import { createRequire } from 'node:module'
import type { TaskStore } from '@x/core-model'
import { taskStoreChecks } from '@x/testing/agents'
import { indexChecks } from '@x/testing/retrieval'
import { chatStoreChecks, documentStoreChecks, keyValueStoreChecks } from '@x/testing/storage'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { someOf } from '../../../../tools/extent.ts'
import {
  openDatabase,
  PostgresChatStore,
  type PostgresDatabase,
  PostgresDocumentStore,
  PostgresKeyValueStore,
  PostgresKeywordRetriever,
  PostgresTaskStore,
} from '../src/index.ts'
import { newSchema, serverUrl } from './new-database.ts'

// Not by import, which reads the property that loads libpq.
const { Pool }: typeof pg = createRequire(import.meta.url)('pg-lowest')

async function newDatabase(): Promise<PostgresDatabase> {
  const pool = new Pool({ connectionString: serverUrl() })
  onTestFinished(() => pool.end())
  pool.on('error', () => {})
  return openDatabase(pool, { schema: newSchema() })
}

describe('the lowest supported version of pg', () => {
  const checks = [
    ...chatStoreChecks(async () => new PostgresChatStore(await newDatabase())),
    ...documentStoreChecks(async () => new PostgresDocumentStore(await newDatabase())),
    ...keyValueStoreChecks(async () => new PostgresKeyValueStore(await newDatabase())),
    ...taskStoreChecks(async (): Promise<TaskStore> => new PostgresTaskStore(await newDatabase())),
  ]
  const create = async (options: object) => new PostgresKeywordRetriever(await newDatabase(), options)
  const all = [...checks, ...indexChecks(create, { kind: 'words', hasBm25Scores: true })]
  // One test each: the connections of a check end with it.
  for (const { name, run } of someOf(all, 24)) it(name, run)

  it('undoes a transaction when its connection is lost or it is aborted', async () => {
    const database = await newDatabase()
    const store = new PostgresKeyValueStore(database)
    const cut = store.transaction(async (inside) => {
      await inside.put('a', {})
      const sql = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where state = 'idle in transaction' and query like $1`
      await database.query(sql, [`%${database.tables.schema}%`])
      await inside.put('b', {})
    })
    await expect(cut).rejects.toMatchObject({ code: 'postgres_connection', retryable: true })
    const reason = new Error('enough')
    const controller = new AbortController()
    const aborted = database.transaction(
      async (inside) => {
        await new PostgresKeyValueStore(inside).put('c', {})
        controller.abort(reason)
        await inside.query('select pg_sleep(60)')
      },
      { signal: controller.signal },
    )
    await expect(aborted).rejects.toBe(reason)
    expect(await store.getAll()).toEqual({})
  })
})
