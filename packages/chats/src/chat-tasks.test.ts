import { ChatMessage } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { shownTurn } from '@x/core-model/memory'
import { UnsupportedOperationError } from '@x/durable'
import type { LLM } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { InMemoryKeyValueStore } from '@x/storage'
import { afterEach, describe, expect, it } from 'vitest'
import { callTurn, EngineWorld, metadata, slowModel } from '../test/chat-world.ts'
import { at, eventsOf, jsonLines, post, refusalOf, textOf } from '../test/json-lines.ts'
import { chatRoute } from './chat-route.ts'
import { memoryChatStreams, storedChatStreams } from './chat-streams.ts'
import { chatKey, loadChat, loadTurns } from './user-chats.ts'

const worlds: EngineWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop()
})

/** Starts an engine with this model. */
async function started(llm: LLM, options: object = {}, needsApproval = false): Promise<EngineWorld> {
  const world = new EngineWorld((given) => chatRoute(given, jsonLines), options, needsApproval)
  worlds.push(world)
  await world.start(llm)
  return world
}

const scripted = (...answers: ScriptedAnswer[]) => new ScriptedLLM({ answers, metadata })
const say = (content: string, messageId = 'm1') => post({ id: 'chat', content, messageId })
const story = () => say('Tell me a story.')
const key = chatKey('ann', 'chat')
const storedOf = (world: EngineWorld) => world.chatStore.getMessages(key).map(String)
const notedOf = (world: EngineWorld) =>
  String(JSON.parse(String(world.chatStore.getMessages(`${key}.turns`)[0]?.content ?? '{}')).task)
const whole = ['user: Tell me a story.', 'assistant: Once upon a time.']

