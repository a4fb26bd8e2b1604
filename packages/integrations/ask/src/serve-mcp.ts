/**
 * @module
 * Serves a folder as an MCP server, on standard input and output or by HTTP.
 */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Docs } from './docs.ts'
import { docsServer } from './docs-server.ts'
import { serveHttp } from './serve-http.ts'

/** The streams of a server, and what ends it. */
interface ServerContext {
  stdin: Readable
  stdout: Writable
  signal: AbortSignal
}

/** Serves until the client ends standard input, or `signal` is aborted. @param port - of a server by HTTP; null for standard input */
export async function serveMcp(
  docs: Docs,
  port: number | null,
  context: ServerContext,
  log: (line: string) => void,
): Promise<void> {
  if (port === null) await untilInputEnds(docs, context, log)
  else await untilStopped(docs, port, context, log)
}

async function untilInputEnds(
  docs: Docs,
  { stdin, stdout, signal }: ServerContext,
  log: (line: string) => void,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve)
    stdin.once('close', resolve)
    // The client no longer reads.
    stdout.once('error', () => resolve())
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const handle = serveStdio((server) => docsServer(docs, server), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => log(error.message),
  })
  await ended
  await handle.close()
}

async function untilStopped(
  docs: Docs,
  port: number,
  { signal }: ServerContext,
  log: (line: string) => void,
): Promise<void> {
  const served = await serveHttp(docs, port, (error) => log(error.message))
  log(`listening on ${served.url}`)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await served.close()
}
