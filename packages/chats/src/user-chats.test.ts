import { type ChatMessage, messageText, SimpleChatStore } from '@x/core-model'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { EngineWorld, slowModel, World } from '../test/chat-world.ts'
import { at, eventsOf, jsonLines, post, refusalOf } from '../test/json-lines.ts'
import { answerTurn } from './answer-turn.ts'
import { chatRoute } from './chat-route.ts'
import { storedChatStreams } from './chat-streams.ts'
import { chatKey, chatsOf, titleOf } from './user-chats.ts'

const agent = { runEvents: () => [] } as never

it('another key for each user and chat', () => {
  /** Similar names, so that one is often the beginning of the other. */
  const part = fc.array(fc.constantFrom('u', '1', '-', '.', '/', '"', ',', '\\', '%', ' ', 'é', 'e\u0301', '漢'), {
    maxLength: 5,
  })
  const names = fc.tuple(part, fc.string({ maxLength: 2 })).map(([some, any]) => `u${some.join('')}${any}`)
  const pairs = fc.sample(fc.tuple(names, fc.string({ maxLength: 4 })), 2000)
  const keys = new Set(pairs.map(([user, id]) => chatKey(user, id)))
  expect(keys.size).toBe(new Set(pairs.map((pair) => JSON.stringify(pair))).size)
})

it.each([
  ['chatKey.user: expected a string, received undefined', () => chatKey(undefined as never, '1')],
  ['chatKey.user: expected a string, received 5', () => chatKey(5 as never, '1')],
  ['chatKey.id: expected a string, received null', () => chatKey('ann', null as never)],
  ['storedChatStreams.store: expected a key-value store, received 5', () => storedChatStreams(5 as never)],
  [
    'answerTurn.agent: expected an agent',
    () => answerTurn({} as never, { content: '' }, { run: {}, mayContinue: false }),
  ],
  ['answerTurn.turn: expected an object', () => answerTurn(agent, null as never, { run: {}, mayContinue: false })],
  ['answerTurn.run: expected an object', () => answerTurn(agent, { content: '' }, { run: null } as never)],
])('%s', (message, call) => {
  expect(call).toThrow(message)
})

