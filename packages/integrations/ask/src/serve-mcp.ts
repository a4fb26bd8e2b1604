/**
 * @module
 * Serves a folder as an MCP server, on standard input and output or by HTTP.
 */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Docs } from './docs.ts'
import { type DocsServerInfo, docsServer } from './docs-server.ts'
import { serveHttp } from './serve-http.ts'

/** The streams of a server, and what ends it. */
interface DocsStreams {
  stdin: Readable
  stdout: Writable
  /** Ends the server. */
  signal: AbortSignal
  /** Receives the errors of the connection. */
  log: (line: string) => void
}

/** Serves until the client ends standard input, or `signal` is aborted. @param port - of a server by HTTP; null for standard input */
export async function serveMcp(
  docs: Docs,
  port: number | null,
  context: Omit<DocsStreams, 'log'>,
  log: (line: string) => void,
): Promise<void> {
  if (port === null) await serveDocs(docs, { ...context, log })
  else await untilStopped(docs, port, context, log)
}

/**
 * Serves documents as an MCP server on streams, usually standard input and output. Resolves when the client ends the input, or `signal` is
 * aborted.
 * @param info - the description of the server.
 */
export async function serveDocs(
  docs: Docs,
  { stdin, stdout, signal, log }: DocsStreams,
  info: DocsServerInfo = {},
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve)
    stdin.once('close', resolve)
    // The client no longer reads.
    stdout.once('error', () => resolve())
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const handle = serveStdio((server) => docsServer(docs, server, info), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => log(error.message),
  })
  await ended
  await handle.close()
}

async function untilStopped(
  docs: Docs,
  port: number,
  { signal }: Pick<DocsStreams, 'stdout' | 'signal'>,
  log: (line: string) => void,
): Promise<void> {
  const served = await serveHttp(docs, port, (error) => log(error.message))
  log(`listening on ${served.url}`)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await served.close()
}
