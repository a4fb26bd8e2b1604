import type { LLM } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { afterEach, describe, expect, it } from 'vitest'
import { clientOf, clients, lastText, post, question, toolsOf } from '../test/chat-clients.ts'
import { callTurn, EngineWorld, metadata, type Route, slowModel } from '../test/chat-world.ts'
import { agUiHandler } from './ag-ui-handler.ts'
import { chatHandler } from './chat-handler.ts'
import { chatKey, loadChat } from './chat-route.ts'
import { memoryChatStreams, storedChatStreams } from './chat-streams.ts'

const worlds: EngineWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop()
})

/** Starts an engine with this model. */
async function started(
  llm: LLM,
  handler: ConstructorParameters<typeof EngineWorld>[0] = chatHandler,
  options: ConstructorParameters<typeof EngineWorld>[1] = {},
  needsApproval = false,
): Promise<EngineWorld> {
  const world = new EngineWorld(handler, options, needsApproval)
  worlds.push(world)
  await world.start(llm)
  return world
}

const scripted = (...answers: ScriptedAnswer[]) => new ScriptedLLM({ answers, metadata })
const story = question('Tell me a story.')
const storedOf = (world: EngineWorld) => world.chatStore.getMessages(chatKey('ann', 'chat')).map(String)
const shownOf = async (world: EngineWorld) => (await loadChat(world.chatStore, 'ann', 'chat')).map(String)
const whole = ['user: Tell me a story.', 'assistant: Once upon a time.']

describe.each(clients)('the client of $name, whose server ends while a task runs', (client) => {
  /** A chat whose server ended in the middle of an answer. */
  async function interrupted() {
    const slow = slowModel()
    const world = await started(slow.llm)
    const first = world.web()
    const sender = clientOf(client, () => first.route)
    const sending = sender.sendMessage({ ...story, messageId: undefined })
    await expect.poll(() => lastText(sender)).toBe('Once ')
    first.end()
    await sending
    expect(sender.error?.message).toBe('network error')
    return { world, slow, sender }
  }

  it('comes back to the answer from its beginning', async () => {
    const { world, slow } = await interrupted()
    expect(storedOf(world)).toEqual([])
    expect(await shownOf(world)).toEqual(['user: Tell me a story.'])
    const second = world.web()
    const back = clientOf(client, () => second.route)
    back.messages = [story]
    const reading = back.resumeStream()
    await expect.poll(() => lastText(back)).toBe('Once ')
    slow.release()
    await reading
    expect(back.error).toBeUndefined()
    expect(lastText(back)).toBe('Once upon a time.')
    await expect.poll(() => storedOf(world)).toEqual(whole)
    expect(await shownOf(world)).toEqual(whole)
    const later = clientOf(client, () => second.route)
    await later.resumeStream()
    expect(later.messages).toEqual([])
  })

  it('joins the task by sending the message again', async () => {
    const { world, slow, sender } = await interrupted()
    const second = world.web()
    const again = clientOf(client, () => second.route)
    again.messages = structuredClone(sender.messages)
    const reading = again.regenerate()
    await expect.poll(() => lastText(again)).toBe('Once ')
    slow.release()
    await reading
    expect(again.error).toBeUndefined()
    expect(lastText(again)).toBe('Once upon a time.')
    await expect.poll(() => storedOf(world)).toEqual(whole)
    expect(slow.llm.count).toBe(1)
  })

  it('gets another answer when the task has ended', async () => {
    const llm = scripted('One.', 'Two.', 'Three.')
    const world = await started(llm)
    const chat = clientOf(client, () => world.web().route)
    await chat.sendMessage({ text: 'Count.' })
    await chat.regenerate()
    await chat.sendMessage({ text: 'Go on.' })
    expect(lastText(chat)).toBe('Three.')
    expect(storedOf(world)).toEqual(['user: Count.', 'assistant: Two.', 'user: Go on.', 'assistant: Three.'])
  })

  if (!client.approves) return

  it('sees the question for an approval again, and decides', async () => {
    const world = await started(scripted(callTurn('Shall I?'), 'As you wish.'), chatHandler, {}, true)
    const first = world.web()
    const sender = clientOf(client, () => first.route)
    await sender.sendMessage({ ...question('Buy a pear.'), messageId: undefined })
    const second = world.web()
    const back = clientOf(client, () => second.route)
    back.messages = [question('Buy a pear.')]
    await back.resumeStream()
    expect(lastText(back)).toBe('Shall I?')
    expect(toolsOf(back)).toMatchObject([{ state: 'approval-requested', input: { fruit: 'pear' } }])
    await back.addToolApprovalResponse({ id: toolsOf(back)[0].approval.id, approved: true })
    await expect.poll(() => lastText(back)).toBe('Shall I?As you wish.')
    expect(world.bought).toEqual(['pear'])
  })
})

