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
import { expect, it, onTestFinished } from 'vitest'
import { oneFile } from '../../../../tools/one-file.ts'
import { type Route, slowModel } from '../../../chats/test/chat-world.ts'
import { clientOf, clients, lastText, question } from './chat-clients.ts'
import { sharedFiles } from './shared-files.ts'

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
    await expect.poll(() => lastText(sender), { timeout: 5000 }).toBe('Once')
    first.child.kill('SIGKILL')
    await sending
    expect(sender.status).toBe('error')

    const back = clientOf(client, () => second.route)
    back.messages = [question('Tell me a story.')]
    const again = clientOf(client, () => third.route)
    again.messages = structuredClone(sender.messages)
    const readings = [back.resumeStream(), again.regenerate()]
    for (const chat of [back, again]) await expect.poll(() => lastText(chat), { timeout: 5000 }).toBe('Once')
    slow.release()
    await Promise.all(readings)
    for (const chat of [back, again]) expect([lastText(chat), chat.error]).toEqual(['Once upon a time.', undefined])
    const stored = await files.chatStore.getMessages(chatKey('ann', 'chat'))
    expect(stored.map(String)).toEqual(['user: Tell me a story.', 'assistant: Once upon a time.'])
    expect(slow.llm.count).toBe(1)
  },
  30_000,
)
