import { chatKey, loadTurns } from '@x/chats'
import { shownTurn } from '@x/core-model/memory'
import { TasksAgent } from '@x/durable'
import type { LLM } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { callTurn, EngineWorld, metadata, slowModel } from '../../../chats/test/chat-world.ts'
import { clientOf, clients, lastText, post, question, toolsOf } from '../test/chat-clients.ts'
import { agUiHandler } from './ag-ui-handler.ts'
import { chatHandler } from './chat-handler.ts'
import { loadUIMessages } from './load-ui-messages.ts'

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
const shownOf = async (world: EngineWorld) =>
  (await loadTurns(world.chatStore, 'ann', 'chat')).flatMap((turn) => shownTurn(turn).messages.map(String))
const whole = ['user: Tell me a story.', 'assistant: Once upon a time.']

describe.each(clients)('the client of $name, whose server ends while a task runs', (client) => {
  /** A chat whose server ended in the middle of an answer. */
  async function interrupted() {
    const slow = slowModel()
    const world = await started(slow.llm)
    const first = world.web()
    const sender = clientOf(client, () => first.route)
    const sending = sender.sendMessage({ ...story, messageId: undefined })
    await expect.poll(() => lastText(sender)).toBe('Once')
    first.end()
    await sending
    expect(sender.error?.message).toBe('network error')
    return { world, slow, sender }
  }

  it('comes back to the answer from its beginning', async () => {
    const { world, slow } = await interrupted()
    expect(await shownOf(world)).toEqual(['user: Tell me a story.'])
    const second = world.web()
    const back = clientOf(client, () => second.route)
    back.messages = [story]
    const reading = back.resumeStream()
    await expect.poll(() => lastText(back)).toBe('Once')
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
    await expect.poll(() => lastText(again)).toBe('Once')
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

  it('loads the question for an approval, and decides', async () => {
    const world = await started(scripted(callTurn('Shall I?'), 'As you wish.'), chatHandler, {}, true)
    const first = world.web()
    const sender = clientOf(client, () => first.route)
    await sender.sendMessage({ ...question('Buy a pear.'), messageId: undefined })
    const second = world.web()
    const back = clientOf(client, () => second.route)
    await back.resumeStream()
    expect(back.messages).toEqual([])
    back.messages = await loadUIMessages(world.chatStore, 'ann', 'chat', { agent: new TasksAgent(world.tasks()) })
    expect(lastText(back)).toBe('Shall I?')
    expect(toolsOf(back)).toMatchObject([{ state: 'approval-requested', input: { fruit: 'pear' } }])
    await back.addToolApprovalResponse({ id: toolsOf(back)[0].approval.id, approved: true })
    await expect.poll(() => lastText(back)).toBe('Shall I?As you wish.')
    expect(world.bought).toEqual(['pear'])
  })
})

it('serves clients of AG-UI the same way', async () => {
  const slow = slowModel()
  const world = await started(slow.llm, agUiHandler as never)
  const messages = [{ id: 'm1', role: 'user', content: 'Tell me a story.' }]
  const send = () => world.web().route(post({ threadId: 'chat', runId: 'r', messages }))
  const first = await send()
  await expect.poll(() => slow.llm.isAsked).toBe(true)
  const path = 'https://a.example/api/chat/chat/stream'
  const responses = [first, await send(), await world.web().route(new Request(path, { headers: { 'x-user': 'ann' } }))]
  slow.release()
  for (const response of responses) expect(await response.text()).toContain('upon a time.')
  expect(slow.llm.count).toBe(1)
})