describe('the list of chats', () => {
  const worldOf = (options: object = {}) => new World((given) => chatRoute(given, jsonLines), options)
  const say = (id: string, content: unknown, user = 'ann', messageId?: string) => post({ id, content, messageId }, user)
  const deletion = (id: string, headers: object = {}) =>
    new Request(`https://chat.example/api/chat/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { 'x-user': 'ann', ...headers },
    })
  const titles = async ({ chatStore }: World, user = 'ann') =>
    (await chatsOf(chatStore, user).list()).map(({ id, title }) => [id, title])
  const engines: EngineWorld[] = []
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.stop()
  })

  it('has the chats of a user with the title of their first message, the one with the last message first', async () => {
    const world = worldOf()
    const route = world.instance(['1', '2', '3', '4'])
    for (const request of [say('a', 'What do  pears\ncost?'), say('b', 'And plums?'), say('c', 'Mine', 'bob')])
      await eventsOf(await route(request))
    await eventsOf(await route(say('a', 'And apples?')))
    expect(await titles(world)).toEqual([
      ['a', 'What do pears cost?'],
      ['b', 'And plums?'],
    ])
    expect(await titles(world, 'bob')).toEqual([['c', 'Mine']])
    expect(await titles(world, 'an')).toEqual([])
  })

  it('has a chat before its first answer begins, and also when that fails', async () => {
    const slow = slowModel()
    const world = worldOf()
    const failing = world.instance([new Error('planned')])
    await eventsOf(await failing(say('a', 'It fails')))
    const response = await world.instanceOf(slow.llm)(say('b', 'It runs'))
    expect(await titles(world)).toEqual([
      ['b', 'It runs'],
      ['a', 'It fails'],
    ])
    slow.release()
    await response.text()
  })

  it('has no chat whose first message was refused', async () => {
    const world = worldOf()
    expect((await world.instance([])(say('a', 5))).status).toBe(400)
    expect(await titles(world)).toEqual([])
  })

  it('takes the title of the application, without which the answer does not wait', async () => {
    let write = (_: string) => {}
    const asked: string[] = []
    const works: Promise<void>[] = []
    const title = (message: ChatMessage, { id, user }: { id: string; user: string }) => {
      asked.push(`${user} ${id} ${messageText(message)}`)
      return new Promise<string>((resolve) => {
        write = resolve
      })
    }
    const world = worldOf({ title, waitUntil: (work: Promise<void>) => works.push(work) })
    const route = world.instance(['1', '2'])
    await eventsOf(await route(say('a', 'Hi')))
    expect(await titles(world)).toEqual([['a', 'Hi']])
    write('A greeting')
    await Promise.all(works)
    await eventsOf(await route(say('a', 'Again')))
    expect(await titles(world)).toEqual([['a', 'A greeting']])
    expect(asked).toEqual(['ann a Hi'])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('no model'))],
    [
      'throws at once',
      () => {
        throw new Error('no model')
      },
    ],
    ['returns a number', () => 5],
    ['returns a text without end', () => 'x'.repeat(1001)],
  ])('keeps the first words if the function of the application %s', async (_, title) => {
    const world = worldOf({ title })
    await eventsOf(await world.instance(['1'])(say('a', 'Hi')))
    expect(await titles(world)).toEqual([['a', 'Hi']])
  })

  it('loses a chat that is deleted: its messages, its marks, and its place', async () => {
    const world = worldOf()
    const route = world.instance(['1', '2', 'new'])
    await eventsOf(await route(say('a/b', 'Secret words')))
    await eventsOf(await route(say('other', 'Other words')))
    expect(await refusalOf(await route(deletion('a/b', { origin: 'https://evil.example' })))).toEqual([
      403,
      'foreign_origin',
    ])
    expect((await route(deletion('a/b', { 'x-user': 'bob' }))).status).toBe(404)
    expect(await titles(world)).toHaveLength(2)
    expect((await route(deletion('a/b'))).status).toBe(204)
    expect(await titles(world)).toEqual([['other', 'Other words']])
    expect(JSON.stringify(world.chatStore.toDict())).not.toContain('Secret')
    expect((await route(deletion('none'))).status).toBe(404)
    await eventsOf(await route(say('a/b', 'Begins again')))
    expect(world.chatStore.getMessages(chatKey('ann', 'a/b')).map(String)).toEqual([
      'user: Begins again',
      'assistant: new',
    ])
  })

  it.each(['an agent', 'durable tasks'])('stops what runs in a chat that is deleted, with %s', async (kind) => {
    const slow = slowModel()
    let world = worldOf()
    let route = world.instanceOf(slow.llm)
    if (kind === 'durable tasks') {
      const engine = new EngineWorld((given) => chatRoute(given, jsonLines))
      engines.push(engine)
      await engine.start(slow.llm)
      world = engine
      route = engine.web().route
    }
    const response = await route(say('a', 'Tell me a story.'))
    const events = eventsOf(response)
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    expect((await route(deletion('a'))).status).toBe(204)
    expect((await events).at(-1)?.type).toBe('error')
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
    expect(await titles(world)).toEqual([])
    expect(JSON.stringify(world.chatStore.toDict())).not.toContain('story')
    expect((await at(route, 'GET', 'a')).status).toBe(204)
  })

  it('names the tasks of a deleted chat, whose journals stay in their store', async () => {
    const world = worldOf()
    const route = world.instance(['1'])
    await eventsOf(await route(say('a', 'Hi')))
    await route(deletion('a'))
    const { taskStore } = world
    for (const { taskId } of await taskStore.list({ conversationId: chatKey('ann', 'a') }))
      await taskStore.delete(taskId)
    expect(await taskStore.list()).toEqual([])
  })
})

it.each([
  ['  Hello\n\n there ', 'Hello there'],
  ['a'.repeat(80), 'a'.repeat(80)],
  ['a'.repeat(81), `${'a'.repeat(79)}…`],
  [`${'a'.repeat(78)} b c`, `${'a'.repeat(78)}…`],
  ['🍎'.repeat(2000), `${'🍎'.repeat(79)}…`],
  [`${' '.repeat(999)}ab`, 'a'],
  [' '.repeat(1000).concat('a'), ''],
  ['', ''],
])('the title of %j', (content, title) => {
  expect(titleOf(content)).toBe(title)
})

it('a user may set a title of at most 1,000 characters', async () => {
  const chats = chatsOf(new SimpleChatStore(), 'ann')
  await chats.put({ id: 'a', title: 'A', at: 5 })
  await chats.setTitle('a', 'x'.repeat(1000))
  for (const title of ['x'.repeat(1001), 5])
    await expect(chats.setTitle('a', title as string)).rejects.toThrow('at most 1,000 characters')
  expect(await chats.list()).toEqual([{ id: 'a', title: 'x'.repeat(1000), at: 5 }])
})

it('a chat that is put later is before the others, whatever the clock says', async () => {
  const chats = chatsOf(new SimpleChatStore(), 'ann')
  for (const [id, at] of [
    ['a', 5],
    ['b', 3],
    ['c', 9],
  ] as const)
    await chats.put({ id, title: id, at })
  expect((await chats.list()).map(({ id, at }) => [id, at])).toEqual([
    ['c', 9],
    ['b', 6],
    ['a', 5],
  ])
})

it('a page of the list is of a number of chats, before a time', async () => {
  const chats = chatsOf(new SimpleChatStore(), 'ann')
  await chats.put({ id: 'a', title: 'A', at: 5 })
  for (const wrong of [{ before: Number.NaN }, { before: '9' as never }, { limit: Number.NaN }, { limit: -1 }])
    await expect(chats.list(wrong)).rejects.toThrow(`chatsOf.list.${Object.keys(wrong)[0]}: expected`)
  const all = Number.POSITIVE_INFINITY
  const given: unknown[] = []
  const lists = { list: (...options: unknown[]) => void given.push(options) }
  expect(await chats.list({ limit: all, before: all })).toHaveLength(1)
  await chatsOf({ getMessages: null, chats: lists } as never, 'ann').list({ limit: 0, before: all })
  // No database takes an infinite one.
  expect(given).toEqual([['ann', { limit: 0, before: Number.MAX_SAFE_INTEGER }]])
})

it('a list needs a chat store', () => {
  expect(() => chatsOf({} as never, 'ann')).toThrow('chatsOf.chatStore')
  expect(chatsOf(new SimpleChatStore(), 'ann')).toBeDefined()
})
