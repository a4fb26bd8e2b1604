/**
 * @module
 * Serves the documents of a folder by streamable HTTP, to programs on this machine.
 */
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { localOnly } from '@x/durable'
import type { Docs } from './docs.ts'
import { docsServer, resourceUri } from './docs-server.ts'
import { ExitCode, ProgramError } from './program-error.ts'

/** The only path of the MCP server. */
const PATH = '/mcp'

/** A running HTTP server. */
export interface ServedHttp {
  url: string
  close(): Promise<void>
}

/** Answers a request. */
export type HttpHandler = (request: Request) => Promise<Response>

/**
 * Serves MCP by HTTP on 127.0.0.1.
 * @param port - 0 for any free port.
 */
export async function serveHttp(docs: Docs, port: number, onerror: (error: Error) => void): Promise<ServedHttp> {
  const handler = createMcpHandler((context) => docsServer(docs, context), { onerror })
  const end = docs.onChange(({ added, changed, removed }) => {
    if (added.length + removed.length > 0) handler.notify.resourcesChanged()
    for (const path of [...added, ...changed, ...removed]) handler.notify.resourceUpdated(resourceUri(path))
  })
  const handle: HttpHandler = async (request) =>
    new URL(request.url).pathname === PATH
      ? handler.fetch(request)
      : Response.json({ error: `expected the path ${PATH}` }, { status: 404 })
  const served = await serveRequests(handle, port, PATH, onerror)
  return {
    url: served.url,
    close: async () => {
      end()
      await handler.close()
      await served.close()
    },
  }
}

/** Serves requests on 127.0.0.1. Those with a different `Host`, or from pages of another origin, also of this machine, are refused. */
export async function serveRequests(
  handle: HttpHandler,
  port: number,
  path: string,
  onerror: (error: Error) => void,
): Promise<ServedHttp> {
  const local = localOnly(handle)
  const http = createServer((message, response) => {
    answer(message, response, local).catch((error: Error) => {
      // A client that has disconnected is not an error.
      if (!response.destroyed) onerror(error)
      response.destroy()
    })
  })
  await listening(http, port)
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}${path}`,
    close: async () => {
      const closed = new Promise((resolve) => http.close(resolve))
      http.closeAllConnections()
      await closed
    },
  }
}

function listening(http: HttpServer, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code ?? message})`
      reject(new ProgramError(ExitCode.failed, `port ${port} ${reason}.`))
    })
    http.listen(port, '127.0.0.1', () => {
      http.removeAllListeners('error')
      resolve()
    })
  })
}

async function answer(message: IncomingMessage, response: ServerResponse, handle: HttpHandler): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const request = requestOf(message, gone.signal)
  const { status, headers, body } = await handle(request)
  response.writeHead(status, Object.fromEntries(headers))
  if (body) await pipeline(Readable.fromWeb(body as ReadableStream), response)
  else response.end()
}

function requestOf(message: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = message
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  // The host is checked in the header; this address is only the base of the path.
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: entries,
    signal,
    ...(hasBody && { body: Readable.toWeb(message) as BodyInit, duplex: 'half' }),
  })
}