describe('a route with durable tasks', () => {
  const body = { id: 'chat', messages: [story] }
  const at = (route: Route, method: string, user = 'ann') =>
    route(new Request('https://a.example/api/chat/chat/stream', { method, headers: { 'x-user': user } }))
  const answered = async (slow: ReturnType<typeof slowModel>, responses: Response[]) => {
    slow.release()
    const texts = await Promise.all(responses.map((response) => response.text()))
    for (const text of texts) expect(text).toContain('upon a time.')
  }

  it.each([
    ['no streams', () => undefined],
    ['streams in memory', () => memoryChatStreams()],
    ['streams in a store', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })],
  ])('makes one task of a message that several instances get at once: %s', async (_, create) => {
    const slow = slowModel()
    const world = await started(slow.llm, chatHandler, { streams: create() })
    const routes = [world.web().route, world.web().route]
    const responses = await Promise.all([...routes, routes[0]!].map((route) => route(post(body))))
    const busy = responses.filter(({ status }) => status === 409)
    // With a lock that both share, one that comes at the same moment is refused, and may be sent again.
    const again = await Promise.all(busy.map(() => routes[1]!(post(body))))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await answered(slow, [...responses.filter(({ status }) => status === 200), ...again])
    await expect.poll(() => storedOf(world)).toEqual(whole)
    expect(slow.llm.count).toBe(1)
  })

  it('refuses another message while a task goes on in any process', async () => {
    const slow = slowModel()
    const world = await started(slow.llm)
    const first = await world.web().route(post(body))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    for (const other of [question('A short one.', 'm2'), question('A short one.')]) {
      const response = await world.web().route(post({ id: 'chat', messages: [other] }))
      expect([response.status, (await response.json()).error.code]).toEqual([409, 'conversation_busy'])
    }
    await answered(slow, [first])
  })

  it('shows and stops a task of the same user only', async () => {
    const slow = slowModel()
    const world = await started(slow.llm)
    const first = await world.web().route(post(body))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    const { route } = world.web()
    expect((await at(route, 'GET', 'bob')).status).toBe(204)
    expect((await at(route, 'DELETE', 'bob')).status).toBe(204)
    expect((await at(route, 'GET')).status).toBe(200)
    expect((await at(route, 'DELETE')).status).toBe(204)
    expect(await first.text()).toContain('"type":"error"')
    expect((await at(route, 'GET')).status).toBe(204)
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
  })

  it('takes a decision while the stream of a process that has ended is not over', async () => {
    const streams = storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })
    const world = await started(scripted(callTurn('Shall I?'), 'As you wish.'), chatHandler, { streams }, true)
    const text = await (await world.web().route(post(body))).text()
    const { taskId } = JSON.parse(text.slice('data: '.length, text.indexOf('\n'))).messageMetadata
    let left = await streams.begin(chatKey('ann', 'chat'))
    await expect.poll(async () => (left ??= await streams.begin(chatKey('ann', 'chat')))).not.toBeNull()
    const part = { type: 'dynamic-tool', toolCallId: 'c1', state: 'approval-responded', approval: { approved: true } }
    const decided = { role: 'assistant', metadata: { taskId }, parts: [part] }
    const response = await world.web().route(post({ id: 'chat', messages: [story, decided] }))
    expect(await response.text()).toContain('As you wish.')
    expect(world.bought).toEqual(['pear'])
    await left?.finish()
  })

  it('takes a new message while the task of an earlier one waits', async () => {
    const world = await started(scripted(callTurn('Shall I?'), 'Hello.'), chatHandler, {}, true)
    await (await world.web().route(post(body))).text()
    const response = await world.web().route(post({ id: 'chat', messages: [story, question('Hi', 'm2')] }))
    expect(await response.text()).toContain('Hello.')
  })

  it('submits the message again if its process ended just before', async () => {
    const world = await started(scripted('Done.'))
    const tasks = world.tasks()
    const broken = Object.assign(tasks, { submit: () => Promise.reject(new Error('power cut')) })
    expect(await (await world.webOf(broken)(post(body))).text()).toContain('"type":"error"')
    const [noted] = world.chatStore.getMessages(`${chatKey('ann', 'chat')}.task`)
    expect(await (await world.web().route(post(body))).text()).toContain('Done.')
    expect(await world.tasks().status(String(noted?.additionalKwargs['task_id']))).toBe('finished')
  })

  it('serves clients of AG-UI the same way', async () => {
    const slow = slowModel()
    const world = await started(slow.llm, agUiHandler as never)
    const messages = [{ id: 'm1', role: 'user', content: 'Tell me a story.' }]
    const send = () => world.web().route(post({ threadId: 'chat', runId: 'r', messages }))
    const first = await send()
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    const [again, back] = [await send(), await at(world.web().route, 'GET')]
    await answered(slow, [first, again, back])
    expect(slow.llm.count).toBe(1)
  })
})
