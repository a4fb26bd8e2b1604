import { setTimeout } from 'node:timers/promises'
import { Document, TextNode } from '@x/core-model'
import { MarkdownNodeParser } from '@x/node-parser'
import { IngestionPipeline } from '@x/retrieval'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { newDatabase, newPool, newSchema, serverUrl } from '../test/new-database.ts'
import { migrate, migrations } from './migrations.ts'
import { openDatabase } from './open-database.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { PostgresDocumentStore } from './postgres-document-store.ts'

const nodes = (...ids: string[]) => ids.map((id) => new TextNode({ id, text: id }))
const storedIds = async (database: PostgresDatabase) => Object.keys(await new PostgresDocumentStore(database).docs())

describe('openDatabase', () => {
  it('creates the tables once when several processes open a new database', async () => {
    const schema = newSchema()
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(newPool(), { schema })))
    for (const [n, database] of databases.entries())
      await new PostgresDocumentStore(database).addDocuments(nodes(`${n}`))
    expect(await storedIds(databases[0]!)).toEqual(['0', '1', '2', '3'])
  })

  it('separates databases of different schemas and prefixes, with any characters in their names', async () => {
    const [schema, pool] = [newSchema(), newPool()]
    const names = [
      { schema },
      { schema, tablePrefix: '' },
      { schema, tablePrefix: `a"b'; drop table x; --` },
      { schema: `${schema}"'ü.X`, tablePrefix: 'ü'.repeat(16) },
      { schema: schema.toUpperCase(), tablePrefix: 'X_' },
    ]
    for (const [n, options] of names.entries()) {
      const database = await openDatabase(pool, options)
      await new PostgresDocumentStore(database).addDocuments(nodes(`${n}`))
    }
    for (const [n, options] of names.entries())
      expect(await storedIds(await openDatabase(pool, options))).toEqual([`${n}`])
  })

  it('needs no right to create tables when they exist', async () => {
    const schema = newSchema()
    const database = await openDatabase(newPool(), { schema })
    await database.query(`create role "${schema}" login`)
    await database.query(`grant usage on schema "${schema}" to "${schema}"`)
    await database.query(`grant select, insert, update, delete on all tables in schema "${schema}" to "${schema}"`)
    const limited = await openDatabase(newPool({ connectionString: undefined, ...addressOf(schema) }), { schema })
    await new PostgresDocumentStore(limited).upsert(nodes('a'))
    expect(await storedIds(database)).toEqual(['a'])
  })

  it.each([
    [{ schema: '' }, 'schema: expected a string that is not empty, received ""'],
    [{ schema: 5 }, 'schema: expected a string, received'],
    [{ schema: 'x'.repeat(64) }, 'schema: expected at most 63 bytes'],
    [{ tablePrefix: 'a\0b' }, 'tablePrefix: expected at most 32 bytes'],
    [{ tablePrefix: 'ü'.repeat(17) }, 'tablePrefix: expected at most 32 bytes'],
    [{ prefix: 'x' }, 'prefix: unknown option'],
  ])('refuses the options %j', async (options, message) => {
    const opening = openDatabase(newPool(), options as object)
    await expect(opening).rejects.toMatchObject({ code: 'model_validation', message: expect.stringContaining(message) })
  })

  it('refuses an object that is not a pool', async () => {
    const refused = { code: 'model_validation', message: 'openDatabase.pool: expected a Pool of pg.' }
    for (const pool of [undefined, {}, new pg.Client(serverUrl())])
      await expect(openDatabase(pool as never)).rejects.toMatchObject(refused)
  })

  it('refuses a database that cannot store every character', async () => {
    const name = newSchema()
    await newPool().query(`create database ${name} encoding 'LATIN1' locale 'C' template template0`)
    const opening = openDatabase(newPool({ connectionString: undefined, ...addressOf('postgres'), database: name }))
    await expect(opening).rejects.toMatchObject({ code: 'configuration', message: expect.stringContaining('LATIN1') })
  })
})

