import { ChatMessage, SimpleChatStore } from '@x/core-model'
import { memoryForTurn, StoredChatMemory } from '@x/core-model/memory'
import { chatStoreChecks } from '@x/testing/storage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newDatabase } from '../test/new-database.ts'
import { PostgresChatStore } from './postgres-chat-store.ts'
import { storedKey } from './stored-key.ts'

const message = (content: string) => new ChatMessage({ content })

describe('a chat store in Postgres', () => {
  const create = async () => new PostgresChatStore(await newDatabase())
  for (const { name, run } of chatStoreChecks(create)) it(name, run)
})

describe('PostgresChatStore', () => {
  it('names the conversation of a damaged message or turn, reads the others, and deletes it', async () => {
    const database = await newDatabase()
    const store = new PostgresChatStore(database)
    const memory = (conversationId: string) => new StoredChatMemory({ chatStore: store, conversationId })
    for (const key of ['ann', 'bob', 'cem']) await memoryForTurn(memory(key), 't1')!.begin(message(`I am ${key}.`))
    const { conversations, messages, turns } = database.tables
    const of = (key: string) => `(select seq from ${conversations} where key = '${storedKey(key)}')`
    await database.query(`update ${messages} set message = left(message, 20) where conversation = ${of('ann')}`)
    await database.query(`update ${turns} set marks = '{"task":' where conversation = ${of('bob')}`)
    const again = new PostgresChatStore(database)
    const damaged = (key: string) => ({ code: 'store_read', path: messages, key })
    for (const read of [() => again.getMessages('ann'), () => again.getLast('ann', 5)])
      await expect(read()).rejects.toMatchObject(damaged('ann'))
    for (const key of ['ann', 'bob']) {
      await expect(again.turns.read(key)).rejects.toMatchObject(damaged(key))
      await expect(again.turns.before!(key, 't1', 9)).rejects.toMatchObject(damaged(key))
    }
    await expect(again.turns.begin('bob', 'm', (all) => all)).rejects.toMatchObject(damaged('bob'))
    expect((await again.turns.read('cem')).length).toBe(1)
    for (const key of ['ann', 'bob']) await again.deleteMessages(key)
    expect(await again.getKeys()).toEqual(['cem'])
  })

  it('does what SimpleChatStore does', async () => {
    const key = fc.constantFrom('ann', 'bob', '', 'a\u0000b')
    const index = fc.oneof(fc.integer({ min: -3, max: 4 }), fc.constantFrom(1.5, Number.NaN, -1e300, Number.MAX_VALUE))
    const step = fc.oneof(
      fc.record({ op: fc.constant('add' as const), key, index: fc.option(index, { nil: undefined }) }),
      fc.record({ op: fc.constantFrom('deleteAt' as const), key, index }),
      fc.record({ op: fc.constantFrom('deleteLast' as const, 'deleteAll' as const), key, index }),
      fc.record({ op: fc.constant('set' as const), key, index: fc.integer({ min: 0, max: 3 }) }),
    )
    const database = await newDatabase()
    const store = new PostgresChatStore(database)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        const expected = new SimpleChatStore()
        await database.query(`delete from ${database.tables.conversations}`)
        const run = (
          each: SimpleChatStore | PostgresChatStore,
          { op, key, index }: (typeof steps)[number],
          n: number,
        ) => {
          if (op === 'add') return each.addMessage(key, message(`m${n}`), index)
          if (op === 'set')
            return each.setMessages(
              key,
              Array.from({ length: index! }, (_, i) => message(`s${n}.${i}`)),
            )
          if (op === 'deleteAt') return each.deleteMessage(key, index!)
          return op === 'deleteLast' ? each.deleteLastMessage(key) : each.deleteMessages(key)
        }
        for (const [n, each] of steps.entries())
          expect(JSON.stringify(await run(store, each, n))).toBe(JSON.stringify(run(expected, each, n)))
        expect(await store.getKeys()).toEqual(expected.getKeys())
        for (const each of expected.getKeys())
          expect((await store.getMessages(each)).map(String)).toEqual(expected.getMessages(each).map(String))
      }),
      { numRuns: 40 },
    )
  })

  it('reads the end of a conversation alone, also before the table has statistics', async () => {
    const database = await newDatabase()
    const store = new PostgresChatStore(database)
    const count = 3_000
    await store.setMessages(
      'ann',
      Array.from({ length: count }, (_, n) => message(`m${n}`)),
    )
    const read = () =>
      database.transaction(async (inside) => {
        // The planner chooses for the table as it is now; the rows that a transaction reads are counted in it.
        const counted = `select idx_tup_fetch::int as n from pg_stat_xact_user_tables where relid = '${database.tables.messages}'::regclass`
        const before = (await inside.query(counted)).rows[0].n
        const inner = new PostgresChatStore(inside)
        expect(await inner.getLast('ann', 100)).toHaveLength(100)
        expect((await inner.turns.before!('ann', 'none', 100)).messages).toHaveLength(100)
        return (await inside.query(counted)).rows[0].n - before
      })
    expect(await read()).toBeLessThan(count)
  })

  it('keeps the order of messages when several stores add, insert and delete', async () => {
    const database = await newDatabase()
    const stores = Array.from({ length: 5 }, () => new PostgresChatStore(database))
    await stores[0]!.setMessages('ann', [message('first'), message('last')])
    await Promise.all(
      stores.map(async (store, n) => {
        for (let i = 0; i < 6; i++) await store.addMessage('ann', message(`${n}.${i}`), i % 2 === 0 ? 1 : undefined)
        await store.deleteMessage('ann', 0)
      }),
    )
    const found = (await stores[0]!.getMessages('ann')).map(({ content }) => String(content))
    expect(found).toHaveLength(2 + 5 * 6 - 5)
    for (const n of stores.keys()) {
      const own = (parity: number) =>
        found.filter((content) => content.startsWith(`${n}.`) && Number(content.at(-1)) % 2 === parity)
      expect(own(1)).toEqual([`${n}.1`, `${n}.3`, `${n}.5`])
      expect(own(0)).toEqual([...own(0)].sort().reverse())
    }
  })

  it('replaces messages that are added at the same time, or comes before them', async () => {
    const database = await newDatabase()
    for (let round = 0; round < 10; round++) {
      const [one, two] = [new PostgresChatStore(database), new PostgresChatStore(database)]
      await one.setMessages('ann', [message('old')])
      await Promise.all([one.setMessages('ann', [message('new')]), two.addMessage('ann', message('added'))])
      const found = (await one.getMessages('ann')).map(({ content }) => content)
      expect([['new'], ['new', 'added']]).toContainEqual(found)
    }
  })
})
