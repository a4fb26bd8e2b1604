/**
 * @module
 * Serves the page of tasks to browsers on this machine.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TaskAction, TaskViews } from './task-views.ts'

/** A page that is served. */
export interface ServedTasks {
  url: string
  close(): Promise<void>
}

/** Longer requests are refused. */
const MAX_BODY = 1_000_000

const page = readFileSync(new URL('../page/index.html', import.meta.url), 'utf8')

/** What the page may load: its own script and style, and the tasks. */
function policy(): string {
  const hashOf = (tag: string) => {
    const text = new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? ''
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  const sources = `script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self'; img-src data:`
  return `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/**
 * Serves the page of tasks on `127.0.0.1`. Requests for other hosts, of other origins and of forms are refused.
 * @param port - 0 is any free one
 * @example
 * import { MemoryTaskStore } from '@x/agents'
 *
 * const served = await serveTasks(new TaskViews({ store: new MemoryTaskStore() }), 0)
 * const tasks = await (await fetch(`${served.url}tasks`)).json()
 * tasks // => []
 * await served.close()
 */
export async function serveTasks(views: TaskViews, port: number): Promise<ServedTasks> {
  const headers = {
    'content-security-policy': policy(),
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
  const server = createServer((request, response) => {
    void answer(views, request).then(
      ([status, body, type = 'application/json']) => send(response, status, body, type),
      (error: unknown) => send(response, 500, { message: error instanceof Error ? error.message : String(error) }),
    )
  })
  const send = (response: ServerResponse, status: number, body: unknown, type = 'application/json') => {
    response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, close }
}

async function answer(views: TaskViews, request: IncomingMessage): Promise<[number, unknown, type?: string]> {
  const { method, headers, url = '/' } = request
  // No other site may read tasks or decide, also under a name that leads to this machine.
  const isLocal = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '')
  const isOwn = headers.origin === undefined || headers.origin === `http://${headers.host}`
  if (!isLocal || !isOwn) return [403, { message: 'This page answers its own address alone.' }]
  if (!URL.canParse(url, 'http://page') || /%(?![\da-f]{2})/i.test(url))
    return [404, { message: 'There is no such page.' }]
  const [, folder, id = ''] = new URL(url, 'http://page').pathname.split('/').map((part) => decodeURIComponent(part))
  if (folder !== 'tasks') return folder === '' ? [200, page, 'text/html'] : [404, { message: 'There is no such page.' }]
  if (method === 'POST') {
    if (headers['content-type'] !== 'application/json') return [415, { message: 'Send JSON.' }]
    return [200, { id: await views.act(id, JSON.parse(await bodyOf(request)) as TaskAction) }]
  }
  if (method !== 'GET') return [405, { message: 'Use GET or POST.' }]
  if (id === '') return [200, await views.list()]
  const task = await views.find(id)
  return task === null ? [404, { message: `There is no task ${id}.` }] : [200, task]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY) throw new Error(`The request has more than ${MAX_BODY} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
