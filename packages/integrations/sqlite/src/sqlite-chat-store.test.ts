import { ChatMessage, SimpleChatStore } from '@x/core-model'
import { chatChecks } from '@x/testing/chats'
import { chatStoreChecks } from '@x/testing/storage'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { checkedChat } from '../../../chats/test/checked-chat.ts'
import { SqliteChatStore } from './sqlite-chat-store.ts'
import { openDatabase } from './sqlite-database.ts'

const message = (content: string) => new ChatMessage({ content })

describe.each(['node:sqlite', 'better-sqlite3'] as const)('a chat store over %s', (library) => {
  const create = async () => new SqliteChatStore(await openDatabase(':memory:', { library }))
  for (const { name, run } of chatStoreChecks(create)) it(name, run)
})

describe('SqliteChatStore', () => {
  const create = async () => new SqliteChatStore(await openDatabase(':memory:'))

  it('does what SimpleChatStore does', async () => {
    const key = fc.constantFrom('ann', 'bob', '', 'a\u0000b')
    const index = fc.integer({ min: -3, max: 4 })
    const step = fc.oneof(
      fc.record({ op: fc.constant('add' as const), key, index: fc.option(index, { nil: undefined }) }),
      fc.record({ op: fc.constant('add' as const), key, index: fc.constant(undefined) }),
      fc.record({ op: fc.constantFrom('deleteAt' as const), key, index }),
      fc.record({ op: fc.constantFrom('deleteLast' as const, 'deleteAll' as const), key, index }),
      fc.record({ op: fc.constant('set' as const), key, index: fc.integer({ min: 0, max: 3 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const [expected, store] = [new SimpleChatStore(), await create()]
        for (const [n, { op, key, index }] of steps.entries()) {
          const [one, other] = [expected, store].map((each) => {
            if (op === 'add') return each.addMessage(key, message(`m${n}`), index)
            if (op === 'set')
              return each.setMessages(
                key,
                Array.from({ length: index! }, (_, i) => message(`s${n}.${i}`)),
              )
            if (op === 'deleteAt') return each.deleteMessage(key, index!)
            return op === 'deleteLast' ? each.deleteLastMessage(key) : each.deleteMessages(key)
          })
          expect(JSON.stringify(other)).toBe(JSON.stringify(one))
          // Messages that were read before are not read again.
          for (const count of [2, 100]) {
            const { messages } = await store.turns.before!(key, 'none', count)
            expect(messages.map(String)).toEqual(expected.getMessages(key).slice(-count).map(String))
          }
        }
        expect(store.toDict()).toEqual(expected.toDict())
        expect(store.getKeys()).toEqual(expected.getKeys())
        for (const each of expected.getKeys())
          expect(store.getMessages(each).map(String)).toEqual(expected.getMessages(each).map(String))
      }),
      { numRuns: rounds(60, 200) },
    )
  })

  it('returns messages unchanged', async () => {
    const store = await create()
    const whole = new ChatMessage({ role: 'tool', content: 'é\u0000🍎', additionalKwargs: { b: 1, a: 2n ** 64n } })
    store.addMessage('ann', whole)
    expect(store.getMessages('ann')[0]!.equals(whole)).toBe(true)
    expect(SimpleChatStore.fromDict(store.toDict()).getMessages('ann')[0]!.equals(whole)).toBe(true)
    const broken = ChatMessage.construct({ role: 'user', content: 'x', additionalKwargs: { score: Number.NaN } })
    expect(() => store.setMessages('ann', [broken])).toThrow(expect.objectContaining({ code: 'serialization' }))
    expect(store.getMessages('ann')).toHaveLength(1)
  })

  it('a turn reads as many rows behind a long conversation as behind a short one', async () => {
    const database = await openDatabase(':memory:')
    let rows = 0
    for (const name of ['all', 'stored'] as const) {
      const read = database[name].bind(database) as (...given: Parameters<typeof database.all>) => never[]
      database[name] = (...given: Parameters<typeof database.all>) => {
        const found = read(...given)
        rows += found.length
        return found
      }
    }
    const { turns } = new SqliteChatStore(database)
    const next = async (n: number) => {
      rows = 0
      const turn = { id: `t${n}`, task: `t${n}`, message: `m${n}`, state: 'done' as const }
      await turns.begin('ann', `m${n}`, (all) => [...all, { ...turn, messages: [message('Hi'), message('Hello')] }])
      const { messages } = await turns.before!('ann', turn.task, 1000)
      expect(messages).toHaveLength(2 * n)
      return rows
    }
    const read: number[] = []
    for (let n = 0; n < 60; n++) read.push(await next(n))
    expect(read[59]).toBe(read[5])
  })

  it('the cost of adding a message does not depend on the length of the conversation', { tags: 'growth' }, async () => {
    const fill = async (size: number) => {
      const store = await create()
      for (let i = 0; i < size; i++) store.addMessage('ann', message('Hello'))
    }
    expect(await growthOf(fill, 200)).toBeLessThan(1.75)
  })
})

describe('a chat in SQLite', () => {
  const checks = chatChecks(async (agent) => checkedChat(agent, new SqliteChatStore(await openDatabase(':memory:'))))
  for (const { name, run } of checks) it(name, run)
})
