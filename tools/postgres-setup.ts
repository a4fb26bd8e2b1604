/** For `globalSetup` of Vitest: starts a Postgres server for all tests of a package. Its address is in the environment variable DATABASE_URL. */
import { startPostgres } from './postgres-server.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  process.env['DATABASE_URL'] = server.connectionString
  return () => server.stop()
}
