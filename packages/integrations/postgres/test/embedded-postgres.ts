import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { PostgresPool } from '../src/index.ts'

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

/** Starts a Postgres with pgvector in this process. */
export async function embeddedPostgres(): Promise<{ pool: PostgresPool; stop(): Promise<void> }> {
  const postgres = await PGlite.create({ extensions: { vector } })
  return { pool: new EmbeddedPool(postgres), stop: () => postgres.close() }
}
