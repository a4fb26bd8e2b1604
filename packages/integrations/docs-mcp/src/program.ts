/**
 * @module
 * The program: opens the folder, serves it, and ends cleanly.
 */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { isToolkitError } from '@x/core-model'
import { type Arguments, HELP, readArguments } from './arguments.ts'
import { defaultStore } from './default-store.ts'
import { Docs } from './docs.ts'
import { DocsFolder } from './docs-folder.ts'
import { IN_MEMORY } from './docs-index.ts'
import { docsServer, ownVersion } from './docs-server.ts'
import { ExitCode, ProgramError } from './program-error.ts'
import { serveHttp } from './serve-http.ts'

/** The environment of the program. */
export interface ProgramContext {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** The folder that relative paths refer to. */
  cwd: string
  /** Ends the program. */
  signal: AbortSignal
}

type ServeArguments = Extract<Arguments, { command: 'serve' }>

/** Runs the program until its client or `signal` ends it, and returns the exit code. */
export async function run(argv: readonly string[], context: ProgramContext): Promise<ExitCode> {
  const { stdout, stderr, cwd, signal } = context
  const log = (line: string) => stderr.write(`docs-mcp: ${line}\n`)
  // A client may not read the log.
  stderr.on('error', () => {})
  try {
    const args = readArguments(argv, cwd)
    if (args.command === 'help') stdout.write(HELP)
    else if (args.command === 'version') stdout.write(`${ownVersion()}\n`)
    else await serve(args, context, log)
    return ExitCode.ended
  } catch (error) {
    if (signal.aborted) return ExitCode.ended
    const isExpected = error instanceof ProgramError || isToolkitError(error)
    log(isExpected ? error.message : ((error as Error).stack ?? String(error)))
    return error instanceof ProgramError ? error.exitCode : ExitCode.failed
  }
}

async function serve(args: ServeArguments, context: ProgramContext, log: (line: string) => void): Promise<void> {
  const docs = await openDocs(args, context, log)
  try {
    if (args.port === null) await untilInputEnds(docs, context, log)
    else await untilStopped(docs, args.port, context, log)
  } finally {
    await docs.close()
  }
}

async function openDocs(
  { folder, store }: ServeArguments,
  { env, platform }: ProgramContext,
  log: (line: string) => void,
): Promise<Docs> {
  if (store !== null) return opened(folder, store, log)
  const { root } = await DocsFolder.open(folder)
  try {
    return await opened(folder, defaultStore(root, env, platform), log)
  } catch (error) {
    if (!isToolkitError(error, 'docs_store')) throw error
    log(`${error.message} The index is kept in memory; --store names another file.`)
    return opened(folder, IN_MEMORY, log)
  }
}

async function opened(folder: string, store: string, log: (line: string) => void): Promise<Docs> {
  // The index contains the documents: only the user may read a folder that is created for it.
  if (store !== IN_MEMORY) await mkdir(dirname(store), { recursive: true, mode: 0o700 }).catch(() => {})
  const docs = await Docs.open(folder, { store, log })
  log(`${docs.root}, index ${store === IN_MEMORY ? 'in memory' : store}`)
  return docs
}

/** Serves standard input and output. */
async function untilInputEnds(
  docs: Docs,
  { stdin, stdout, signal }: ProgramContext,
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

/** Serves HTTP. */
async function untilStopped(
  docs: Docs,
  port: number,
  { signal }: ProgramContext,
  log: (line: string) => void,
): Promise<void> {
  const served = await serveHttp(docs, port, (error) => log(error.message))
  log(`listening on ${served.url}`)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await served.close()
}
