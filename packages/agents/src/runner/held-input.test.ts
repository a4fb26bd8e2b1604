import { type BaseMemory, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { ChatMemoryBuffer, StoredChatMemory, shownTurn, turnsIn } from '@x/core-model/memory'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import type { Guards } from '../loop/hooks.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const HELD = 'A message of the user is left out here: it was not accepted.'

function setup(guards: Guards, answers: ScriptedAnswer[] = ['Hello.']) {
  const llm = new ScriptedLLM({ metadata, answers })
  const agent = FunctionCallingAgent.fromTools({ llm, guards, retries: false })
  return { agent, lastRequest: () => llm.calls.at(-1)!.messages!.map(({ content }) => content) }
}

const chatStore = () => {
  const store = new SimpleChatStore()
  const page = async () => (await turnsIn(store).read('ann')).map((turn) => String(shownTurn(turn).messages[0]))
  return { memory: new StoredChatMemory({ chatStore: store, conversationId: 'ann' }) as BaseMemory, page }
}
const buffer = () => ({ memory: ChatMemoryBuffer.fromDefaults() as BaseMemory, page: undefined })

const block = (text: string) => (text.includes('SECRET') ? { block: 'no secrets' } : undefined)
const never = (text: string) => (text.includes('SECRET') ? new Promise<undefined>(() => {}) : undefined)
const broken = (text: string) => {
  if (text.includes('SECRET')) throw new Error('the guard is down')
}

describe.each([
  ['a memory', buffer],
  ['a chat store', chatStore],
])('with %s', (_, open) => {
  describe.each(['input', 'parallelInput'] as const)('a message that the guard %s', (stage) => {
    it.each([
      ['has blocked', block, 'secrets'],
      ['could not check', broken, 'the guard is down'],
      ['was checking when the run was stopped', never, 'aborted'],
    ])('%s reaches no model with the next one', async (_name, guard, message) => {
      const { agent, lastRequest } = setup({ [stage]: guard }, ['Hello.', 'Hello.'])
      const { memory, page } = open()
      const controller = new AbortController()
      const first = agent.chat('The SECRET is 42.', { memory, signal: controller.signal })
      if (guard === never) setTimeout(() => controller.abort(), 20)
      await expect(first).rejects.toThrow(message)
      await agent.chat('Go on.', { memory })
      expect(lastRequest()).toEqual([HELD, 'Go on.'])
      expect((await memory.getAll()).map(String)).toEqual([`user: ${HELD}`, 'user: Go on.', 'assistant: Hello.'])
      if (page) expect(await page()).toEqual(['user: The SECRET is 42.', 'user: Go on.'])
    })

    it('has allowed is known to the model after a failure', async () => {
      const { agent, lastRequest } = setup({ [stage]: block }, [new Error('down'), 'Hello.'])
      const { memory } = open()
      await expect(agent.chat('Hi.', { memory })).rejects.toThrow('down')
      await agent.chat('Go on.', { memory })
      expect(lastRequest()).toEqual(['Hi.', 'Go on.'])
    })
  })

  it('a message that a guard has replaced stays replaced when the model fails', async () => {
    const input: Guards['input'] = (text) => ({ replace: text.replace('SECRET', '…') })
    const { agent, lastRequest } = setup({ input }, [new Error('down'), 'Hello.'])
    const { memory } = open()
    await expect(agent.chat('The SECRET is 42.', { memory })).rejects.toThrow('down')
    await agent.chat('Go on.', { memory })
    expect(lastRequest()).toEqual(['The … is 42.', 'Go on.'])
  })
})

it('a message whose process ends while a guard checks it reaches no model with the next one', async () => {
  const { agent } = setup({ input: never })
  const { memory } = chatStore()
  void agent.chat('The SECRET is 42.', { memory }).catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await memory.getAll()).map(String)).toEqual([`user: ${HELD}`])
})

it('a task continues with its message after the guard has allowed it', async () => {
  let verdict: { block: string } | undefined = { block: 'not now' }
  const { agent } = setup({ input: () => verdict })
  const { memory, page } = chatStore()
  await expect(agent.chat('Hi.', { memory, taskId: 't' })).rejects.toThrow('not now')
  verdict = undefined
  await agent.chat('Hi.', { memory, taskId: 't' })
  expect((await memory.getAll()).map(String)).toEqual(['user: Hi.', 'assistant: Hello.'])
  expect(await page()).toEqual(['user: Hi.'])
})
