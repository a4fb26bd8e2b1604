import { KVDocumentStore } from '@x/storage'
import { documentStoreChecks, keyValueStoreChecks } from '@x/testing/storage'
import { describe, expect, it } from 'vitest'
import { newDatabase } from '../test/new-database.ts'
import { PostgresKeyValueStore } from './postgres-key-value-store.ts'

describe('a key-value store in Postgres', () => {
  const create = async () => new PostgresKeyValueStore(await newDatabase())
  for (const { name, run } of keyValueStoreChecks(create)) it(name, run)
})

describe('a KVDocumentStore over Postgres', () => {
  const create = async () => new KVDocumentStore(new PostgresKeyValueStore(await newDatabase()))
  for (const { name, run } of documentStoreChecks(create)) it(name, run)
})

describe('PostgresKeyValueStore', () => {
  it('calls the work of a transaction again when another transaction has changed data that it has read', async () => {
    const store = new PostgresKeyValueStore(await newDatabase())
    let calls = 0
    const increment = () =>
      store.transaction(async (inside) => {
        calls++
        const n = Number((await inside.get('n'))?.['n'] ?? 0)
        await inside.put('n', { n: n + 1 })
      })
    await Promise.all(Array.from({ length: 5 }, increment))
    expect(await store.get('n')).toEqual({ n: 5 })
    expect(calls).toBeGreaterThan(5)
  })
})
