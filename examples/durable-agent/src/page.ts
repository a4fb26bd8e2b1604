/**
 * @module
 * The server of the page, which shows workers, orders and their steps, and sends decisions.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ToolDecision } from '@x/agents'

/** The data and the actions of the page. */
export interface PageSource {
  /** Returns the data of the page, as JSON. */
  state(): Promise<unknown>
  decide(taskId: string, decision: ToolDecision): Promise<void>
}

/** Serves the page on 127.0.0.1. */
export async function servePage(source: PageSource, port: number): Promise<{ url: string; close(): void }> {
  const server: Server = createServer(async (request, response) => {
    try {
      const { status = 200, type = 'application/json', body } = await answer(request, source)
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
    } catch (error) {
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message: String(error) }))
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function answer(
  request: IncomingMessage,
  source: PageSource,
): Promise<{ status?: number; type?: string; body: string }> {
  const { pathname } = new URL(request.url ?? '/', 'http://page')
  if (request.method === 'GET' && pathname === '/')
    return { type: 'text/html', body: readFileSync(new URL('./page.html', import.meta.url), 'utf8') }
  if (request.method === 'GET' && pathname === '/state') return { body: JSON.stringify(await source.state()) }
  const [, taskId] = /^\/decide\/([\w-]+)$/.exec(pathname) ?? []
  // Only a page of this server can send JSON here: other pages need a preflight request.
  const isJson = request.headers['content-type'] === 'application/json'
  if (request.method !== 'POST' || taskId === undefined || !isJson) return { status: 404, body: '{}' }
  await source.decide(taskId, JSON.parse(await text(request)))
  return { body: '{}' }
}
