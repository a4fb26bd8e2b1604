import { type AgentEvent, FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { ChatMessage, ConfigurationError, SimpleChatStore, ToolkitError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { turnsIn } from '@x/core-model/memory'
import { ModelCallError } from '@x/llm'
import { ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { callTurn, metadata, type Route, StreamingModel, slowModel, TasksWorld, World } from '../test/chat-world.ts'
import { at, eventsOf, jsonLines, post, refusalOf, textOf } from '../test/json-lines.ts'
import { answerTurn } from './answer-turn.ts'
import type { ChatProtocol } from './chat-protocol.ts'
import { chatRoute } from './chat-route.ts'
import { memoryChatStreams, storedChatStreams } from './chat-streams.ts'
import { chatKey, chatsOf, loadChat, loadTurns } from './user-chats.ts'

const worldOf = (options: object = {}, needsApproval = false, Made = World) =>
  new Made((given) => chatRoute(given, jsonLines), options, needsApproval)
const deleteChat = (route: Route) =>
  route(new Request('https://chat.example/api/chat/chat', { method: 'DELETE', headers: { 'x-user': 'ann' } }))
const say = (content: string, messageId = 'm1', fields: object = {}) =>
  post({ id: 'chat', content, messageId, ...fields })
const last = <Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type) =>
  events.findLast((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)

describe('a route of a chat', () => {
  it('refuses a request without a user, of another method, or of another address', async () => {
    const route = worldOf().instance([])
    const anonymous = new Request('https://a.example/api/chat', { method: 'POST' })
    expect(await refusalOf(await route(anonymous))).toEqual([401, 'unauthorized'])
    const get = new Request('https://a.example/api/chat', { headers: { 'x-user': 'ann' } })
    expect(await refusalOf(await route(get))).toEqual([404, 'not_found'])
    expect(await refusalOf(await at(route, 'GET', '%E0%A4%A'))).toEqual([404, 'not_found'])
    expect(await refusalOf(await at(route, 'PUT'))).toEqual([405, 'method'])
    expect((await at(route, 'GET')).status).toBe(204)
  })

  it('refuses an id of more than 1,000 characters', async () => {
    const route = worldOf().instance(['Hello.'])
    const send = (length: number) => route(post({ id: 'c'.repeat(length), content: 'Hi' }))
    expect((await send(1000)).status).toBe(200)
    expect(await refusalOf(await send(1001))).toEqual([400, 'model_validation'])
  })

  it('stops and deletes no chat that the user does not have, such as "chat" at the address of the list of chats', async () => {
    const world = worldOf()
    const route = world.instance(['Hello.', 'Hello.'])
    await eventsOf(await route(post({ id: 'other', content: 'Hi' })))
    expect(await refusalOf(await at(route, 'DELETE'))).toEqual([404, 'not_found'])
    const headers = { 'x-user': 'ann' }
    const list = new Request('https://chat.example/api/chat', { method: 'DELETE', headers })
    expect(await refusalOf(await route(list))).toEqual([404, 'not_found'])
    expect(await chatsOf(world.chatStore, 'ann').list()).toMatchObject([{ id: 'other' }])
    await eventsOf(await route(say('Hi')))
    expect((await at(route, 'DELETE')).status).toBe(204)
    expect(await refusalOf(await at(route, 'DELETE', 'chat', 'bob'))).toEqual([404, 'not_found'])
  })

  it.each(['', ' \n', [], [{ type: 'text', text: '' }]])(
    'refuses the message %j, which says nothing',
    async (content) => {
      const world = worldOf()
      const response = await world.instance([])(post({ id: 'chat', content }))
      expect(await refusalOf(response)).toEqual([400, 'model_validation'])
      expect(world.llms.flatMap(({ calls }) => calls)).toEqual([])
      expect(await loadTurns(world.chatStore, 'ann', 'chat')).toEqual([])
    },
  )

  it('changes which turns there are once for a message that is answered', async () => {
    const world = worldOf()
    const turns = turnsIn(new SimpleChatStore())
    let changes = 0
    const begin: typeof turns.begin = (...change) => {
      changes++
      return turns.begin(...change)
    }
    const counted = { read: turns.read.bind(turns), save: turns.save.bind(turns), begin }
    Object.assign(world.chatStore, { turns: counted })
    await eventsOf(await world.instance(['Hello.'])(say('Hi')))
    expect(changes).toBe(1)
    expect((await turns.read(chatKey('ann', 'chat'))).map(({ state }) => state)).toEqual(['done'])
  })

  it('knows what replaced answers have used, so that the sum is what the chat has', async () => {
    const world = worldOf()
    const route = world.instance(['1', '2', '3', '4', '5', '6', '7'])
    const used = async () =>
      (await loadTurns(world.chatStore, 'ann', 'chat')).map(({ usage, replaced }) => [
        usage?.modelCalls,
        replaced?.modelCalls,
      ])
    for (const text of ['a', 'b', 'c']) await eventsOf(await route(say(text, text)))
    expect(await used()).toEqual([
      [1, undefined],
      [1, undefined],
      [1, undefined],
    ])
    await eventsOf(await route(say('b', 'b', { asks: 'again' })))
    expect(await used()).toEqual([
      [1, undefined],
      [1, 1],
      [1, undefined],
    ])
    await eventsOf(await route(say('B', 'b')))
    expect(await used()).toEqual([
      [1, undefined],
      [1, 3],
    ])
    await eventsOf(await route(say('c', 'c')))
    await eventsOf(await route(say('A', 'a')))
    expect(await used()).toEqual([[1, 6]])
  })

  it.each([
    ['edited', 'closed', (route: Route) => route(say('Buy nothing.'))],
    ['asked again', 'closed', (route: Route) => route(say('Buy.', 'm1', { asks: 'again' }))],
    ['deleted with its chat', 'closed', deleteChat],
    ['followed by another one', 'open', (route: Route) => route(say('And?', 'm2'))],
    [
      'followed by another one and deleted with its chat',
      'closed',
      async (route: Route) => {
        await eventsOf(await route(say('And?', 'm2')))
        return deleteChat(route)
      },
    ],
  ])('a call that waits in a message that is %s is %s for who decides without the chat', async (_, state, how) => {
    const world = worldOf({}, true)
    const route = world.instance([callTurn('Buying.'), 'Good.'])
    await eventsOf(await route(say('Buy.')))
    const { task } = (await loadTurns(world.chatStore, 'ann', 'chat'))[0]!
    const response = await how(route)
    if (response.body) await eventsOf(response)
    const elsewhere = world.agentOf(new ScriptedLLM({ metadata }))
    const { memory } = elsewhere.conversation({ chatStore: world.chatStore, id: chatKey('ann', 'chat') })
    await elsewhere.resumeTask(task, { memory })
    if (state === 'open') await elsewhere.approve(task, 'c1')
    else {
      await expect(elsewhere.approve(task, 'c1')).rejects.toMatchObject({ code: 'approval' })
      const rejected = { decision: 'reject', reason: 'The user has withdrawn the message.' }
      expect(elsewhere.getTask(task).extraState['pending_calls']).toMatchObject([rejected])
    }
    expect(world.bought).toEqual([])
  })

  it('decisions of somebody else about a message that was stopped are refused', async () => {
    const world = worldOf({}, true)
    const route = world.instance([callTurn('Buying.'), 'Done.'])
    await eventsOf(await route(say('Buy.')))
    const { task: taskId } = (await loadTurns(world.chatStore, 'ann', 'chat'))[0]!
    await at(route, 'DELETE')
    const boss = world.agentOf(new ScriptedLLM({ metadata, answers: ['Bought.'] }))
    const { memory } = boss.conversation({ chatStore: world.chatStore, id: chatKey('ann', 'chat') })
    const decided = { taskId, decisions: [{ callId: 'c1', type: 'approve' as const }] }
    const events = answerTurn(boss, decided, { run: { memory }, mayContinue: () => true, by: 'boss' })
    await expect(events.next()).rejects.toMatchObject({ code: 'approval' })
    // The user asks for it again.
    expect(last(await eventsOf(await route(say('Buy.'))), 'approval_required')?.calls).toHaveLength(1)
    for await (const _ of answerTurn(boss, decided, { run: { memory }, mayContinue: () => true, by: 'boss' })) {
    }
    expect(world.bought).toEqual(['pear'])
  })

  it('removes nothing for a client that replaces what the chat does not have', async () => {
    const world = worldOf()
    const route = world.instance(['1', '2', '3', '4'])
    for (const text of ['a', 'b']) await eventsOf(await route(say(text, text)))
    const stored = async () => (await loadChat(world.chatStore, 'ann', 'chat')).map(String)
    const before = await stored()
    const [turn] = await loadTurns(world.chatStore, 'ann', 'chat')
    for (const asks of ['again', 'send'])
      for (const replaces of ['gone', 'b', '']) {
        const response = await route(say('a', 'a', { asks, discardsRest: true, replaces }))
        expect(await refusalOf(response)).toEqual([404, 'not_found'])
      }
    expect(await stored()).toEqual(before)
    await eventsOf(await route(say('a', 'a', { asks: 'again', discardsRest: true, replaces: turn!.id })))
    expect(await stored()).toEqual(['user: a', 'assistant: 3'])
    await eventsOf(await route(say('A', 'a', { discardsRest: true, replaces: 'a' })))
    expect(await stored()).toEqual(['user: A', 'assistant: 4'])
  })

  it.each([undefined, '', null, 5])('refuses a request whose user is %j', async (user) => {
    const route = worldOf({ user: () => user }).instance([])
    expect(await refusalOf(await route(say('Hi')))).toEqual([401, 'unauthorized'])
    expect(await refusalOf(await at(route, 'GET'))).toEqual([401, 'unauthorized'])
  })

  it.each([
    [{ 'content-type': 'text/plain' }, [415, 'content_type']],
    [{ 'content-type': 'text/plain; application/json' }, [415, 'content_type']],
    [{ 'content-type': 'multipart/form-data; boundary=application/json' }, [415, 'content_type']],
    [{ 'content-type': '' }, [415, 'content_type']],
    [{ 'content-type': 'Application/JSON; charset=utf-8' }, null],
    [{ origin: 'https://evil.example' }, [403, 'foreign_origin']],
    [{ origin: 'null' }, [403, 'foreign_origin']],
    [{ origin: 'https://chat.example.evil.example' }, [403, 'foreign_origin']],
    [{ origin: 'https://a.example', 'sec-fetch-site': 'cross-site' }, [403, 'foreign_origin']],
    [{ origin: 'https://other.a.example', 'sec-fetch-site': 'same-site' }, [403, 'foreign_origin']],
    [{ 'sec-fetch-site': 'same-site' }, [403, 'foreign_origin']],
    // A server behind a proxy knows neither the protocol nor always the host.
    [{ origin: 'http://a.example' }, null],
    [{ origin: 'https://shop.example', host: 'shop.example' }, null],
    [{ origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }, null],
    [{ 'sec-fetch-site': 'none' }, null],
    [{ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, null],
  ] as const)('accepts JSON of its own pages and of allowed ones only: %j', async (headers, refused) => {
    const route = worldOf({ origins: ['https://app.example'] }).instance(['Hello'])
    const request = new Request('https://a.example/api/chat', {
      method: 'POST',
      headers: say('Hi').headers,
      body: await say('Hi').text(),
    })
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    const response = await route(request)
    expect(response.ok ? null : await refusalOf(response)).toEqual(refused)
    if (!refused) await response.text()
  })

  it('lets no page of another site stop an answer', async () => {
    const route = worldOf().instance([])
    const stop = (headers: object) =>
      route(
        new Request('https://a.example/api/chat/c/stream', {
          method: 'DELETE',
          headers: { 'x-user': 'ann', ...headers },
        }),
      )
    expect(await refusalOf(await stop({ origin: 'https://evil.example' }))).toEqual([403, 'foreign_origin'])
    expect(await refusalOf(await stop({}))).toEqual([404, 'not_found'])
  })

  it('refuses a file before the run, and says so', async () => {
    const route = worldOf().instance([])
    const content = [{ type: 'image_url', image_url: { url: 'https://10.0.0.1/a.png' } }]
    const response = await route(post({ id: 'chat', messageId: 'm1', content }))
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({
      code: 'model_validation',
      message: 'content[0]: the address of a file is not allowed: "https://10.0.0.1/a.png".',
    })
  })

  it.each([
    ['no JSON', '{"id":'],
    ['null', null],
    ['no id', { content: 'Hi' }],
    ['an id that is not a string', { id: { toString: 'x' }, content: 'Hi' }],
    ['an empty id', { id: '', content: 'Hi' }],
    ...['stream', '.', '..'].map((id): [string, object] => [
      `the id "${id}", which has no address`,
      { id, content: 'Hi' },
    ]),
    ['a long id', { id: 'x'.repeat(1001), content: 'Hi' }],
    ['no content', { id: 'c' }],
    ['content that is an object', { id: 'c', content: {} }],
    ['decisions that are no array', { id: 'c', taskId: 't', decisions: {} }],
    ['a task without decisions', { id: 'c', taskId: 't', content: 'Hi' }],
  ])('refuses a body with %s', async (_, body) => {
    const route = worldOf().instance([])
    expect(await refusalOf(await route(post(body)))).toEqual([400, 'model_validation'])
  })

  it('refuses a body that is too long', async () => {
    const route = worldOf({ maxBodyBytes: 1999 }).instance([])
    const body = { id: 'c', content: 'x'.repeat(2000) }
    expect(await refusalOf(await route(post(body)))).toEqual([413, 'body_too_large'])
  })

  it('refuses what its protocol refuses, and throws its other errors', async () => {
    const options = { agent: {}, user: () => 'ann', chatStore: new SimpleChatStore() }
    const throwing = (error: Error) => {
      const read = () => {
        throw error
      }
      return chatRoute({ ...options, agent: (() => {}) as never }, { ...jsonLines, read })(post({}))
    }
    expect(await refusalOf(await throwing(new ConfigurationError('no text')))).toEqual([400, 'configuration'])
    await expect(throwing(new TypeError('a bug'))).rejects.toThrow('a bug')
  })

  it('names the handler in errors of its options', () => {
    const named: ChatProtocol = { ...jsonLines, name: 'myHandler' }
    expect(() => chatRoute({} as never, named)).toThrow(/^myHandler\.agent/)
    expect(() => chatRoute({} as never, jsonLines)).toThrow(/^chatRoute\.agent/)
  })

  it('answers with the headers of its protocol, by default with server-sent events', async () => {
    const response = await worldOf().instance(['Hi.'])(say('Hi'))
    expect(response.headers.get('content-type')).toBe('application/jsonl')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const { headers: _, ...plain } = jsonLines
    const other = new World((given) => chatRoute(given, plain)).instance(['Hi.'])
    expect((await other(say('Hi'))).headers.get('content-type')).toBe('text/event-stream')
  })

  it('keeps chats under their key, and nothing of the client in the messages', async () => {
    expect(chatKey('ann', 'chat')).toBe('7de54a97ead7d7c2825bde028b7e1e20561a9f86210b26ac1b695a4f871bc90c')
    const world = worldOf()
    await eventsOf(await world.instance(['Hello.'])(say('Hi')))
    const [stored] = world.chatStore.getMessages(chatKey('ann', 'chat'))
    expect(stored?.additionalKwargs).toEqual({})
    expect(await loadTurns(world.chatStore, 'ann', 'chat')).toMatchObject([{ message: 'm1', state: 'done' }])
  })

  it.each(['__proto__', '../../etc/passwd', 'a\u0000b', 'ann","1', '💥', ' '])(
    'keeps a chat with the id %j apart',
    async (id) => {
      const world = worldOf()
      const route = world.instance(['1', '2'])
      await eventsOf(await route(post({ id, content: 'Hi' })))
      await eventsOf(await route(post({ id: 'other', content: 'Hi' })))
      expect(world.request(0, 1)).toEqual(['user: Hi'])
      expect(world.chatStore.getMessages(chatKey('ann', id)).map(String)).toEqual(['user: Hi', 'assistant: 1'])
    },
  )

  it('has keys that differ for users and chats with the same characters', () => {
    expect(chatKey('a', 'b,c')).not.toBe(chatKey('a,b', 'c'))
  })

  it('removes nothing because a client does not show it, only what an edit replaces', async () => {
    const world = worldOf()
    const route = world.instance(['1', '2', '3', '4', '5', '6'])
    const stored = async () => (await loadChat(world.chatStore, 'ann', 'chat')).map(String)
    const first = ['user: a', 'assistant: 1', 'user: b', 'assistant: 2']
    for (const text of ['a', 'b']) await eventsOf(await route(say(text, text)))
    await eventsOf(await route(say('c', 'c', { shown: ['a', 'c'] })))
    expect(await stored()).toEqual([...first, 'user: c', 'assistant: 3'])
    // Another answer, of a client that does not know what follows.
    await eventsOf(await route(say('b', 'b', { asks: 'again' })))
    expect(await stored()).toEqual([...first.slice(0, 3), 'assistant: 4', 'user: c', 'assistant: 3'])
    await eventsOf(await route(say('b', 'b', { asks: 'again', discardsRest: true })))
    expect(await stored()).toEqual([...first.slice(0, 3), 'assistant: 5'])
    await eventsOf(await route(say('A', 'a')))
    expect(await stored()).toEqual(['user: A', 'assistant: 6'])
  })

  it('refuses files with other addresses, before the model is asked', async () => {
    const world = worldOf()
    const url = 'http://169.254.169.254/'
    for (const part of [
      { type: 'image_url', image_url: { url } },
      { type: 'file', file: { url, media_type: 'text/plain' } },
    ]) {
      const response = await world.instance([])(post({ id: 'c', content: [part] }))
      expect(await refusalOf(response)).toEqual([400, 'model_validation'])
    }
    expect(world.llms.flatMap(({ calls }) => calls)).toEqual([])
  })

  it('asks about files with their media types', async () => {
    const files: object[] = []
    const route = worldOf({ allowFile: (file: object) => files.push(file) < 9 }).instance(['A cat.'])
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image_url', image_url: { url: 'https://a.example/b' } },
      { type: 'file', file: { url: 'https://a.example/c', media_type: 'text/csv', filename: 'c.csv' } },
    ]
    expect(textOf(await eventsOf(await route(post({ id: 'c', content }))))).toBe('A cat.')
    expect(files).toEqual([
      { url: 'data:image/png;base64,AAAA', mediaType: 'image/png' },
      { url: 'https://a.example/b', mediaType: 'image/*' },
      { url: 'https://a.example/c', mediaType: 'text/csv', filename: 'c.csv' },
    ])
  })

  it.each([
    ['in this process', () => undefined, 'one'],
    ['in memory', () => memoryChatStreams(), 'one'],
    ['in a store', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 }), 'two'],
  ])('refuses a second run of a chat at the same time: streams %s', async (_, create, instances) => {
    const world = worldOf({ streams: create() })
    const slow = slowModel()
    const route = world.instanceOf(slow.llm)
    const other = instances === 'two' ? world.instance([]) : route
    const first = await route(say('Hi'))
    expect(await refusalOf(await other(say('Hi')))).toEqual([409, 'conversation_busy'])
    slow.release()
    expect(textOf(await eventsOf(first))).toBe('Once upon a time.')
    await expect.poll(async () => (await route(say('And?', 'm2'))).status).toBe(200)
  })

  it('takes the next message as soon as the answer has ended', async () => {
    const streams = storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 4000 })
    const route = worldOf({ streams }).instance(['1', '2', '3'])
    for (const text of ['1', '2', '3']) expect(textOf(await eventsOf(await route(say(text, text))))).toBe(text)
  })

  it.each([
    ['this', () => memoryChatStreams()],
    ['another', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })],
  ])('stops a run by DELETE at %s instance', async (_, create) => {
    const world = worldOf({ streams: create() })
    const slow = slowModel()
    const response = await world.instanceOf(slow.llm)(post({ id: 'a/b', content: 'Hi' }))
    const stop = (user: string) => at(world.instance([]), 'DELETE', encodeURIComponent('a/b'), user)
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await stop('bob')
    expect((await stop('ann')).status).toBe(204)
    expect(last(await eventsOf(response), 'error')).toBeDefined()
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
  })

  it('ends the stream of a process that has ended with an error, after which the message may be sent again', async () => {
    const values = new InMemoryKeyValueStore()
    const route = worldOf({ streams: storedChatStreams(values, { pollMs: 10, deadAfterMs: 40 }) }).instance([])
    await values.put(chatKey('ann', 'chat'), { run: 'r', count: 0, isEnded: false, at: Date.now() }, 'chat_streams')
    const events = await eventsOf(await at(route, 'GET'))
    expect(events).toMatchObject([{ type: 'error', error: { code: 'interrupted', retryable: true } }])
  })

  it('deletes the stream of a chat that is deleted, also if its process has just ended', async () => {
    const values = new InMemoryKeyValueStore()
    const world = worldOf({ streams: storedChatStreams(values, { pollMs: 10, deadAfterMs: 40 }) })
    const route = world.instance([])
    const messages = [new ChatMessage({ content: 'Hi' })]
    await turnsIn(world.chatStore).begin(chatKey('ann', 'chat'), undefined, () => [
      { id: 't', task: 't', state: 'open', messages },
    ])
    const head = { run: 'r', count: 1, isEnded: false, at: Date.now() }
    await values.put(chatKey('ann', 'chat'), head, 'chat_streams')
    await values.put('r/0', { pieces: ['half'] }, 'chat_streams')
    const headers = { 'x-user': 'ann' }
    const deleted = await route(new Request('https://chat.example/api/chat/chat', { method: 'DELETE', headers }))
    expect(deleted.status).toBe(204)
    expect(await values.getAll('chat_streams')).toEqual({})
  })

  it.each(['before', 'after'])('is free when its client leaves %s the response, which nobody reads', async (when) => {
    const route = worldOf().instance([Array(40).fill('long '), 'Hello.'])
    const leaving = new AbortController()
    const answering = route(new Request(say('Hi'), { signal: leaving.signal }))
    if (when === 'after') await answering.then(() => pause(20))
    leaving.abort()
    await answering
    await expect.poll(async () => (await route(say('Hi', 'm2'))).status).toBe(200)
  })

  it('stops the model when its reader leaves', async () => {
    const slow = slowModel()
    const world = worldOf()
    const response = await world.instanceOf(slow.llm)(say('Hi'))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await response.body!.cancel()
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
    // A run that goes on writes the conversation now.
    await pause(50)
    const [question, ...said] = world.chatStore.getMessages(chatKey('ann', 'chat')).map(String)
    expect(question).toBe('user: Hi')
    // What the model said before its reader left.
    expect(['', 'assistant: Once ']).toContain(said.join())
    expect(await loadTurns(world.chatStore, 'ann', 'chat')).toMatchObject([{ state: 'stopped', message: 'm1' }])
  })

  it.each([
    ['this', () => memoryChatStreams()],
    ['another', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })],
  ])('goes on with streams when its reader leaves, and shows the answer at %s instance', async (which, create) => {
    const slow = slowModel()
    const world = worldOf({ streams: create() })
    const first = world.instanceOf(slow.llm)
    const route = which === 'this' ? first : world.instance([])
    const response = await first(say('Hi'))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await response.body!.cancel()
    expect((await at(route, 'GET', 'chat', 'bob')).status).toBe(204)
    const back = await at(route, 'GET')
    expect(back.headers.get('content-type')).toBe('application/jsonl')
    slow.release()
    expect(textOf(await eventsOf(back))).toBe('Once upon a time.')
    const stored = () => world.chatStore.getMessages(chatKey('ann', 'chat')).map(String)
    await expect.poll(stored).toEqual(['user: Hi', 'assistant: Once upon a time.'])
    await expect.poll(async () => (await at(route, 'GET')).status).toBe(204)
  })

  it('reads the model only as fast as the reader reads', async () => {
    let sent = 0
    async function* endless() {
      for (;;) yield `${sent++} `
    }
    const route = worldOf().instanceOf(new StreamingModel(endless()))
    const reader = (await route(say('Count.'))).body!.getReader()
    await reader.read()
    await pause(50)
    const [before] = [sent]
    await pause(50)
    expect(sent - before).toBeLessThan(3)
    await reader.cancel()
  })

  it('stops a silent model when the reader leaves', async () => {
    const llm = new ScriptedLLM({ answers: [['Once ', new Promise(() => {})]], metadata })
    const route = worldOf().instanceOf(llm)
    const reader = (await route(say('Hi'))).body!.getReader()
    await reader.read()
    await expect.poll(() => llm.signals[0]?.aborted).toBe(false)
    await reader.cancel()
    await expect.poll(() => llm.signals[0]?.aborted).toBe(true)
  })

  it('gives the work that goes on to the platform', async () => {
    const works: Promise<void>[] = []
    const world = worldOf({
      streams: memoryChatStreams(),
      waitUntil: (work: Promise<void>) => works.push(work),
    })
    const response = await world.instance(['Done.'])(say('Hi'))
    await response.body?.cancel()
    await Promise.all(works)
    expect(world.chatStore.getMessages(chatKey('ann', 'chat')).map(String)).toEqual(['user: Hi', 'assistant: Done.'])
  })

  it('asks for an agent and the options of a run per chat, with what the client sent', async () => {
    const seen: unknown[] = []
    const llm = new ScriptedLLM({ answers: [callTurn(null), 'Hello.'], metadata })
    const tool = FunctionTool.fromDefaults({
      name: 'buy',
      schema: { type: 'object' },
      fn: (_, { context }) => `from ${(context as { seller: string }).seller}`,
    })
    const protocol: ChatProtocol<{ page: string }> = {
      ...jsonLines,
      read: (body) => ({ ...(body as { id: string; content: string }), sent: { page: 'pears' } }),
      async *lines(events, { page, user }) {
        for await (const event of events)
          yield `${event.type} ${page} ${user} ${event.type === 'tool_result' ? String(event.output) : ''}\n`
      },
      withoutBody: () => ({ page: 'none' }),
    }
    const handle = chatRoute(
      {
        agent: ({ user, id, page }) => {
          seen.push([user, id, page])
          return FunctionCallingAgent.fromTools<{ seller: string }>({ llm, tools: [tool] })
        },
        user: async () => 'ann',
        chatStore: new SimpleChatStore(),
        run: async ({ page }) => ({ context: { seller: page } }),
      },
      protocol,
    )
    const text = await (await handle(post({ id: 'c', content: 'Hi' }))).text()
    expect(text).toContain('task_end pears ann')
    expect(text).toContain('tool_result pears ann from pears')
    await at(handle, 'GET', 'c')
    expect(seen).toEqual([
      ['ann', 'c', 'pears'],
      ['ann', 'c', 'none'],
    ])
  })

  it('passes the result of a call that waits for one, and not its approval', async () => {
    const llm = new ScriptedLLM({ answers: [callTurn(null), 'I see.'], metadata })
    const tool = FunctionTool.external({ name: 'buy', description: 'Buys.', schema: { type: 'object' } })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool], taskStore: journal(new MemoryTaskStore()) })
    const route = worldOf({ agent }).instance([])
    const { taskId } = last(await eventsOf(await route(say('Buy a pear.'))), 'approval_required')!
    const decide = async (decision: object) =>
      eventsOf(await route(post({ id: 'chat', taskId, decisions: [{ callId: 'c1', ...decision }] })))
    expect(last(await decide({ type: 'approve' }), 'task_end')).toBeUndefined()
    expect(textOf(await decide({ type: 'result', result: 'bought' }))).toBe('I see.')
    expect(llm.calls[1]?.messages?.at(-1)?.['content']).toBe('bought')
  })

  it('reports an agent that cannot be made as an event, without its text', async () => {
    const agent = () => {
      throw new Error('secret')
    }
    const handle = chatRoute({ agent, user: () => 'ann', chatStore: new SimpleChatStore() }, jsonLines)
    for (const messageId of ['m1', 'm2']) {
      const events = await eventsOf(await handle(say('Hi', messageId)))
      expect(events).toMatchObject([{ type: 'error', error: { message: 'The agent failed (unknown error).' } }])
    }
  })

  it('shows no text of errors, also of repeated calls, unless onError returns it', async () => {
    const broken = new ModelCallError('key sk-123 is slow', { kind: 'connection', retryAfterMs: 1 })
    const events = await eventsOf(await worldOf().instance([['It', broken], new Error('key sk-123')])(say('Hi')))
    expect(last(events, 'turn_restarted')?.error.code).toBe('model_call')
    expect(last(events, 'error')?.error.message).toBe('The agent failed (unknown error).')
    expect(JSON.stringify(events)).not.toContain('sk-123')
    const shown: unknown[] = []
    const onError = ({ message }: Error) => `Sorry: ${shown.push(message)}`
    const route = worldOf({ onError }).instance([['It', broken], new Error('no')])
    expect(last(await eventsOf(await route(say('Hi'))), 'error')?.error.message).toBe('Sorry: 1')
    expect(shown).toEqual(['no'])
  })

  it('logs each failure once with its chat, and no stop, which has no text of onError either', async () => {
    const logged: unknown[] = []
    const texts: string[] = []
    const logError = (error: unknown, { user, id }: { user?: string; id?: string }) => logged.push([error, user, id])
    const onError = ({ code }: { code: string | null }) => String(texts.push(String(code)))
    const failing = async (_: unknown, { id }: { id: string }) => {
      throw id === 'chat' ? new Error('no title') : Object.assign(new Error('left'), { code: 'abort' })
    }
    const world = worldOf({ logError, onError, title: failing, streams: memoryChatStreams() })
    const broken = new TypeError('a bug', { cause: new Error('a socket') })
    await eventsOf(await world.instance([broken])(say('Hi')))
    await eventsOf(await world.instance(['Hi.'])(post({ id: 'other', content: 'Hi' })))
    expect(logged.toSorted()).toEqual([
      [new Error('no title'), 'ann', 'chat'],
      [broken, 'ann', 'chat'],
    ])
    expect(logged.some((entry) => (entry as unknown[])[0] === broken)).toBe(true)

    const soldOut = new Error('sold out', { cause: new Error('a shop') })
    const tool = FunctionTool.fromDefaults({
      name: 'buy',
      description: 'Buys.',
      schema: { type: 'object', properties: { fruit: { type: 'string' } } },
      fn: () => {
        throw soldOut
      },
    })
    const llm = new ScriptedLLM({ answers: [callTurn(null), 'Sorry.'], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool], taskStore: journal(world.taskStore) })
    const options = { agent, chatStore: world.chatStore, user: () => 'ann', logError }
    logged.length = 0
    await eventsOf(await chatRoute(options, jsonLines)(say('Buy!', 'm2')))
    expect(logged).toEqual([[expect.any(ToolkitError), 'ann', 'chat']])
    const [[failed]] = logged as [[Error]]
    expect(failed).toMatchObject({ code: 'tool_execution', message: expect.stringMatching(/^Tool "buy": .*sold out/) })
    expect(failed.cause).toBe(soldOut)

    logged.length = 0
    texts.length = 0
    const silent = world.instanceOf(new ScriptedLLM({ answers: [['Once ', new Promise(() => {})]], metadata }))
    const response = await silent(say('Tell!', 'm3'))
    expect((await at(silent, 'DELETE')).status).toBe(204)
    expect(last(await eventsOf(response), 'error')?.error).toMatchObject({ code: 'abort' })
    expect([logged, texts]).toEqual([[], []])
  })

  it('answers a request that fails with status 500 if its errors are logged, and rejects otherwise', async () => {
    const locked = new Error('the database is locked')
    class Locked extends SimpleChatStore {
      override addMessage(): never {
        throw locked
      }
    }
    const logged: unknown[] = []
    const of = (options: object) =>
      chatRoute(
        {
          agent: worldOf().agentOf(new ScriptedLLM({ answers: [], metadata })),
          user: () => 'ann',
          chatStore: new Locked(),
          ...options,
        },
        jsonLines,
      )
    const request = say('Hi')
    await expect(of({})(request.clone())).rejects.toBe(locked)
    const logError = (error: unknown, chat: object) => {
      logged.push(error, chat)
      throw new Error('no log')
    }
    expect(await refusalOf(await of({ logError })(request))).toEqual([500, null])
    expect(logged).toEqual([locked, { request, user: 'ann', id: 'chat' }])
  })

  it('logs a request that fails with what is known of its chat', async () => {
    const down = new Error('down')
    const fail = () => {
      throw down
    }
    const logged: unknown[] = []
    const world = worldOf()
    const agent = world.agentOf(new ScriptedLLM({ answers: [], metadata }))
    const of = (options: object) =>
      chatRoute(
        {
          agent,
          user: () => 'ann',
          chatStore: world.chatStore,
          logError: (_, known) => logged.push(known),
          ...options,
        },
        jsonLines,
      )
    const unread = new Request('https://a.example/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream({ pull: fail }),
      duplex: 'half',
    } as RequestInit)
    const chat = { user: 'ann', id: 'chat' }
    for (const [options, request, known] of [
      [{ user: fail }, say('Hi'), {}],
      [{}, unread, { user: 'ann' }],
      [{ agent: fail }, new Request('https://a.example/chat/chat/stream'), chat],
      [{ agent: fail }, new Request('https://a.example/chat/chat', { method: 'DELETE' }), chat],
    ] as const) {
      expect((await of(options)(request)).status).toBe(500)
      expect(logged.splice(0)).toEqual([{ ...known, request }])
    }
  })
})