describe('migrate', () => {
  it('runs each step once, and all of them or none', async () => {
    const database = await newDatabase()
    const extra = `"${database.tables.schema}".extra`
    const steps = [...migrations, () => `create table ${extra} (a int); insert into ${extra} values (1)`]
    const broken = [...steps, () => `create table ${extra}2 (a int); insert into nowhere values (1)`]
    await expect(migrate(database, broken)).rejects.toThrow('nowhere')
    await migrate(database)
    for (let i = 0; i < 2; i++) await migrate(database, steps)
    expect((await database.query(`select count(*)::int as n from ${extra}`)).rows).toEqual([{ n: 1 }])
    await expect(migrate(database)).rejects.toMatchObject({
      code: 'postgres_version',
      expected: migrations.length,
      received: steps.length,
    })
  })
})

describe('transaction', () => {
  it('keeps all writes of its operations, or none', async () => {
    const database = await newDatabase()
    const add = (inside: PostgresDatabase, id: string) => new PostgresDocumentStore(inside).addDocuments(nodes(id))
    const result = await database.transaction(async (inside) => {
      await Promise.all([add(inside, 'a'), add(inside, 'b'), inside.query('select 1')])
      expect(await storedIds(database)).toEqual([])
      return storedIds(inside)
    })
    expect(result).toEqual(['a', 'b'])
    const stop = new Error('stop')
    const failing = database.transaction(async (inside) => {
      await add(inside, 'c')
      throw stop
    })
    await expect(failing).rejects.toBe(stop)
    expect(await storedIds(database)).toEqual(['a', 'b'])
  })

  it('continues after one of its operations has failed', async () => {
    const database = await newDatabase()
    await database.transaction(async (outer) => {
      const store = new PostgresDocumentStore(outer)
      await store.addDocuments(nodes('a'))
      await outer
        .transaction(async (inner) => {
          await new PostgresDocumentStore(inner).addDocuments(nodes('b'))
          await inner.transaction((innermost) => innermost.query('select * from nowhere')).catch(() => null)
          throw new Error('stop')
        })
        .catch(() => null)
      await store.addDocuments(nodes('c'))
    })
    expect(await storedIds(database)).toEqual(['a', 'c'])
  })

  it('throws the error of a statement that its work has caught, because nothing was written', async () => {
    const database = await newDatabase()
    const caught = database.transaction(async (inside) => {
      await new PostgresDocumentStore(inside).addDocuments(nodes('a'))
      await inside.query('select 1 / 0').catch(() => null)
    })
    await expect(caught).rejects.toMatchObject({ message: 'division by zero' })
    expect(await storedIds(database)).toEqual([])
  })

  it('refuses an unknown isolation level', async () => {
    const database = await newDatabase()
    const isolation = 'repeatable read' as 'serializable'
    const refused = { code: 'configuration', message: expect.stringContaining('received "repeatable read"') }
    await expect(database.transaction(async () => 1, { isolation })).rejects.toMatchObject(refused)
  })

  it('refuses operations after its end', async () => {
    const database = await newDatabase()
    let left: PostgresDatabase | undefined
    await database.transaction(async (inside) => {
      left = inside
    })
    await expect(storedIds(left!)).rejects.toMatchObject({ code: 'configuration' })
  })

  it('is repeated after a deadlock', async () => {
    const [schema, options] = [newSchema(), { options: '-c deadlock_timeout=20ms' }]
    const databases = await Promise.all([1, 2].map(() => openDatabase(newPool(options), { schema })))
    const [one, two] = databases as [PostgresDatabase, PostgresDatabase]
    await new PostgresDocumentStore(one).addDocuments(nodes('a', 'b'))
    let calls = 0
    let meet = () => {}
    const meeting = new Promise<void>((resolve) => {
      meet = resolve
    })
    const lockBoth = (database: PostgresDatabase, ids: string[]) =>
      database.transaction(async (inside) => {
        const sql = `select from ${inside.tables.nodes} where id = $1 for update`
        await inside.query(sql, [ids[0]])
        if (++calls === 2) meet()
        await meeting
        await inside.query(sql, [ids[1]])
      })
    await Promise.all([lockBoth(one, ['a', 'b']), lockBoth(two, ['b', 'a'])])
    // On a busy machine, the server may undo both.
    expect(calls).toBeGreaterThan(2)
  })

  it('throws after ten attempts that the server has undone', async () => {
    const database = await newDatabase()
    const failing = vi.fn(async () => {
      throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    })
    const error = { code: 'postgres_conflict', retryable: true, attempts: 10 }
    await expect(database.transaction(failing)).rejects.toMatchObject(error)
    expect(failing).toHaveBeenCalledTimes(10)
  })
})

