/**
 * @module
 * The server of the page, which shows workers, orders and their steps, and sends decisions.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { type DurableTasks, localOnly, tasksHandler } from '@x/durable'

/** The data of the page. */
export interface PageSource {
  tasks: DurableTasks
  /** Returns the data of the page, as JSON. */
  state(): Promise<unknown>
}

/** Serves the page on 127.0.0.1. */
export async function servePage({ tasks, state }: PageSource, port: number): Promise<{ url: string; close(): void }> {
  // Whoever sees the page may decide. A real shop asks who it is.
  const useTask = tasksHandler(tasks, { mayUse: (_, { operation }) => operation !== 'submit' })
  // Names that somebody has bound to this machine, and pages of other origins, are refused.
  const answer = localOnly(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/tasks')) return useTask(request)
    if (pathname === '/state') return Response.json(await state())
    if (pathname !== '/') return new Response(null, { status: 404 })
    const page = readFileSync(new URL('./page.html', import.meta.url))
    return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  })
  const server: Server = createServer(async (incoming, outgoing) => {
    const stop = new AbortController()
    outgoing.on('close', () => stop.abort())
    try {
      const response = await answer(requestOf(incoming, stop.signal))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      if (response.body) Readable.fromWeb(response.body as never).pipe(outgoing)
      else outgoing.end()
    } catch (error) {
      outgoing.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message: String(error) }))
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

/** Returns a request of Node as one of the web platform. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: headers as Record<string, string>,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  } as RequestInit)
}
