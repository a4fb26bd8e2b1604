/**
 * @module
 * Checks of the contract of chat stores.
 */
import { chatKey, chatsOf } from '@x/chats'
import {
  ChatMessage,
  type ChatStore,
  type SyncChatStore,
  type Turn,
  type TurnMarks,
  type TurnStore,
} from '@x/core-model'
import { pause } from '@x/core-model/async'
import { turnsIn } from '@x/core-model/memory'
import { type ContractCheck, ContractError, checksOf, expectEqual } from './contract-check.ts'

/** Keys that a store confuses if it trims, quotes or changes the case of keys. */
const CONFUSABLE_KEYS = ['ann', 'Ann', ' ann', '', "a'b", '__proto__', 'a\u0000b', '🍎', 'a/b', 'a', 'ab']

/** More messages than a page of most services has. */
const MANY = 1100

/**
 * Returns the checks of the `ChatStore` contract of `@x/core-model`, for synchronous and asynchronous stores. Use them with any test
 * runner: each check rejects if the store violates the rule in its name. Of a store without `turns` or `chats`, they check what agents and
 * chats make of its messages.
 * @param create - returns a new, empty store for each check
 * @example
 * import { chatStoreChecks } from '@x/testing/storage'
 * for (const { run } of chatStoreChecks(() => new SimpleChatStore())) await run()
 */
export function chatStoreChecks(create: () => ChatStore | Promise<ChatStore>): readonly ContractCheck[] {
  return checksOf(create, { ...checks, ...turnChecks, ...chatChecks })
}

const message = (content: string) => new ChatMessage({ content })
const contents = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content)