describe('a signal', () => {
  it('undoes a transaction that waits for another one', async () => {
    const pool = newPool({ max: 2 })
    const database = await openDatabase(pool, { schema: newSchema() })
    const store = new PostgresDocumentStore(database)
    await store.addDocuments(nodes('a'))
    const controller = new AbortController()
    const reason = new Error('enough')
    await database.transaction(async (inside) => {
      await new PostgresDocumentStore(inside).deleteDocument('a')
      const waiting = database.transaction(
        async (other) => {
          await new PostgresDocumentStore(other).addDocuments(nodes('b'))
          setTimeout(20).then(() => controller.abort(reason))
          await new PostgresDocumentStore(other).deleteDocument('a')
        },
        { signal: controller.signal },
      )
      await expect(waiting).rejects.toBe(reason)
    })
    expect(await storedIds(database)).toEqual([])
    await expect(database.transaction(async () => 1, { signal: controller.signal })).rejects.toBe(reason)
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0])
  })

  it('stops waiting for a connection', async () => {
    const pool = newPool({ max: 1 })
    const database = await openDatabase(pool, { schema: newSchema() })
    const reason = new Error('enough')
    const controller = new AbortController()
    const client = await pool.connect()
    const waiting = database.transaction(async () => expect.fail('called'), { signal: controller.signal })
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    client.release()
    expect(await database.transaction(async () => 1)).toBe(1)
  })
})

describe('a lost connection', () => {
  const lost = { code: 'postgres_connection', retryable: true }

  it('is a retryable error, and undoes the transaction', async () => {
    const database = await newDatabase()
    const kill = async (inside: PostgresDatabase) => {
      const { rows } = await inside.query('select pg_backend_pid() as pid')
      await database.query('select pg_terminate_backend($1, 5000)', [rows[0].pid])
    }
    const cut = database.transaction(async (inside) => {
      await new PostgresDocumentStore(inside).addDocuments(nodes('a'))
      await kill(inside)
      await storedIds(inside)
    })
    await expect(cut).rejects.toMatchObject(lost)
    expect(await storedIds(database)).toEqual([])
    await expect(database.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject(lost)
    expect(await storedIds(database)).toEqual([])
  })

  it('throws the same error when the server does not exist', async () => {
    const server = await startPostgres()
    const pool = newPool({ connectionString: server.connectionString })
    const database = await openDatabase(pool)
    await server.stop()
    await expect(storedIds(database)).rejects.toMatchObject(lost)
    await expect(database.transaction(async () => 1)).rejects.toMatchObject(lost)
    await expect(openDatabase(newPool({ host: 'none.invalid', connectionString: undefined }))).rejects.toMatchObject(
      lost,
    )
  })

  it('throws the same error when the pool has no free connection in time', async () => {
    const pool = newPool({ max: 1, connectionTimeoutMillis: 1_000 })
    const database = await openDatabase(pool, { schema: newSchema() })
    const client = await pool.connect()
    await expect(storedIds(database)).rejects.toMatchObject(lost)
    client.release()
  })

  it('ends an ingestion that skips documents', async () => {
    const pool = newPool({ max: 1, connectionTimeoutMillis: 200 })
    const store = new PostgresDocumentStore(await openDatabase(pool, { schema: newSchema() }))
    const pipeline = new IngestionPipeline({ transformations: [new MarkdownNodeParser()], store })
    const documents = nodes('a', 'b', 'c').map(({ id, text }) => new Document({ id, text }))
    const client = await pool.connect()
    const stopped = { code: 'ingestion_stopped', cause: lost, left: 3, result: { errors: [] } }
    await expect(pipeline.run(documents, { onError: 'skip' })).rejects.toMatchObject(stopped)
    client.release()
    expect(await pipeline.run(documents, { onError: 'skip' })).toMatchObject({ added: 3, errors: [] })
  })
})

it('other errors of the server pass through unchanged', async () => {
  const database = await newDatabase()
  await expect(database.query('select * from nowhere')).rejects.toMatchObject({ code: '42P01', severity: 'ERROR' })
})

function addressOf(user: string) {
  const { hostname, port } = new URL(serverUrl())
  return { host: hostname, port: Number(port), user, database: 'postgres' }
}
