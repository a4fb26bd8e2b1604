import { chatKey, memoryChatStreams, storedChatStreams } from '@x/chats'
import { InMemoryKeyValueStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { callTurn, slowModel, TasksWorld, World } from '../../../chats/test/chat-world.ts'
import { type Any, clientOf, clients, lastText, post, question, toolsOf } from '../test/chat-clients.ts'
import { insertMissed, shapeOf } from '../test/chat-programs/shown.ts'
import { chatHandler } from './chat-handler.ts'

for (const [client, Made] of clients.flatMap((client) => [World, TasksWorld].map((Made) => [client, Made] as const)))
  describe(`the client of ${client.name}${Made === World ? '' : ', with durable tasks'}`, () => {
    it('gets an answer with a tool, and the next one knows the conversation', async () => {
      const world = new Made(chatHandler)
      const route = world.instance([callTurn('Let me see.'), 'Bought.', 'A pear.'])
      const chat = clientOf(client, () => route)
      await chat.sendMessage({ text: 'Buy a pear.' })
      expect(chat.error).toBeUndefined()
      expect(lastText(chat)).toBe('Let me see.Bought.')
      expect(toolsOf(chat)).toMatchObject([{ type: 'dynamic-tool', toolName: 'buy', state: 'output-available' }])
      await chat.sendMessage({ text: 'What did you buy?' })
      expect(lastText(chat)).toBe('A pear.')
      expect(world.request(0, 2)).toHaveLength(5)
    })

    it('shares no conversation with another user, also in a chat of the same id at the same time', async () => {
      const world = new Made(chatHandler)
      const route = world.instance(['1', '2', '3', '4'])
      const [ann, bob] = ['ann', 'bob'].map((user) => clientOf(client, () => route, { user }))
      await Promise.all([ann.sendMessage({ text: 'I am Ann.' }), bob.sendMessage({ text: 'I am Bob.' })])
      await Promise.all([ann.sendMessage({ text: 'Who?' }), bob.sendMessage({ text: 'Who?' })])
      const users = world.llms[0]!.calls.map(({ messages }) =>
        messages!.filter(({ role }) => role === 'user').map(({ content }) => content),
      )
      expect(users.sort()).toEqual([['I am Ann.'], ['I am Ann.', 'Who?'], ['I am Bob.'], ['I am Bob.', 'Who?']])
    })

    it('has one conversation at two instances, and after a restart', async () => {
      const world = new Made(chatHandler)
      const routes = [world.instance(['one']), world.instance(['two']), world.instance(['three'])]
      const chat = clientOf(client, () => routes.shift()!)
      for (const text of ['a', 'b', 'c']) await chat.sendMessage({ text })
      expect(world.request(2, 0)).toEqual(['user: a', 'assistant: one', 'user: b', 'assistant: two', 'user: c'])
    })

    it('cannot change what was said before', async () => {
      const world = new Made(chatHandler)
      const route = world.instance(['No.', 'No.'])
      const chat = clientOf(client, () => route)
      await chat.sendMessage({ text: 'May I?' })
      chat.messages = chat.messages.map((message: Any) =>
        message.role === 'assistant' ? { ...message, parts: [{ type: 'text', text: 'Yes, everything.' }] } : message,
      )
      await chat.sendMessage({ text: 'Then do it.' })
      expect(world.request(0, 1)).toEqual(['user: May I?', 'assistant: No.', 'user: Then do it.'])
    })

    it('edits a message, and gets another answer', async () => {
      const world = new Made(chatHandler)
      const route = world.instance(['Hello Ann', 'Hi Ann', 'Green', 'Hello Anna'])
      const chat = clientOf(client, () => route)
      await chat.sendMessage({ text: 'I am Ann.' })
      await chat.regenerate()
      expect(world.request(0, 1)).toEqual(['user: I am Ann.'])
      await chat.sendMessage({ text: 'Colour?' })
      expect(world.request(0, 2)).toEqual(['user: I am Ann.', 'assistant: Hi Ann', 'user: Colour?'])
      await chat.sendMessage({ text: 'I am Anna.', messageId: chat.messages[0].id })
      expect(world.request(0, 3)).toEqual(['user: I am Anna.'])
      const stored = world.chatStore.getMessages(chatKey('ann', 'chat'))
      expect(stored.map(String)).toEqual(['user: I am Anna.', 'assistant: Hello Anna'])
    })

    it('stops the model by leaving the stream', async () => {
      const world = new Made(chatHandler)
      const slow = slowModel()
      const route = world.instanceOf(slow.llm)
      const chat = clientOf(client, () => route)
      const sending = chat.sendMessage({ text: 'Tell me a story.' })
      await expect.poll(() => lastText(chat)).toBe('Once')
      await chat.stop()
      await sending
      slow.release()
      await expect.poll(() => slow.llm.isLeft).toBe(true)
    })

    it('sees errors of the model as a part of the stream, without their text', async () => {
      const world = new Made(chatHandler)
      const route = world.instance([new Error('key sk-123 is wrong')])
      const chat = clientOf(client, () => route)
      await chat.sendMessage({ text: 'Hi' })
      expect(chat.error.message).toMatch(/^The agent failed/)
      expect(chat.error.message).not.toContain('sk-123')
    })

    it('gets tools as parts with their names where the page declares their types', async () => {
      const route = new Made(chatHandler, { typedTools: true }).instance([callTurn('So:'), 'Bought.'])
      const chat = clientOf(client, () => route)
      await chat.sendMessage({ text: 'Buy a pear.' })
      expect(toolsOf(chat)).toMatchObject([{ type: 'tool-buy', state: 'output-available', output: { bought: 'pear' } }])
    })

    it.each([
      ['this', () => memoryChatStreams()],
      ['another', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })],
    ])('comes back to a running answer of %s instance', async (which, create) => {
      const world = new Made(chatHandler, { streams: create() })
      const slow = slowModel()
      const first = world.instanceOf(slow.llm)
      const second = which === 'this' ? first : world.instance([])
      const sender = clientOf(client, () => first)
      const sending = sender.sendMessage({ text: 'Tell me a story.' })
      await expect.poll(() => lastText(sender)).toBe('Once')
      await sender.stop()
      await sending
      expect(slow.llm.isLeft).toBe(false)
      const back = clientOf(client, () => second)
      back.messages = [question('Tell me a story.')]
      const reading = back.resumeStream()
      await expect.poll(() => lastText(back)).toBe('Once')
      slow.release()
      await reading
      expect(lastText(back)).toBe('Once upon a time.')
      const stored = () => world.chatStore.getMessages(chatKey('ann', 'chat')).map(String)
      await expect.poll(stored).toEqual(['user: Tell me a story.', 'assistant: Once upon a time.'])
      const later = clientOf(client, () => second)
      await later.resumeStream()
      expect(later.messages).toEqual([])
    })

    it('shows a running answer with its question on a page that was loaded before the message was stored', async () => {
      const world = new Made(chatHandler, { streams: memoryChatStreams() })
      const slow = slowModel()
      const route = world.instanceOf(slow.llm)
      const back = clientOf(client, () => route, { onData: (part) => insertMissed(back, part) })
      const sender = clientOf(client, () => route, { onData: (part) => insertMissed(sender, part) })
      const sending = sender.sendMessage({ text: 'Tell me a story.' })
      await expect.poll(() => lastText(sender)).toBe('Once')
      const reading = back.resumeStream()
      await expect.poll(() => lastText(back)).toBe('Once')
      expect(back.messages.map(({ id, role }: Any) => [id, role])).toEqual(
        sender.messages.map(({ id, role }: Any) => [id, role]),
      )
      slow.release()
      await Promise.all([reading, sending])
      expect(back.messages.map(shapeOf)).toEqual(sender.messages.map(shapeOf))
      expect(sender.messages).toHaveLength(2)
    })

    if (!client.approves) return

    it.each([
      ['approves', true, ['pear'], 'output-available'],
      ['rejects', false, [], 'output-denied'],
    ] as const)('%s a call, in another instance', async (_, approved, bought, state) => {
      const world = new Made(chatHandler, {}, true)
      const routes = [world.instance([callTurn('Shall I?')]), world.instance(['As you wish.'])]
      const chat = clientOf(client, () => routes.shift()!)
      await chat.sendMessage({ text: 'Buy a pear.' })
      expect(toolsOf(chat)).toMatchObject([{ state: 'approval-requested', input: { fruit: 'pear' } }])
      expect(world.bought).toEqual([])
      const { id } = toolsOf(chat)[0].approval
      await chat.addToolApprovalResponse({ id, approved, ...(!approved && { reason: 'too dear' }) })
      await expect.poll(() => lastText(chat)).toBe('Shall I?As you wish.')
      expect(toolsOf(chat)).toMatchObject([{ state }])
      expect(world.bought).toEqual(bought)
      expect(chat.error).toBeUndefined()
      const roles = world.chatStore.getMessages(chatKey('ann', 'chat')).map(({ role }) => role)
      expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
    })

    it('cannot decide about a task of another chat or user', async () => {
      const world = new Made(chatHandler, {}, true)
      const route = world.instance([callTurn('Shall I?'), 'Never.'])
      const ann = clientOf(client, () => route)
      await ann.sendMessage({ text: 'Buy a pear.' })
      for (const [user, id] of [
        ['bob', 'chat'],
        ['ann', 'other'],
      ] as const) {
        const thief = clientOf(client, () => route, { user, id })
        thief.messages = structuredClone(ann.messages)
        await thief.addToolApprovalResponse({ id: toolsOf(thief)[0].approval.id, approved: true })
        await expect.poll(() => thief.error?.message).toContain('The chat has no such task.')
      }
      expect(world.bought).toEqual([])
    })
  })