const checks: Record<string, (store: ChatStore) => Promise<void>> = {
  'returns messages in the order in which they were added': async (store) => {
    const expected = Array.from({ length: MANY }, (_, i) => `m${i}`)
    await store.setMessages('ann', expected.slice(30).map(message))
    for (const [i, content] of expected.slice(0, 30).entries()) await store.addMessage('ann', message(content), i)
    expectEqual('getMessages', contents(await store.getMessages('ann')), expected)
    expectEqual('deleteMessages', contents((await store.deleteMessages('ann')) ?? []), expected)
  },

  'keeps messages whole': async (store) => {
    const whole = new ChatMessage({
      role: 'assistant',
      content: [{ type: 'text', text: 'a\u0000b é 🍎' }],
      additionalKwargs: { z: 1, a: { '10': [1.5, null], big: 2n ** 70n } },
    })
    // As long as an image, and a reply that only calls tools.
    const all = [whole, message('é'.repeat(300_000)), new ChatMessage({ role: 'assistant', content: null })]
    for (const one of all) await store.addMessage('ann', one)
    await store.setMessages('bob', all)
    for (const key of ['ann', 'bob'])
      expectEqual(
        key,
        (await store.getMessages(key)).map((found) => found.toDict()),
        all.map((one) => one.toDict()),
      )
  },

  'adds a message before another one': async (store) => {
    await store.setMessages('ann', ['a', 'b', 'c'].map(message))
    await store.addMessage('ann', message('first'), 0)
    await store.addMessage('ann', message('third'), 2)
    await store.addMessage('ann', message('last'), 99)
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['first', 'a', 'third', 'b', 'c', 'last'])
  },

  'replaces all messages of a key': async (store) => {
    await store.setMessages('ann', ['a', 'b'].map(message))
    await store.setMessages('ann', [message('c')])
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['c'])
    await store.setMessages('ann', [])
    await store.addMessage('ann', message('d'))
    expectEqual('after an empty list', contents(await store.getMessages('ann')), ['d'])
  },

  'replaces messages at once: who reads meanwhile sees those before or after': async (store) => {
    const listOf = (name: string) => Array.from({ length: 20 }, (_, i) => `${name}${i}`)
    const [before, after] = [listOf('a'), listOf('b')]
    await store.setMessages('ann', before.map(message))
    let isDone = false
    const replaced = Promise.resolve(store.setMessages('ann', after.map(message))).finally(() => {
      isDone = true
    })
    const seen: unknown[][] = []
    while (!isDone) {
      seen.push(contents(await store.getMessages('ann')))
      await pause(0)
    }
    await replaced
    for (const read of seen) expectEqual('getMessages', read, read[0] === before[0] ? before : after)
  },

  'deletes a key and returns its messages, or null for an unknown key': async (store) => {
    await store.setMessages('ann', ['a', 'b'].map(message))
    expectEqual('deleteMessages', contents((await store.deleteMessages('ann')) ?? []), ['a', 'b'])
    expectEqual('getMessages', contents(await store.getMessages('ann')), [])
    expectEqual('deleteMessages of an unknown key', await store.deleteMessages('ann'), null)
  },

  'returns the last messages, if it can': async (store) => {
    if (!store.getLast) return
    await store.setMessages('ann', ['a', 'b', 'c'].map(message))
    await store.addMessage('ann', message('d'))
    await store.addMessage('bob', message('e'))
    const last = async (key: string, count: number) => contents(await store.getLast!(key, count))
    expectEqual('2 of 4', await last('ann', 2), ['c', 'd'])
    expectEqual('more than there are', await last('ann', 9), ['a', 'b', 'c', 'd'])
    expectEqual('none', await last('ann', 0), [])
    expectEqual('an unknown key', await last('eve', 3), [])
  },

  'keeps keys apart': async (store) => {
    for (const key of CONFUSABLE_KEYS) await store.addMessage(key, message(`of ${key}`))
    for (const key of CONFUSABLE_KEYS)
      expectEqual(JSON.stringify(key), contents(await store.getMessages(key)), [`of ${key}`])
  },

  'returns lists of its own': async (store) => {
    const messages = [message('a')]
    await store.setMessages('ann', messages)
    messages.push(message('b'))
    ;(await store.getMessages('ann')).push(message('c'))
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['a'])
  },

  'loses no message when several are added at the same time': async (store) => {
    const added = Array.from({ length: 20 }, (_, i) => `m${i}`)
    await Promise.all(added.map(async (content) => store.addMessage('ann', message(content))))
    expectEqual('getMessages', contents(await store.getMessages('ann')).sort(), [...added].sort())
  },
}

const turn = (task: string, ...texts: string[]): Turn => ({
  id: task,
  task,
  message: `m-${task}`,
  state: 'open',
  messages: texts.map(message),
})

const add = (turns: TurnStore, task: string, ...texts: string[]) =>
  turns.begin('ann', undefined, (all) => [...all, turn(task, ...texts)])

/** The turns as their tasks and messages. */
const shape = (turns: readonly Turn[]) => turns.map(({ task, messages }) => [task, ...contents(messages)])

const done: Pick<TurnMarks, 'state'> = { state: 'done' }

const ofTurns = (check: (turns: TurnStore, store: ChatStore) => Promise<void>) => (store: ChatStore) =>
  check(turnsIn(store), store)