describe('a route with durable tasks', () => {
  const answered = async (slow: ReturnType<typeof slowModel>, responses: Response[]) => {
    slow.release()
    const answers = await Promise.all(responses.map(eventsOf))
    for (const events of answers) expect(textOf(events)).toBe('Once upon a time.')
  }

  it.each([
    ['no streams', () => undefined],
    ['streams in memory', () => memoryChatStreams()],
    ['streams in a store', () => storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })],
  ])('makes one task of a message that several instances get at once: %s', async (_, create) => {
    const slow = slowModel()
    const world = await started(slow.llm, { streams: create() })
    const routes = [world.web().route, world.web().route]
    const responses = await Promise.all([...routes, routes[0]!].map((route) => route(story())))
    const busy = responses.filter(({ status }) => status === 409)
    // With a lock that both share, one that comes at the same moment is refused, and may be sent again.
    const again = await Promise.all(busy.map(() => routes[1]!(story())))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await answered(slow, [...responses.filter(({ status }) => status === 200), ...again])
    await expect.poll(() => storedOf(world)).toEqual(whole)
    expect(slow.llm.count).toBe(1)
  })

  it('goes on when its request is aborted, with streams and without', async () => {
    for (const streams of [memoryChatStreams(), undefined]) {
      const slow = slowModel()
      const world = await started(slow.llm, { streams })
      const leaving = new AbortController()
      const request = new Request(story(), { signal: leaving.signal })
      const response = await world.webOf(world.tasks())(request)
      await expect.poll(() => slow.llm.isAsked).toBe(true)
      leaving.abort()
      await response.body!.cancel()
      const status = () => world.tasks().status(notedOf(world))
      // Sufficient for ten looks of the engine.
      await pause(100)
      expect(await status()).toBe('running')
      const turns = await loadTurns(world.chatStore, 'ann', 'chat')
      expect(turns.flatMap((turn) => shownTurn(turn).messages).map(String)).toEqual(whole.slice(0, 1))
      slow.release()
      await expect.poll(() => slow.llm.isLeft).toBe(true)
      await expect.poll(() => storedOf(world)).toEqual(whole)
    }
  })

  it('shows the message that a task answers, also to clients that set no ids', async () => {
    const slow = slowModel()
    const world = await started(slow.llm)
    await world.chatStore.setMessages(key, [new ChatMessage({ content: 'Hi' }), new ChatMessage({ content: 'Hello.' })])
    const response = await world.web().route(post({ id: 'chat', content: 'Tell me a story.' }))
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    const shown = async () => (await loadChat(world.chatStore, 'ann', 'chat')).length
    expect(await shown()).toBe(3)
    await answered(slow, [response])
    expect(await shown()).toBe(4)
  })

  it('refuses another message while a task goes on in any process', async () => {
    const slow = slowModel()
    const world = await started(slow.llm)
    const first = await world.web().route(story())
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    for (const other of [say('A short one.', 'm2'), say('A short one.')]) {
      const refused = await world.web().route(other)
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(await refusalOf(refused)).toEqual([409, 'conversation_busy'])
    }
    await answered(slow, [first])
  })

  it('is busy while a worker that was stopped has given the task back, and free after a stop of the chat', async () => {
    const slow = slowModel()
    const world = await started(slow.llm)
    const { route } = world.web()
    const first = await route(story())
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    await world.stop()
    const other = () => route(say('A short one.', 'm2'))
    expect(await refusalOf(await other())).toEqual([409, 'conversation_busy'])
    expect((await at(route, 'DELETE')).status).toBe(204)
    const accepted = await other()
    expect(accepted.status).toBe(200)
    await Promise.all([first.body?.cancel(), accepted.body?.cancel()])
  })

  it('shows and stops a task of the same user only', async () => {
    const slow = slowModel()
    const world = await started(slow.llm)
    const first = await world.web().route(story())
    await expect.poll(() => slow.llm.isAsked).toBe(true)
    const { route } = world.web()
    expect((await at(route, 'GET', 'chat', 'bob')).status).toBe(204)
    expect((await at(route, 'DELETE', 'chat', 'bob')).status).toBe(404)
    expect((await at(route, 'GET')).status).toBe(200)
    expect((await at(route, 'DELETE')).status).toBe(204)
    expect((await eventsOf(first)).at(-1)?.type).toBe('error')
    expect((await at(route, 'GET')).status).toBe(204)
    slow.release()
    await expect.poll(() => slow.llm.isLeft).toBe(true)
  })

  it('takes a decision while the stream of a process that has ended is not over', async () => {
    const streams = storedChatStreams(new InMemoryKeyValueStore(), { pollMs: 10 })
    const world = await started(scripted(callTurn('Shall I?'), 'As you wish.'), { streams }, true)
    await eventsOf(await world.web().route(story()))
    let left = await streams.begin(key)
    await expect.poll(async () => (left ??= await streams.begin(key))).not.toBeNull()
    const decisions = [{ callId: 'c1', type: 'approve' }]
    const response = await world.web().route(post({ id: 'chat', taskId: notedOf(world), decisions }))
    expect(textOf(await eventsOf(response))).toBe('As you wish.')
    expect(world.bought).toEqual(['pear'])
    await left?.finish()
  })

  const decide = (world: EngineWorld, callId: string) =>
    post({ id: 'chat', taskId: notedOf(world), decisions: [{ callId, type: 'approve' }] })

  it.each(['this', 'another'])('answers a decision that arrives twice at once, also at %s instance', async (which) => {
    const world = await started(scripted(callTurn('Shall I?'), 'As you wish.'), {}, true)
    const first = world.web().route
    await eventsOf(await first(story()))
    const routes = [first, which === 'this' ? first : world.web().route]
    const responses = await Promise.all(routes.map((route) => route(decide(world, 'c1'))))
    for (const response of responses) expect(textOf(await eventsOf(response))).toBe('As you wish.')
    expect(world.bought).toEqual(['pear'])
  })

  it('takes a new message while the task of an earlier one waits', async () => {
    const world = await started(scripted(callTurn('Shall I?'), 'Hello.'), {}, true)
    await eventsOf(await world.web().route(story()))
    expect(textOf(await eventsOf(await world.web().route(say('Hi', 'm2'))))).toBe('Hello.')
  })

  it('submits the message again if its process ended just before', async () => {
    const world = await started(scripted('Done.'))
    const broken = Object.assign(world.tasks(), { submit: () => Promise.reject(new Error('power cut')) })
    expect((await eventsOf(await world.webOf(broken)(story()))).at(-1)?.type).toBe('error')
    const noted = notedOf(world)
    expect(textOf(await eventsOf(await world.web().route(story())))).toBe('Done.')
    expect(await world.tasks().status(noted)).toBe('finished')
  })

  it('continues a task that failed when its message is sent again; on an engine without retries, begins another one', async () => {
    const world = await started(scripted(new Error('down'), 'Done.', new Error('down'), 'Done.', new Error('down')))
    const again = async (id: string, retry?: () => Promise<void>) => {
      expect((await eventsOf(await world.web().route(say('Hi', id)))).at(-1)?.type).toBe('error')
      const [task] = (await loadTurns(world.chatStore, 'ann', 'chat')).slice(-1).map((turn) => turn.task)
      const tasks = Object.assign(world.tasks(), retry && { retry })
      const response = await world.webOf(tasks)(say('Hi', id))
      const turn = (await loadTurns(world.chatStore, 'ann', 'chat')).at(-1)!
      return { response, isSame: turn.task === task, status: () => world.tasks().status(task!) }
    }
    const retried = await again('m1')
    expect(textOf(await eventsOf(retried.response))).toBe('Done.')
    expect([retried.isSame, await retried.status()]).toEqual([true, 'finished'])
    const refuse = async () => {
      throw new UnsupportedOperationError('RestateTasks', 'retry', 'a workflow cannot be run again.')
    }
    const anew = await again('m2', refuse)
    expect(textOf(await eventsOf(anew.response))).toBe('Done.')
    expect([anew.isSame, await anew.status()]).toEqual([false, 'failed'])
    await expect(again('m3', () => Promise.reject(new Error('power cut')))).rejects.toThrow('power cut')
  })
})
