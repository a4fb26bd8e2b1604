import { KVDocumentStore } from '@x/storage'
import { documentStoreChecks, keyValueStoreChecks } from '@x/testing/storage'
import { describe, expect, it } from 'vitest'
import { newDatabase } from '../test/new-database.ts'
import { PostgresKeyValueStore } from './postgres-key-value-store.ts'
import { storedKey } from './stored-key.ts'

describe('a key-value store in Postgres', () => {
  const create = async () => new PostgresKeyValueStore(await newDatabase())
  for (const { name, run } of keyValueStoreChecks(create)) it(name, run)
})

describe('a KVDocumentStore over Postgres', () => {
  const create = async () => new KVDocumentStore(new PostgresKeyValueStore(await newDatabase()))
  for (const { name, run } of documentStoreChecks(create)) it(name, run)
})

describe('PostgresKeyValueStore', () => {
  it('names the key of a damaged value, reads the others, and deletes it', async () => {
    const database = await newDatabase()
    const store = new PostgresKeyValueStore(database)
    await store.put('a', { n: 1 })
    await store.put('b', { n: 2 })
    const { keyValues } = database.tables
    await database.query(`update ${keyValues} set value = '{"n":' where key = $1`, [storedKey('b')])
    const damaged = { code: 'store_read', path: keyValues, key: 'b' }
    for (const read of [() => store.get('b'), () => store.getAll(), () => store.getMany(['a', 'b'])])
      await expect(read()).rejects.toMatchObject(damaged)
    expect(await store.get('a')).toEqual({ n: 1 })
    expect(await store.delete('b')).toBe(true)
    expect(await store.getAll()).toEqual({ a: { n: 1 } })
  })

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