const turnChecks: Record<string, (store: ChatStore) => Promise<void>> = {
  'turns: a turn in the middle grows in its place': ofTurns(async (turns, store) => {
    await add(turns, 'a', 'a1')
    await add(turns, 'b', 'b1')
    expectEqual(
      'save',
      await turns.save('ann', 'a', { marks: done, from: 1, messages: ['a2', 'a3'].map(message) }),
      true,
    )
    await turns.save('ann', 'a', { marks: done, from: 2, messages: [message('a4')] })
    expectEqual('read', shape(await turns.read('ann')), [
      ['a', 'a1', 'a2', 'a4'],
      ['b', 'b1'],
    ])
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['a1', 'a2', 'a4', 'b1'])
  }),

  'turns: marks are kept whole': ofTurns(async (turns) => {
    const calls = { c1: 'unknown', 'c\u00002': 'approval' } as const
    const marks = {
      state: 'waiting',
      calls,
      values: { c1: { n: [1.5, null] } },
      waiting: [{ id: 'c1' }],
      kept: 1,
    } as const
    await add(turns, 'a', 'a1')
    await turns.save('ann', 'a', { marks, from: 1, messages: [] })
    const [{ messages: _, ...read }] = (await turns.read('ann')) as [Turn]
    expectEqual('read', read, { id: 'a', task: 'a', message: 'm-a', ...marks })
  }),

  'turns: a save without the messages that are to stay changes nothing': ofTurns(async (turns) => {
    await add(turns, 'a', 'a1')
    const change = { marks: done, from: 2, messages: [message('a3')] }
    expectEqual('save', await turns.save('ann', 'a', change), false)
    expectEqual('read', shape(await turns.read('ann')), [['a', 'a1']])
  }),

  'turns: one that was removed stays so': ofTurns(async (turns, store) => {
    for (const task of ['a', 'b', 'c']) await add(turns, task, `${task}1`)
    await turns.begin('ann', 'm-b', (all, first) => {
      expectEqual('first', first?.content, 'b1')
      return [...all.slice(0, 1), turn('d', 'd1')]
    })
    expectEqual('save', await turns.save('ann', 'b', { marks: done, from: 0, messages: [message('b1')] }), true)
    expectEqual('read', shape(await turns.read('ann')), [
      ['a', 'a1'],
      ['d', 'd1'],
    ])
    await store.deleteMessages('ann')
    await turns.save('ann', 'a', { marks: done, from: 0, messages: [message('a1')] })
    expectEqual('after deletion', await turns.read('ann'), [])
  }),

  'turns: another answer replaces that of its turn alone': ofTurns(async (turns, store) => {
    for (const task of ['a', 'b']) await add(turns, task, `${task}1`, `${task}2`)
    const after = await turns.begin('ann', undefined, (all) => all.with(0, turn('c', 'c1')))
    expectEqual(
      'begin',
      after.map(({ task }) => task),
      ['c', 'b'],
    )
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['c1', 'b1', 'b2'])
  }),

  'turns: messages that were added otherwise are turns too': ofTurns(async (turns, store) => {
    await store.addMessage('ann', message('old'))
    await store.addMessage('ann', new ChatMessage({ role: 'assistant', content: 'old answer' }))
    await add(turns, 'a', 'a1')
    await store.addMessage('ann', message('later'))
    await turns.save('ann', 'a', { marks: done, from: 1, messages: [message('a2')] })
    await add(turns, 'b', 'b1')
    const read = await turns.read('ann')
    expectEqual(
      'read',
      read.map(({ messages }) => contents(messages)),
      [['old', 'old answer'], ['a1', 'a2'], ['later'], ['b1']],
    )
    // An edit of one of them removes what follows.
    await turns.begin('ann', read[0]!.message, (all, first) => {
      expectEqual('first', first?.content, 'old')
      return [turn('c', 'c1'), ...all.slice(0, 0)]
    })
    expectEqual('after an edit', contents(await store.getMessages('ann')), ['c1'])
  }),

  'turns: begins at the same time are one after the other': ofTurns(async (turns) => {
    const tasks = Array.from({ length: 12 }, (_, i) => `t${i}`)
    await Promise.all(tasks.map(async (task) => add(turns, task, task)))
    const same = await Promise.all(
      tasks.map(async (task) =>
        turns.begin('bob', 'm', (all) => (all.length > 0 ? all : [{ ...turn(task, 'once'), message: 'm' }])),
      ),
    )
    expectEqual('read', shape(await turns.read('ann')).sort(), tasks.map((task) => [task, task]).sort())
    expectEqual('the same message', new Set(same.map(([first]) => first?.task)).size, 1)
  }),

  'turns: a conversation that is only asked for is not created': ofTurns(async (turns, store) => {
    expectEqual('begin', await turns.begin('new', undefined, (all) => all), [])
    expectEqual('deleteMessages', await store.deleteMessages('new'), null)
  }),

  'turns: the end of a long conversation is read alone, if the store can': ofTurns(async (turns, store) => {
    const before = async (task: string, count: number) => {
      const { turn: found, messages } = await turns.before!('ann', task, count)
      return [found && contents(found.messages), contents(messages)]
    }
    if (!turns.before || !turns.append) return
    expectEqual('an unknown key', await before('a', 3), [undefined, []])
    await store.addMessage('ann', message('old'))
    const fail = (marks: TurnMarks): TurnMarks => ({ ...marks, state: 'failed' })
    await turns.append('ann', turn('a', 'a1'), fail)
    await turns.save('ann', 'a', { marks: done, from: 1, messages: ['a2', '"state":"open"'].map(message) })
    await turns.append('ann', { ...turn('b', 'b1'), values: { c1: '"state":"open"' } }, fail)
    await turns.append('ann', turn('c', 'c1', 'c2'), fail)
    // Its task has a turn.
    await turns.append('ann', turn('c', 'c3'), fail)
    const read = await turns.read('ann')
    expectEqual('the states', read.map(({ task, state }) => [task, state]).slice(1), [
      ['a', 'done'],
      ['b', 'failed'],
      ['c', 'open'],
    ])
    expectEqual('the marks', read[2]?.values, { c1: '"state":"open"' })
    await turns.begin('ann', undefined, (all) => [...all, turn('d', 'd1')])
    await store.addMessage('ann', message('later'))
    expectEqual('2 before c', await before('c', 2), [
      ['c1', 'c2'],
      ['"state":"open"', 'b1'],
    ])
    expectEqual('all before c', await before('c', 9), [
      ['c1', 'c2'],
      ['old', 'a1', 'a2', '"state":"open"', 'b1'],
    ])
    expectEqual('none before c', await before('c', 0), [['c1', 'c2'], []])
    expectEqual('without a turn', await before('none', 2), [undefined, ['d1', 'later']])
    // What was read is not what is there now: the turn has changed, and so has the message of a caller.
    await turns.save('ann', 'b', { marks: done, from: 0, messages: [message('b2')] })
    const { messages: last } = await turns.before!('ann', 'c', 2)
    last[0]!.content = 'changed'
    expectEqual('after changes', await before('c', 2), [
      ['c1', 'c2'],
      ['"state":"open"', 'b2'],
    ])
    if (!turns.countMessages) return
    const counts = ['c', 'none'].map(async (task) => turns.countMessages!('ann', task))
    expectEqual(
      'the numbers before',
      [...(await Promise.all(counts)), await turns.countMessages!('new', 'c')],
      [5, 9, 0],
    )
  }),
}

