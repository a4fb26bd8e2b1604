import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll } from 'vitest'
import { openDatabase, type PostgresDatabase, type PostgresPool } from '../src/index.ts'
import { newPool, newSchema } from './new-database.ts'

/** A Postgres in this process, with one connection, as a pool. */
class EmbeddedPool implements PostgresPool {
  private readonly postgres: PGlite
  private last: Promise<unknown> = Promise.resolve()

  constructor(postgres: PGlite) {
    this.postgres = postgres
  }

  async query(text: string, values?: unknown[]) {
    const client = await this.connect()
    try {
      return await client.query(text, values)
    } finally {
      client.release()
    }
  }

  async connect() {
    const { last } = this
    let release = () => {}
    this.last = new Promise<void>((resolve) => {
      release = resolve
    })
    await last
    const query = async (text: string, values?: unknown[]) => {
      // As pg does: several statements at once, without values.
      const result = values ? await this.postgres.query(text, values) : (await this.postgres.exec(text)).at(-1)
      return { rows: result?.rows ?? [], command: text.split(' ', 1)[0]!.toUpperCase() }
    }
    return { query, release, on: () => {}, removeListener: () => {} }
  }
}

/**
 * Returns a function that opens a database with pgvector and separate tables: on the server of the tests if that has the extension, otherwise in
 * an embedded Postgres, which the tests of one file share.
 */
export function vectorDatabases(): (wrap?: (pool: PostgresPool) => PostgresPool) => Promise<PostgresDatabase> {
  let embedded: Promise<PGlite> | null = null
  let only: PostgresPool | null = null
  afterAll(async () => (await embedded)?.close())
  return async (wrap = (pool) => pool) => {
    const server = newPool()
    const { rows } = await server.query(`select from pg_available_extensions where name = 'vector'`)
    if (rows.length === 0) only ??= new EmbeddedPool(await (embedded ??= PGlite.create({ extensions: { vector } })))
    return openDatabase(wrap(only ?? server), { schema: newSchema(), pgvector: true })
  }
}
