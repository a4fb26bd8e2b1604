import { FunctionCallingAgent } from '@x/agents'
import { loadTurns } from '@x/chats'
import { describe, expect, it } from 'vitest'
import { appOf, calling, type MakeAgent, pageOf } from '../test/chat-app.ts'
import type { Any } from '../test/chat-clients.ts'
import { loadAgUiMessages } from './load-ag-ui-messages.ts'

/** What the user has written, on a page. */
const asked = (messages: Any[]) =>
  messages.flatMap(({ role, parts }: Any) => (role === 'user' ? parts.map(({ text }: Any) => text) : []))

describe.each(['an agent', 'durable tasks', 'durable tasks on SQLite'])(
  'a message that a guard blocks, with %s',
  (kind) => {
    const guarded = (stage: 'input' | 'parallelInput', answers: string[]) => {
      const guard = (text: string) => (text.includes('SECRET') ? { block: 'no secrets' } : undefined)
      const makeAgent: MakeAgent = (options) =>
        FunctionCallingAgent.fromTools({ ...options, guards: { [stage]: guard } }) as never
      return appOf(kind, answers, { makeAgent })
    }

    it.each(['input', 'parallelInput'] as const)('is on its page, and no model receives it (%s)', async (stage) => {
      const app = await guarded(stage, ['Hello.', 'Hello.'])
      const page = await pageOf(app)
      await page.sendMessage({ text: 'The SECRET is 42.' })
      await page.sendMessage({ text: 'Go on.' })
      const request = JSON.stringify(app.llm.calls.at(-1)!.messages)
      expect(request).toContain('Go on.')
      expect(request).not.toContain('SECRET')
      expect(asked(page.messages)).toEqual(['The SECRET is 42.', 'Go on.'])
      expect(asked(await app.load())).toEqual(['The SECRET is 42.', 'Go on.'])
      const agUi = await loadAgUiMessages(app.chatStore, 'ann', 'chat')
      expect(agUi.map(({ content }) => content)).toEqual(['The SECRET is 42.', 'Go on.', 'Hello.'])
    })

    it('is the same message when it is sent again', async () => {
      const app = await guarded('input', [])
      const page = await pageOf(app)
      await page.sendMessage({ text: 'The SECRET is 42.' })
      const task = async () => (await loadTurns(app.chatStore, 'ann', 'chat')).map(({ id, state }) => [id, state])
      await expect.poll(async () => (await task())[0]?.[1]).toBe('failed')
      const before = await task()
      await page.regenerate()
      await expect.poll(task).toEqual(before)
      expect(asked(await app.load())).toEqual(['The SECRET is 42.'])
    })
  },
)

it.each(['an agent', 'an agent on SQLite'])(
  'a message whose client leaves at once reaches no model, with %s',
  async (kind) => {
    const guard = async (text: string) => (text.includes('SECRET') ? { block: 'no secrets' } : undefined)
    const makeAgent: MakeAgent = (options) =>
      FunctionCallingAgent.fromTools({ ...options, guards: { input: guard } }) as never
    const app = await appOf(kind, ['Hello.'], { makeAgent, streams: undefined })
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'The SECRET is 42.' }] }]
    const body = JSON.stringify({ id: 'chat', messages })
    const headers = { 'content-type': 'application/json', 'x-user': 'ann' }
    const signal = AbortSignal.abort()
    const left = await app.route(
      new Request('https://chat.example/api/chat', { method: 'POST', headers, body, signal }),
    )
    await left.body?.cancel()
    const page = await pageOf(app, true)
    expect(asked(page.messages)).toEqual(['The SECRET is 42.'])
    await page.sendMessage({ text: 'Go on.' })
    const request = JSON.stringify(app.llm.calls.at(-1)!.messages)
    expect(request).toContain('Go on.')
    expect(request).not.toContain('SECRET')
  },
)

it.each(['an agent', 'durable tasks on SQLite'])(
  'an answer guard hides reasoning on a loaded page too, with %s',
  async (kind) => {
    const thinking = calling('count', 5, 'Let me see.')
    thinking.additionalKwargs['reasoning'] = 'The SECRET is 42.'
    const makeAgent: MakeAgent = (options) =>
      FunctionCallingAgent.fromTools({ ...options, guards: { answer: () => undefined } }) as never
    const app = await appOf(kind, [thinking, 'Five.'], { makeAgent })
    const page = await pageOf(app)
    await page.sendMessage({ text: 'Count!' })
    await expect.poll(async () => JSON.stringify(await app.load())).toContain('Five.')
    const pages = JSON.stringify([
      page.messages,
      await app.load(),
      await loadAgUiMessages(app.chatStore, 'ann', 'chat'),
    ])
    expect(pages).toContain('Let me see.')
    expect(pages).not.toContain('SECRET')
  },
)