/** The ids of the chats of an owner. */
const idsOf = async (store: ChatStore, owner: string) => (await chatsOf(store, owner).list()).map(({ id }) => id)

/** Owners of which a store confuses two if it joins, cuts or compares the beginnings of strings: their pairs are more than 1,000. */
const OWNERS = [
  ...CONFUSABLE_KEYS,
  ...['ann-2', 'ann/b', '["ann"]', 'ann"', 'anné', 'anne\u0301', '%', '_', 'a\u001b0000b', '\ud83c', '\udf4e'],
  ...Array.from({ length: 26 }, (_, i) => `ann${(((i + 1) * 2654435761) % 2 ** 32).toString(36)}`),
  'ann'.repeat(1000),
]

const chatChecks: Record<string, (store: ChatStore) => Promise<void>> = {
  'chats: the latest one is the first, by pages': async (store) => {
    const chats = chatsOf(store, 'ann')
    expectEqual('an owner without chats', await chats.list(), [])
    for (const id of ['a', 'b', 'c'])
      expectEqual(`put ${id}`, await chats.put({ id, title: `Title ${id}`, at: 1000 }), true)
    expectEqual('put of a known chat', await chats.put({ id: 'a', title: 'Another one', at: 900 }), false)
    const listed = [
      { id: 'a', title: 'Title a', at: 1003 },
      { id: 'c', title: 'Title c', at: 1002 },
      { id: 'b', title: 'Title b', at: 1001 },
    ]
    expectEqual('list', await chats.list(), listed)
    expectEqual('the first page', await chats.list({ limit: 2 }), listed.slice(0, 2))
    expectEqual('the second page', await chats.list({ limit: 2, before: 1002 }), listed.slice(2))
    expectEqual('an empty page', await chats.list({ limit: 0 }), [])
    await chats.put({ id: 'd', title: 'Title d', at: 5000 })
    expectEqual('a later time', (await chats.list())[0], { id: 'd', title: 'Title d', at: 5000 })
  },

  'chats: ids and titles are kept whole': async (store) => {
    const chats = chatsOf(store, 'ann')
    // With a store that appends instead, the list would double at each change.
    for (const _ of OWNERS.slice(0, 2)) await store.setMessages('ann', [message('a')])
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['a'])
    for (const id of OWNERS) await chats.put({ id, title: `Title ${id}`, at: 0 })
    await chats.setTitle('🍎', 'a\u0000b "x" 🍎')
    await chats.setTitle('none', 'of no chat')
    const listed = await chats.list()
    expectEqual('the ids', listed.map(({ id }) => id).reverse(), OWNERS)
    expectEqual(
      'the titles',
      listed.map(({ title }) => title).reverse(),
      OWNERS.map((id) => (id === '🍎' ? 'a\u0000b "x" 🍎' : `Title ${id}`)),
    )
  },

  'chats: an owner sees the own chats alone': async (store) => {
    for (const owner of OWNERS) await chatsOf(store, owner).put({ id: 'chat', title: `of ${owner}`, at: 0 })
    for (const owner of OWNERS)
      expectEqual(
        JSON.stringify(owner.slice(0, 20)),
        (await chatsOf(store, owner).list()).map(({ title }) => title),
        [`of ${owner}`],
      )
    await chatsOf(store, OWNERS[0]!).delete('chat')
    for (const [i, owner] of OWNERS.entries())
      expectEqual(`after deletion: ${JSON.stringify(owner.slice(0, 20))}`, (await idsOf(store, owner)).length, i && 1)
  },

  'chats: a deleted one leaves nothing': async (store) => {
    const turns = turnsIn(store)
    const keyOf = (id: string) => chatKey('ann', id)
    for (const id of ['a', 'b']) {
      await chatsOf(store, 'ann').put({ id, title: id, at: 0 })
      await turns.begin(keyOf(id), undefined, (all) => [...all, turn(`task ${id}`, `words of ${id}`)])
    }
    await chatsOf(store, 'ann').delete('a')
    await chatsOf(store, 'ann').delete('none')
    expectEqual('list', await idsOf(store, 'ann'), ['b'])
    expectEqual('turns', await turns.read(keyOf('a')), [])
    expectEqual('messages', await store.getMessages(keyOf('a')), [])
    expectEqual('the other chat', contents(await store.getMessages(keyOf('b'))), ['words of b'])
    await turns.save(keyOf('a'), 'task a', { marks: done, from: 0, messages: [message('late')] })
    expectEqual('what its run writes later', await store.getMessages(keyOf('a')), [])
    const all = (store as Partial<SyncChatStore>).toDict?.()
    if (all && JSON.stringify(all).includes('words of a')) throw new ContractError('the store', 'no words of a', all)
  },

  'chats: none is lost when several begin at the same time': async (store) => {
    const ids = Array.from({ length: 12 }, (_, i) => `chat ${i}`)
    await Promise.all(ids.map((id) => chatsOf(store, 'ann').put({ id, title: id, at: 0 })))
    expectEqual('the ids', (await idsOf(store, 'ann')).sort(), [...ids].sort())
  },
}
