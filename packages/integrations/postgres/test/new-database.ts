import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { openDatabase, type PostgresDatabase, type PostgresPool } from '../src/index.ts'
import type { PostgresOptions } from '../src/open-database.ts'

let count = 0

/** The address of the server that the tests share. */
export function serverUrl(): string {
  const url = process.env['DATABASE_URL']
  if (!url) throw new Error('the server was not started: run the tests with the configuration of this package')
  return url
}

/** Returns a pool of the server, which ends with the test. */
export function newPool(options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: serverUrl(), ...options })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

/** Returns the name of an unused schema. */
export function newSchema(): string {
  return `test_${process.pid}_${count++}`
}

/** Returns a database with separate tables, for one test. */
export async function newDatabase(options: PostgresOptions = {}): Promise<PostgresDatabase> {
  return openDatabase(newPool(), { schema: newSchema(), ...options })
}

let embedded: ReturnType<typeof embeddedPostgres> | null = null

/**
 * Returns a function that opens a database with pgvector and separate tables: on the server of the tests if that has the extension,
 * otherwise in an embedded Postgres, which the tests of one file share.
 */
export function vectorDatabases(): (wrap?: (pool: PostgresPool) => PostgresPool) => Promise<PostgresDatabase> {
  return async (wrap = (pool) => pool) => {
    const server = newPool()
    const { rows } = await server.query(`select from pg_available_extensions where name = 'vector'`)
    if (rows.length === 0) embedded ??= embeddedPostgres()
    return openDatabase(wrap((await embedded)?.pool ?? server), { schema: newSchema(), pgvector: true })
  }
}

/** Returns the statement that makes the table of a `PGVectorStore`, as its version 0.1 does with hybrid search. */
export function newPythonTable({ tables }: PostgresDatabase, name: string, dimension: number): string {
  return `create table ${tables.quotedSchema}."data_${name}" (
    id bigserial primary key, text varchar not null, metadata_ json, node_id varchar, embedding vector(${dimension}),
    text_search_tsv tsvector generated always as (to_tsvector('english', text)) stored)`
}

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
async function embeddedPostgres(): Promise<{ pool: PostgresPool; stop(): Promise<void> }> {
  const postgres = await PGlite.create({ extensions: { vector } })
  return { pool: new EmbeddedPool(postgres), stop: () => postgres.close() }
}
