// @module-tag system

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { FunctionCallingAgent } from '@x/agents'
import { chatKey } from '@x/chats'
import { StoredTasks } from '@x/durable'
import { describe, expect, it, onTestFinished } from 'vitest'
import { oneFile } from '../../../../tools/one-file.ts'
import { type Route, slowModel } from '../../../chats/test/chat-world.ts'
import { clientOf, clients, lastText, question } from './chat-clients.ts'
import { faultsAfter, faultsOfDecisions, faultsOfEdit, faultsOfNext } from './chat-programs/crash.ts'
import { runProgram } from './chat-programs/program.ts'
import { sharedFiles } from './shared-files.ts'

/** More than the calls that the stores receive for a message. */
const ALL = 54

describe.each([
  { agent: 'an agent', isDurable: false },
  { agent: 'durable tasks', isDurable: true },
])('a chat of $agent whose process ends at a call of a store', ({ isDurable }) => {
  describe.each(['message', 'approval'] as const)('after the %s', (during) => {
    it('shows what is stored, and goes on', async () => {
      for (const after of [5, 14, 16, 18, 20, 38])
        expect(await faultsAfter({ words: 'buy and mail fails 1', isDurable, during, after }), `${after}`).toEqual([])
    })

    it.each(['mail 1', 'mail fails 1', 'buy 1', 'buy fails 1', 'buy and mail 1'])(
      'shows what is stored, and goes on: each call, %s',
      { tags: 'nightly' },
      async (words) => {
        for (let after = 1; after <= ALL; after++)
          expect(await faultsAfter({ words, isDurable, during, after }), `${after}`).toEqual([])
      },
    )
  })

  it('shows the changed arguments of a call that was asked before the end and is approved behind it', async () => {
    for (let after = 18; after <= 24; after++)
      expect(await faultsOfEdit({ words: 'buy 1', isDurable, after }), `${after}`).toEqual([])
  })

  describe.each([
    { approves: true, thenApproves: false },
    { approves: true, thenApproves: true },
    { approves: false, thenApproves: true },
  ])('after a decision, before one of another tab: $approves, then $thenApproves', (decisions) => {
    const words = 'buy and mail 1'
    it('keeps the first one, and both tabs show it', async () => {
      for (const after of [4, 22, 25, 31])
        expect(await faultsOfDecisions({ words, isDurable, after, ...decisions }), `${after}`).toEqual([])
    })

    it('keeps the first one: each call', { tags: 'nightly' }, async () => {
      for (const words of ['buy 1', 'buy and mail 1', 'buy and mail fails 1'])
        for (let after = 1; after <= ALL; after++)
          expect(await faultsOfDecisions({ words, isDurable, after, ...decisions }), `${after}`).toEqual([])
    })
  })
})

describe.each([
  { agent: 'an agent', isDurable: false, hasJournal: true },
  { agent: 'an agent without a journal', isDurable: false, hasJournal: false },
  { agent: 'durable tasks', isDurable: true, hasJournal: true },
])('a chat of $agent whose process ends between a decision and the end of the call', (kind) => {
  it.each([true, false])('shows and tells what is true, also after the next message: approved %s', async (approves) => {
    for (let after = 1; after <= 30; after++)
      expect(await faultsOfNext({ words: 'buy 1', ...kind, approves, after }), `${after}`).toEqual([])
  })
})

/** 200 programs, the same ones each time; `npm run chat-programs` runs others. */
describe.each([
  { agent: 'an agent', isDurable: false },
  { agent: 'durable tasks', isDurable: true },
])('random programs of a chat of $agent', ({ isDurable }) => {
  it.each([0, 1, 2, 3])('part %i: pages show what is stored, and no turn is lost', async (part) => {
    for (let seed = 1 + 25 * part; seed <= 25 * (part + 1); seed++) expect(await runProgram(seed, isDurable)).toBe(null)
  })
})

const program = oneFile(fileURLToPath(new URL('./chat-web.ts', import.meta.url)))

/** Starts a web server. */
async function startWeb(folder: string): Promise<{ route: Route; child: ChildProcess }> {
  const child = spawn(process.execPath, [await program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [port] = await once(createInterface(child.stdout), 'line')
  const route: Route = async (request) => {
    const { pathname } = new URL(request.url)
    const { method, headers, signal } = request
    const body = method === 'POST' ? { body: await request.text() } : {}
    return fetch(`http://127.0.0.1:${port}${pathname}`, { method, headers, signal, ...body })
  }
  return { route, child }
}

it.each(clients)(
  '$name: an answer goes on when its web server is killed',
  async (client) => {
    const folder = await mkdtemp(join(tmpdir(), 'chat-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const files = await sharedFiles(folder)
    const slow = slowModel()
    const agent = ({ taskStore }: { taskStore?: object | undefined }) =>
      FunctionCallingAgent.fromTools({ llm: slow.llm, tools: [], taskStore: taskStore as never })
    const engine = new StoredTasks({ ...files, agent, leaseMs: 500 })
    await engine.start()
    onTestFinished(() => engine.stop())
    const [first, second, third] = await Promise.all([startWeb(folder), startWeb(folder), startWeb(folder)])

    const sender = clientOf(client, () => first.route)
    const sending = sender.sendMessage({ ...question('Tell me a story.'), messageId: undefined })
    await expect.poll(() => lastText(sender)).toBe('Once')
    first.child.kill('SIGKILL')
    await sending
    expect(sender.status).toBe('error')

    const back = clientOf(client, () => second.route)
    back.messages = [question('Tell me a story.')]
    const again = clientOf(client, () => third.route)
    again.messages = structuredClone(sender.messages)
    const readings = [back.resumeStream(), again.regenerate()]
    for (const chat of [back, again]) await expect.poll(() => lastText(chat)).toBe('Once')
    slow.release()
    await Promise.all(readings)
    for (const chat of [back, again]) expect([lastText(chat), chat.error]).toEqual(['Once upon a time.', undefined])
    const stored = await files.chatStore.getMessages(chatKey('ann', 'chat'))
    expect(stored.map(String)).toEqual(['user: Tell me a story.', 'assistant: Once upon a time.'])
    expect(slow.llm.count).toBe(1)
  },
  30_000,
)