describe.each([
  ['an agent', World],
  ['durable tasks', TasksWorld],
])('decisions in a chat of %s', (_, Made) => {
  /** A chat whose task waits for the approval of a call. */
  async function waiting(...answers: string[]) {
    const world = worldOf({}, true, Made)
    const route = world.instance([callTurn('Shall I?'), ...answers])
    const asked = last(await eventsOf(await route(say('Buy a pear.'))), 'approval_required')!
    const decide = (decision: object, { user = 'ann', id = 'chat' } = {}) =>
      route(post({ id, taskId: asked.taskId, decisions: [{ callId: 'c1', ...decision }] }, user))
    return { world, route, asked, decide }
  }

  it.each([
    ['approves', { type: 'approve' }, ['pear']],
    ['rejects', { type: 'reject', reason: 'too dear' }, []],
    ['approves with other arguments', { type: 'edit', arguments: { fruit: 'plum' } }, ['plum']],
  ])('%s a call, which is not shown again', async (_, decision, bought) => {
    const { world, decide } = await waiting('As you wish.')
    const events = await eventsOf(await decide(decision))
    expect(textOf(events)).toBe('As you wish.')
    expect(world.bought).toEqual(bought)
    expect(last(events, 'tool_call')).toBeUndefined()
    expect(last(events, 'tool_result')?.callId).toBe('c1')
  })

  it('skips a result for a call that waits for approval, and decisions about others', async () => {
    const { world, decide } = await waiting('Never.')
    await eventsOf(await decide({ type: 'result', result: 'bought' }))
    await eventsOf(await decide({ type: 'approve', callId: 'c2' }))
    await eventsOf(await decide({ type: 'unknown' }))
    expect(world.bought).toEqual([])
    expect(world.llms[0]!.calls).toHaveLength(1)
  })

  it('are refused about a task of another chat or user', async () => {
    const { world, decide } = await waiting('Never.')
    for (const other of [{ user: 'bob' }, { id: 'other' }]) {
      expect(await refusalOf(await decide({ type: 'approve' }, other))).toEqual([404, 'not_found'])
    }
    expect(world.bought).toEqual([])
  })

  it('are in the journal with the user, whoever the client names', async () => {
    const { world, asked, decide } = await waiting('As you wish.')
    await eventsOf(await decide({ type: 'approve', by: 'the boss' }))
    const saved = JSON.stringify(world.taskStore.load(asked.taskId))
    expect(saved).toContain('"by":"ann"')
    expect(saved).not.toContain('the boss')
  })
})
