/** @module-tag system */
import { storedChatStreams } from '@x/chats'
import { keyValueStoreChecks } from '@x/testing/storage'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, describe, expect, it } from 'vitest'
import { RedisKeyValueStore } from './redis-key-value-store.ts'
import type { RedisLike } from './redis-like.ts'

const url = process.env['REDIS_URL']!
const ends: (() => unknown)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))

/** The clients that users have. */
const clients: Record<string, () => Promise<RedisLike>> = {
  async ioredis() {
    const redis = new Redis(url)
    ends.push(() => redis.disconnect())
    return redis
  },
  async redis() {
    const client = createClient({ url })
    await client.connect()
    ends.push(() => client.destroy())
    return client
  },
  async 'redis with RESP3'() {
    const client = createClient({ url, RESP: 3 })
    await client.connect()
    ends.push(() => client.destroy())
    return client
  },
}
let stores = 0
const prefix = () => `{kv${stores++}}:`

describe.each(Object.entries(clients))('a key-value store over %s', (_, connect) => {
  const create = async () => new RedisKeyValueStore(await connect(), { prefix: prefix() })
  for (const { name, run } of keyValueStoreChecks(create)) it(name, run)

  it('has the streams of chats for several servers', async () => {
    const shared = { prefix: prefix() }
    const one = storedChatStreams(new RedisKeyValueStore(await connect(), shared), { pollMs: 10 })
    const two = storedChatStreams(new RedisKeyValueStore(await connect(), shared), { pollMs: 10 })
    const writer = (await one.begin('chat'))!
    expect(await two.begin('chat')).toBeNull()
    writer.writeLine('Hello')
    const seen: string[] = []
    const following = (async () => {
      for await (const piece of (await two.follow('chat'))!) seen.push(piece)
    })()
    await expect.poll(() => seen).toEqual(['Hello'])
    await two.stop('chat')
    await expect.poll(() => writer.stopped.aborted).toBe(true)
    writer.writeLine('…')
    await writer.finish()
    await following
    expect(seen).toEqual(['Hello', '…'])
    const begun = await Promise.all([one.begin('other'), two.begin('other')])
    expect(begun.filter((it) => it !== null)).toHaveLength(1)
    await Promise.all(begun.map((it) => it?.finish()))
  })
})

describe('RedisKeyValueStore', () => {
  const connect = clients['ioredis']!

  it('names the key of a damaged value, reads the others, and deletes it', async () => {
    const client = new Redis(url)
    const own = prefix()
    const store = new RedisKeyValueStore(client, { prefix: own })
    await store.putAll([
      ['a', { n: 1 }],
      ['b', { n: 2 }],
    ])
    await client.hset(`${own}values:"data"`, '"b"', '2:{"n":')
    const damaged = { code: 'store_read', path: `${own}values:"data"`, key: 'b' }
    for (const read of [() => store.get('b'), () => store.getAll(), () => store.getMany(['a', 'b'])])
      await expect(read()).rejects.toMatchObject(damaged)
    expect(await store.get('a')).toEqual({ n: 1 })
    await store.transaction((inside) => inside.delete('b'))
    expect(await store.getAll()).toEqual({ a: { n: 1 } })
    client.disconnect()
  })

  it('counts exactly when many transactions read and write one key', async () => {
    const store = new RedisKeyValueStore(await connect(), { prefix: prefix() })
    const other = new RedisKeyValueStore(await connect(), { prefix: `{kv${stores - 1}}:` })
    const count = (of: RedisKeyValueStore) =>
      of.transaction(async (inside) => {
        const n = ((await inside.get('n'))?.['n'] as number | undefined) ?? 0
        await inside.put('n', { n: n + 1 })
      })
    for (let round = 0; round < 10; round++) await Promise.all([count(store), count(other), count(store), count(other)])
    expect(await store.get('n')).toEqual({ n: 40 })
  })

  it('sees in a transaction what it has written, and notices what others add', async () => {
    const store = new RedisKeyValueStore(await connect(), { prefix: prefix() })
    await store.putAll([
      ['a', { n: 1 }],
      ['b', { n: 2 }],
    ])
    let rounds = 0
    const seen = await store.transaction(async (inside) => {
      if (rounds++ === 0) await store.put('late', { n: 9 })
      await inside.put('c', { n: 3 })
      await inside.delete('a')
      const all = await inside.getAll()
      if (rounds === 1) await store.put('later', { n: 10 })
      return Object.keys(all)
    })
    expect([rounds, seen]).toEqual([2, ['b', 'late', 'later', 'c']])
    expect(Object.keys(await store.getAll())).toEqual(['b', 'late', 'later', 'c'])
  })

  it('throws when other writers win each time', async () => {
    const store = new RedisKeyValueStore(await connect(), { prefix: prefix() })
    let n = 0
    const losing = store.transaction(async (inside) => {
      await inside.get('n')
      await store.put('n', { n: n++ })
      await inside.put('m', {})
    })
    await expect(losing).rejects.toMatchObject({ code: 'redis_conflict', retryable: true })
    expect(await store.get('m')).toBeNull()
  })

  it('keeps keys that are no valid Unicode apart, and the order of 2,000 keys', async () => {
    const store = new RedisKeyValueStore(await connect(), { prefix: prefix() })
    await store.putAll([
      ['\ud800', { n: 1 }],
      ['\ud801', { n: 2 }],
    ])
    expect(await store.getAll()).toEqual({ '\ud800': { n: 1 }, '\ud801': { n: 2 } })
    const keys = Array.from({ length: 2000 }, (_, index) => `k${(index * 7919) % 2000}`)
    await store.putAll(
      keys.map((key) => [key, { key }]),
      'many',
    )
    await store.put(keys[0]!, { key: 'again' }, 'many')
    expect(Object.keys(await store.getAll('many'))).toEqual(keys)
  })

  it('refuses what is no client, and unknown options', () => {
    const make =
      (client: unknown, options = {}) =>
      () =>
        new RedisKeyValueStore(client as RedisLike, options)
    for (const refused of [
      make(undefined),
      make({}),
      make({ call: () => {} }, { prefx: 'x' }),
      make({ call: () => {} }, { prefix: 1 }),
    ])
      expect(refused).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})
