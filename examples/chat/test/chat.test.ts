import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  AbstractChat,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import { EdgeRuntime, runServer } from 'edge-runtime'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shopApp } from '../src/hono.ts'
import { answerAsShop } from './shop-model.ts'

const model = createServer(answerAsShop)

let folder = ''
let settings = { MODEL_URL: '', MODEL: 'm' }
const stops: (() => unknown)[] = []
type Send = (request: Request) => Response | Promise<Response>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chat-'))
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  settings = { MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`, MODEL: 'm' }
})

afterAll(async () => {
  for (const stop of stops) await stop()
  model.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the code of an entry of this example with all that it imports. */
async function bundled(entry: string, footer = ''): Promise<string> {
  const outfile = join(folder, `${entry.replaceAll(/\W+/g, '-')}.js`)
  const entryPoints = [join(import.meta.dirname, '../src', entry)]
  await build({
    entryPoints,
    outfile,
    bundle: true,
    format: footer ? 'iife' : 'esm',
    globalName: 'route',
    target: 'es2023',
    conditions: ['@x/source'],
    footer: { js: footer },
  })
  return outfile
}

/** Sends requests to another address. */
const at =
  (address: string): Send =>
  (request) => {
    const { pathname } = new URL(request.url)
    return fetch(new URL(pathname, address), request)
  }

/** Starts the host of Node, and returns it with its address. */
async function startNode(given: object = settings): Promise<{ url: string; host: ChildProcess }> {
  const path = join(import.meta.dirname, '../src/node.ts')
  const env = { ...process.env, ...given, PORT: '0' }
  const host: ChildProcess = spawn(process.execPath, ['--conditions=@x/source', path], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stops.push(() => host.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    host.stdout?.once('data', (line) => resolve({ url: String(line).trim(), host }))
    host.once('exit', () => reject(new Error('The host ended before it was ready.')))
  })
}

const hosts: Record<string, () => Promise<Send>> = {
  Node: async () => at((await startNode()).url),
  async Hono() {
    const app = shopApp(settings)
    return (request) => app.fetch(request)
  },
  async 'Next on Node'() {
    Object.assign(process.env, settings)
    const { GET, POST, DELETE } = await import('../src/next/app/api/chat/[[...path]]/route.ts')
    const methods: Record<string, Send> = { GET, POST, DELETE }
    return (request) => methods[request.method]!(request)
  },
  async 'Next on the edge'() {
    const path = await bundled(
      'next/app/api/edge-chat/[[...path]]/route.ts',
      "addEventListener('fetch', (event) => event.respondWith(route[event.request.method](event.request)))",
    )
    const initialCode = `globalThis.process = { env: ${JSON.stringify(settings)} }; ${await readFile(path, 'utf8')}`
    const server = await runServer({ runtime: new EdgeRuntime({ initialCode }) })
    stops.push(() => server.close())
    return at(server.url)
  },
  async Workers() {
    const scriptPath = await bundled('worker.ts')
    const host = new Miniflare({
      modules: true,
      modulesRoot: folder,
      scriptPath,
      compatibilityDate: '2026-07-01',
      bindings: settings,
    })
    stops.push(() => host.dispose())
    return at(String(await host.ready))
  },
}

class Chat extends AbstractChat<UIMessage> {}

/** The client of `useChat`. */
function clientOf(send: Send, user: string): Chat {
  const state = {
    status: 'ready' as const,
    error: undefined as Error | undefined,
    messages: [] as UIMessage[],
    pushMessage: (message: UIMessage) => void (state.messages = [...state.messages, message]),
    popMessage: () => void (state.messages = state.messages.slice(0, -1)),
    replaceMessage: (index: number, message: UIMessage) => void (state.messages = state.messages.with(index, message)),
    snapshot: <T>(value: T) => structuredClone(value),
  }
  const fetch = async (url: unknown, init?: RequestInit) =>
    send(new Request(String(url), { ...init, duplex: 'half' } as RequestInit))
  const transport = new DefaultChatTransport({
    api: 'https://shop.example/api/chat',
    headers: { 'x-user': user },
    fetch: fetch as typeof globalThis.fetch,
  })
  return new Chat({
    id: 'chat',
    state,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
}

const textOf = ({ messages }: Chat) =>
  messages
    .at(-1)
    ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')

/** The id of the approval that a chat waits for. */
const approvalOf = ({ messages }: Chat) =>
  messages.at(-1)!.parts.flatMap((part) => ('approval' in part && part.approval ? [part.approval.id] : []))[0]!

it('the chat on Node is for this machine alone', { timeout: 60_000 }, async () => {
  const { port } = new URL((await startNode()).url)
  // `fetch` does not send another host.
  const status = await new Promise((resolve, reject) => {
    const options = { port, path: '/api/chat/chat/stream', headers: { host: 'rebound.example', 'x-user': 'ann' } }
    get({ hostname: '127.0.0.1', ...options }, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
  expect(status).toBe(403)
})

it('the chat on Node ends at SIGTERM with the answer that runs', { timeout: 60_000 }, async () => {
  const asked = Promise.withResolvers<void>()
  const slow = createServer((...both) => {
    asked.resolve()
    setTimeout(() => answerAsShop(...both), 300)
  })
  stops.push(() => slow.close())
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const MODEL_URL = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1`
  const { url, host } = await startNode({ ...settings, MODEL_URL })
  const chat = clientOf(at(url), 'ann')
  const answered = chat.sendMessage({ text: 'Buy a pear.' })
  await asked.promise
  host.kill('SIGTERM')
  await answered
  expect(approvalOf(chat)).toBeDefined()
  // Without the seconds for which the connection of the answer would be kept.
  const since = performance.now()
  expect(await new Promise((resolve) => host.once('exit', resolve))).toBe(0)
  expect(performance.now() - since).toBeLessThan(3000)
})

describe.each(Object.entries(hosts))('the chat on %s', (_, start) => {
  it('asks the user before it buys, and keeps users apart', { timeout: 60_000 }, async () => {
    const send = await start()
    const [ann, bob] = [clientOf(send, 'ann'), clientOf(send, 'bob')] as const
    for (const chat of [ann, bob]) {
      await chat.sendMessage({ text: 'Buy a pear.' })
      expect(chat.error).toBeUndefined()
      expect(chat.messages.at(-1)?.parts).toContainEqual(
        expect.objectContaining({ state: 'approval-requested', input: { fruit: 'pear' } }),
      )
    }
    await ann.addToolApprovalResponse({ id: approvalOf(ann), approved: true })
    await expect.poll(() => textOf(ann)).toBe('Result: {"bought":"pear"}')
    await bob.addToolApprovalResponse({ id: approvalOf(bob), approved: false, reason: 'too dear' })
    await expect.poll(() => textOf(bob)).toMatch(/too dear/)
    const stream = new Request('https://shop.example/api/chat/chat/stream', { headers: { 'x-user': 'ann' } })
    expect((await send(stream)).status).toBe(204)
    const nobody = new Request('https://shop.example/api/chat', { method: 'POST', body: '{}' })
    expect((await send(nobody)).status).toBe(401)
  })
})
