/**
 * @module
 * Parses the command line.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ExitCode, ProgramError } from './program-error.ts'

const USAGE = 'Usage: docs-mcp <folder> [--store FILE] [--http PORT]'

export const HELP = `Serves a folder of Markdown files as an MCP server: search, tables, reading by place.

${USAGE}

  <folder>        Files ending in .md, .mdx and .markdown in it, at any depth, are served. Changes take effect immediately.
  --store FILE    The SQLite file that keeps the index. Several servers of one folder may share it.
                  By default a file in the cache folder of the user; ":memory:" keeps nothing.
  --http PORT     Serves streamable HTTP on http://127.0.0.1:PORT/mcp instead of standard input and output.
  --version       Prints the version.
  --help          Prints this text.

Configuration of a client:
  { "mcpServers": { "docs": { "command": "npx", "args": ["-y", "@x/docs-mcp", "/path/to/docs"] } } }

Standard output carries the protocol alone; the log is on standard error.
Exit codes: 0 ended by the client or a signal, 1 the folder, the index or the port cannot be used, 2 wrong arguments
`

/** The parsed command line. */
export type Arguments =
  | { command: 'help' }
  | { command: 'version' }
  | {
      command: 'serve'
      folder: string
      /** The path of the index; null for the default. */
      store: string | null
      /** The port of an HTTP server; null for standard input and output. */
      port: number | null
    }

/** Parses the command line. @throws {ProgramError} when it is wrong. */
export function readArguments(argv: readonly string[], cwd: string): Arguments {
  const { values, positionals } = parse(argv)
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const [folder, ...others] = positionals
  if (folder === undefined || folder === '') throw wrong('expected a folder, received none.')
  if (others.length > 0) throw wrong(`expected one folder, received ${positionals.length}.`)
  const { http, store } = values
  if (http !== undefined && !(/^\d{1,5}$/.test(http) && Number(http) <= 65535))
    throw wrong(`--http: expected a port from 0 to 65535, received "${http}".`)
  if (store === '') throw wrong('--store: expected a file, received an empty string.')
  return {
    command: 'serve',
    folder: resolve(cwd, folder),
    store: store === undefined ? null : store === ':memory:' ? store : resolve(cwd, store),
    port: http === undefined ? null : Number(http),
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        store: { type: 'string' },
        http: { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw wrong((error as Error).message.split('\n')[0]!.replace(/\. To specify.*$/, '.'))
  }
}

function wrong(problem: string): ProgramError {
  return new ProgramError(ExitCode.usage, `${problem}\n${USAGE}`)
}
