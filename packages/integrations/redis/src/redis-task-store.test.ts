/** @module-tag system */
import { killChecks, taskStoreChecks } from '@x/testing/agents'
import { storedTasksChecks } from '@x/testing/durable'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { startRedis } from '../test/redis-server.ts'
import { RedisTaskStore } from './redis-task-store.ts'

const url = process.env['REDIS_URL']!
const ends: (() => unknown)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))
const ioredis = async () => {
  const redis = new Redis(url)
  ends.push(() => redis.disconnect())
  return redis
}
const nodeRedis = async () => {
  const client = createClient({ url })
  await client.connect()
  ends.push(() => client.destroy())
  return client
}

describe.each([
  ['ioredis', ioredis],
  ['redis', nodeRedis],
] as const)('a task store over %s', (name, connect) => {
  let count = 0
  const open = async () => new RedisTaskStore(await connect(), { prefix: `{${name}${count}}:` })
  const create = () => {
    count++
    return open()
  }
  const kills = name === 'ioredis' ? killChecks(create, open, { levels: [1], points: 3 }) : []
  const tasks = name === 'ioredis' ? storedTasksChecks(create) : []
  const damage = async (_: RedisTaskStore, taskId: string) =>
    (await ioredis()).lset(`{${name}${count}}:journal:${JSON.stringify(taskId)}`, 0, '{"type":')
  for (const { name: check, run } of [...taskStoreChecks(create, open, damage), ...kills, ...tasks]) it(check, run)
})

it('lists the tasks of a conversation, and forgets deleted ones', async () => {
  const store = new RedisTaskStore(await ioredis(), { prefix: '{list}:' })
  const begin = (id: string, conversation: string) =>
    store.append(id, [{ type: 'task', n: 0, task: { conversation_id: conversation } }], 0)
  await begin('t1', 'ann')
  await begin('t2', 'bob')
  await begin('t3', 'ann')
  await store.append('t1', [{ type: 'finalized', n: 1 }], 1)
  const ids = async (filter: object) => (await store.list(filter)).map(({ taskId }) => taskId)
  expect(await ids({ conversationId: 'ann' })).toEqual(['t1', 't3'])
  expect(await ids({ conversationId: 'ann', unfinished: true })).toEqual(['t3'])
  await store.delete('t3')
  expect([await ids({}), await ids({ conversationId: 'ann' })]).toEqual([['t1', 't2'], ['t1']])
})

it('loses no acknowledged entry when the server is killed many times', { timeout: 240_000 }, async () => {
  const server = await startRedis()
  try {
    const redis = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 5 })
    redis.on('error', () => {})
    const store = new RedisTaskStore(redis)
    const known = new Map<string, number>()
    const acknowledged = () => [...known.values()].reduce((sum, revision) => sum + revision, 0)
    let running = true
    /** Appends to its own task; after a lost answer it looks where the task is, as a runner does. */
    const worker = async (id: string) => {
      let revision = 0
      while (running) {
        const ok = await store
          .append(id, [{ type: 'result', n: revision, text: 'x'.repeat(50) }], revision)
          .catch(() => false)
        if (ok) known.set(id, ++revision)
        else revision = (await store.load(id).catch(() => null))?.length ?? revision
      }
    }
    const workers = ['a', 'b', 'c', 'd'].map(worker)
    for (let kill = 0; kill < rounds(25, 100); kill++) {
      // Counted in entries: a busy machine writes few of them in the milliseconds that an idle one needs.
      const enough = acknowledged() + 1 + (kill % 20)
      while (acknowledged() < enough) await new Promise((resolve) => setTimeout(resolve, 1))
      await server.restart()
    }
    running = false
    await Promise.all(workers)
    for (const [id, revision] of known) {
      const entries = (await store.load(id)) as { n: number }[]
      expect(entries.length).toBeGreaterThanOrEqual(revision)
      expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index))
    }
    expect(acknowledged()).toBeGreaterThanOrEqual(rounds(25, 100))
    redis.disconnect()
  } finally {
    await server.stop()
  }
})
