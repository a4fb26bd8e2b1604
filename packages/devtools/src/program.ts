/**
 * @module
 * The program: opens a store, and serves its page.
 */

import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ConfigurationError, isToolkitError, type TaskStore } from '@x/core-model'
import type { PostgresPool } from '@x/postgres'
import { openDatabase, SqliteTaskStore } from '@x/sqlite'
import { FileTaskStore } from '@x/storage/node'
import { serveTasks } from './serve-tasks.ts'
import { TaskViews, type TaskViewsOptions } from './task-views.ts'

const HELP = `Usage: devtools STORE [AGENT] [--port PORT]

Shows the tasks of a store as a page: what happened, forks side by side, and calls that wait.

  STORE   a file of SQLite (tasks.db), an address (postgres://…), or a folder of a FileTaskStore
  AGENT   a module that exports agentOf(run), which makes the agent of a task. With it, tasks are
          continued, undone and forked. Without it, the page looks, and decides about calls.
  --port  4400 by default; 0 is any free one
  --help

Tasks that were submitted to a worker are run by that worker alone.
Exit codes: 0 ended; 1 the store or the agent cannot be opened; 2 wrong arguments.
`

/** The environment of the program. */
interface DevtoolsContext {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** The folder of relative paths. */
  cwd: string
  /** Ends the program. */
  signal: AbortSignal
}

/** Runs the program until its signal aborts, and returns its exit code. @param argv - the arguments of the command line. */
export async function runDevtools(argv: readonly string[], context: DevtoolsContext): Promise<number> {
  const { stdout, stderr, signal } = context
  let exitCode = 2
  try {
    const args = readArguments(argv)
    if (args === 'help') {
      stdout.write(HELP)
      return 0
    }
    exitCode = 1
    const path = /^postgres(?:ql)?:/.test(args.path) ? args.path : resolve(context.cwd, args.path)
    const agent = args.agent === undefined ? undefined : await loadAgent(resolve(context.cwd, args.agent))
    const { store, close } = await openStore(path)
    const served = await serveTasks(new TaskViews({ store, agent }), args.port)
    stdout.write(`${served.url}\n`)
    if (!signal.aborted) await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }))
    await served.close()
    await close()
    return 0
  } catch (error) {
    // What the program and the stores say is for the user.
    if (!isToolkitError(error)) throw error
    stderr.write(`${error.message}\n`)
    return exitCode
  }
}

/** @throws {ConfigurationError} when they are wrong. */
function readArguments(argv: readonly string[]): { path: string; agent: string | undefined; port: number } | 'help' {
  const options = { port: { type: 'string', default: '4400' }, help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parsed({ args: [...argv], allowPositionals: true, options })
  if (values.help) return 'help'
  const [path, agent, ...others] = positionals
  if (path === undefined || others.length > 0)
    throw new ConfigurationError(
      `Expected a store and at most one agent, received ${argv.join(' ') || 'nothing'}.\n\n${HELP}`,
    )
  if (!/^\d{1,5}$/.test(values.port))
    throw new ConfigurationError(`--port: expected a number from 0 to 65535, received "${values.port}".`)
  return { path, agent, port: Number(values.port) }
}

const parsed: typeof parseArgs = (options) => {
  try {
    return parseArgs(options)
  } catch (error) {
    throw new ConfigurationError(`${(error as Error).message}\nSee --help.`)
  }
}

/** @throws {ConfigurationError} when the module cannot be loaded or has no `agentOf`. */
async function loadAgent(path: string): Promise<NonNullable<TaskViewsOptions['agent']>> {
  const module = await import(pathToFileURL(path).href).catch((error: Error) => {
    throw new ConfigurationError(`${path}: ${error.message}`)
  })
  if (typeof module.agentOf === 'function') return module.agentOf
  const names = Object.keys(module).join(', ')
  throw new ConfigurationError(`${path}: expected an exported function agentOf(run), found ${names}.`)
}

/** An open store. */
interface OpenStore {
  store: TaskStore
  close(): Promise<void>
}

/**
 * Opens the tasks of an address of Postgres, a file of SQLite or a folder of JSON files.
 * @throws {ConfigurationError} when there is nothing to open.
 */
async function openStore(path: string): Promise<OpenStore> {
  if (/^postgres(?:ql)?:/.test(path)) return openPostgres(path)
  if (!existsSync(path)) throw new ConfigurationError(`${path}: there is no file and no folder with this name.`)
  if (statSync(path).isDirectory()) return { store: new FileTaskStore(path), close: async () => {} }
  const database = await openDatabase(path)
  return { store: new SqliteTaskStore(database), close: async () => database.close() }
}

interface Pool {
  on(event: 'error', receive: () => void): unknown
  end(): Promise<void>
}

async function openPostgres(connectionString: string): Promise<OpenStore> {
  const { default: pg } = (await import('pg' as string).catch(() => {
    throw new ConfigurationError('Postgres needs the package pg: npm install pg')
  })) as { default: { Pool: new (options: object) => PostgresPool & Pool } }
  const { openDatabase: open, PostgresTaskStore } = await import('@x/postgres')
  const pool = new pg.Pool({ connectionString })
  // An idle connection that is lost would end the process; the next query opens another one.
  pool.on('error', () => {})
  return { store: new PostgresTaskStore(await open(pool)), close: async () => pool.end() }
}