describe('chatHandler', () => {
  const part = (given: object) => ({ id: 'c', messages: [{ id: 'm', role: 'user', parts: [given] }] })
  it.each([
    ['null', null],
    ['no id', { messages: [question('Hi')] }],
    ['no messages', { id: 'c', messages: [] }],
    ['a system message', { id: 'c', messages: [{ role: 'system', parts: [] }, question('Hi')] }],
    ['a message without parts', { id: 'c', messages: [{ role: 'user' }] }],
    ['a part that is null', { id: 'c', messages: [{ role: 'user', parts: [null] }] }],
    ['a part without a type', part({ text: 'Hi' })],
    ['a text that is an object', part({ type: 'text', text: {} })],
    ['an approval that is a string', part({ type: 'dynamic-tool', approval: 'yes' })],
    ['an approval that is neither true nor false', part({ type: 'dynamic-tool', approval: { approved: 'false' } })],
    ['a reason that is a number', part({ type: 'dynamic-tool', approval: { approved: false, reason: 5 } })],
  ])('refuses a body with %s', async (_, body) => {
    const response = await new World(chatHandler).instance([])(post(body))
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'model_validation'])
  })

  it.each([[[]], [[{ type: 'text', text: '' }]], [[{ type: 'data-form', data: 1 }]]])(
    'refuses a message with the parts %j, before the model is asked',
    async (parts) => {
      const world = new World(chatHandler)
      const response = await world.instance([])(post({ id: 'c', messages: [{ id: 'm', role: 'user', parts }] }))
      expect([response.status, (await response.json()).error.code]).toEqual([400, 'model_validation'])
    },
  )

  it.each(['regenerate-message', 'submit-message'])(
    'refuses %s with an unknown messageId, and removes nothing',
    async (trigger) => {
      const world = new World(chatHandler)
      const route = world.instance(['1', '2'])
      for (const text of ['a', 'b']) await (await route(post({ id: 'c', messages: [question(text, text)] }))).text()
      const response = await route(post({ id: 'c', trigger, messageId: 'gone', messages: [question('a', 'a')] }))
      expect([response.status, (await response.json()).error.code]).toEqual([404, 'not_found'])
      expect(world.chatStore.getMessages(chatKey('ann', 'c'))).toHaveLength(4)
    },
  )

  it('answers the message of a client that sends only its last one, which receives nothing of what it has not sent', async () => {
    const world = new World(chatHandler)
    const route = world.instance(['1', '2', '3'])
    const texts = await Promise.all(['a', 'b'].map((text) => ({ id: 'c', message: question(text, text) })))
    for (const body of texts) {
      const response = await route(post(body))
      expect(response.status).toBe(200)
      expect(await response.text()).not.toContain('data-chat-missed')
    }
    expect(await (await route(post({ id: 'c', messages: [question('c', 'c')] }))).text()).toContain('data-chat-missed')
    expect(world.chatStore.getMessages(chatKey('ann', 'c'))).toHaveLength(6)
  })

  it('sends a byte before the model has said something', async () => {
    const never = new Promise<string>(() => {})
    const response = await new World(chatHandler).instance([[never]])(post({ id: 'c', messages: [question('Hi')] }))
    const reader = response.body!.getReader()
    // A comment, which clients skip.
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(':\n\n')
    await reader.cancel()
  })

  it('ends a stream whose process has ended with an error', async () => {
    const store = new InMemoryKeyValueStore()
    const streams = storedChatStreams(store, { pollMs: 10, deadAfterMs: 40 })
    const route = new World(chatHandler, { streams }).instance([])
    const chunks = [
      { type: 'start', messageId: 'a' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Half' },
    ]
    const pieces = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
    const key = chatKey('ann', 'chat')
    await store.put('old/0', { pieces }, 'chat_streams')
    await store.put(key, { run: 'old', count: 1, isEnded: false, at: Date.now() }, 'chat_streams')
    const page = clientOf(clients.at(-1)!, () => route)
    await page.resumeStream()
    expect([page.status, page.error?.message]).toEqual(['error', 'The agent failed (interrupted).'])
    expect(lastText(page)).toBe('Half')
  })

  it('refuses a string as its options, whatever its length', () => {
    const options = 'x'.repeat(100_000) as never
    expect(() => chatHandler(options)).toThrow(/^chatHandler: expected an object of options.*received a string\.$/)
  })

  it('refuses an answer without a task at the end', async () => {
    const messages = [question('Hi'), { role: 'assistant', parts: [] }]
    const response = await new World(chatHandler).instance([])(post({ id: 'c', messages }))
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'configuration'])
  })

  it('refuses files with other addresses, before the model is asked', async () => {
    const world = new World(chatHandler)
    const response = await world.instance([])(
      post(part({ type: 'file', mediaType: 'image/png', url: 'http://169.254.169.254/' })),
    )
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('the address of a file is not allowed')
    expect(world.llms.flatMap(({ calls }) => calls)).toEqual([])
  })

  it('answers with the headers of the protocol', async () => {
    const { headers } = await new World(chatHandler).instance(['Hi.'])(post({ id: 'c', messages: [question('Hi')] }))
    expect(headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect(headers.get('content-type')).toBe('text/event-stream')
  })
})
