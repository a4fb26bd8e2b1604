import { openDatabase, type PostgresDatabase, type PostgresPool } from '../src/index.ts'
import { embeddedPostgres } from './embedded-postgres.ts'
import { newPool, newSchema } from './new-database.ts'

let embedded: ReturnType<typeof embeddedPostgres> | null = null

/**
 * Returns a function that opens a database with pgvector and separate tables: on the server of the tests if that has the extension, otherwise in
 * an embedded Postgres, which the tests of one file share.
 */
export function vectorDatabases(): (wrap?: (pool: PostgresPool) => PostgresPool) => Promise<PostgresDatabase> {
  return async (wrap = (pool) => pool) => {
    const server = newPool()
    const { rows } = await server.query(`select from pg_available_extensions where name = 'vector'`)
    if (rows.length === 0) embedded ??= embeddedPostgres()
    return openDatabase(wrap((await embedded)?.pool ?? server), { schema: newSchema(), pgvector: true })
  }
}
