/**
 * @module
 * The SQL storage of a Durable Object of Cloudflare as a database of the stores.
 */
import { checkOption, required } from '@x/core/options'
import { SqliteVersionError } from './errors.ts'
import { migrations } from './migrations.ts'
import { SqliteDatabase } from './sqlite-database.ts'
import type { SqlConnection, SqlStatement, SqlValue } from './sqlite-driver.ts'

/** The part of the storage of a Durable Object that the stores use: `ctx.storage` of a class with `new_sqlite_classes`. */
export interface ObjectStorage {
  sql: { exec(query: string, ...bindings: unknown[]): Iterable<Record<string, unknown>> & { toArray(): unknown[] } }
  /** Runs `work` in a transaction, which is undone when it throws. */
  transactionSync<T>(work: () => T): T
}

const NAME = 'the storage of a Durable Object'

/**
 * Returns the SQL storage of a Durable Object as a database of the stores of this package, and creates or updates its tables. The object
 * is the only one that uses it: nothing waits for other writers. A value has at most 2 MB, as everywhere in this storage.
 * @param storage - `ctx.storage` of the object.
 * @throws {SqliteVersionError} when the tables were written by a newer version of this package.
 * @throws {ModelValidationError} when `storage` is no storage with SQL.
 * @example
 * class Chats {
 *   store: SqliteChatStore
 *   constructor(ctx: { storage: ObjectStorage }) {
 *     this.store = new SqliteChatStore(objectDatabase(ctx.storage))
 *   }
 * }
 */
export function objectDatabase(storage: ObjectStorage): SqliteDatabase {
  checkOption('objectDatabase', 'storage', storage, required(`${NAME} with SQL`, 'sql', 'transactionSync'))
  const connection = connectionOf(storage)
  migrateObject(connection)
  const facts = { path: NAME, hasVectorFunctions: false, isReadOnly: false, busyTimeoutMs: 0 }
  return new SqliteDatabase(connection, facts)
}

function connectionOf(storage: ObjectStorage): SqlConnection {
  const { sql } = storage
  const prepare = (query: string): SqlStatement => {
    const all = (...values: SqlValue[]) => Array.from(sql.exec(query, ...values), rowOf)
    return {
      all,
      get: (...values) => all(...values)[0],
      *iterate(...values) {
        for (const row of sql.exec(query, ...values)) yield rowOf(row)
      },
      run(...values) {
        sql.exec(query, ...values).toArray()
        const [row] = sql.exec('select changes() changes, last_insert_rowid() id').toArray() as Record<string, number>[]
        return { changes: row!['changes']!, lastInsertRowid: row!['id']! }
      },
    }
  }
  return {
    exec: (query) => sql.exec(query).toArray(),
    prepare,
    transactionSync: (work) => storage.transactionSync(work),
    loadExtension: () => {},
    close: () => {},
  }
}

/** Binary values are buffers there. */
function rowOf(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value)
  return row
}

/** Creates or updates the tables. The pragmas with versions do not exist there: the version is in a table of its own. */
function migrateObject(connection: SqlConnection): void {
  connection.transactionSync!(() => {
    connection.exec('create table if not exists schema_version (version integer not null) strict')
    const row = connection.prepare('select version from schema_version').get() as { version: number } | undefined
    const version = row?.version ?? 0
    if (version > migrations.length) throw new SqliteVersionError(NAME, migrations.length, version)
    if (version === migrations.length) return
    for (const step of migrations.slice(version)) connection.exec(step)
    connection.exec('delete from schema_version')
    connection.prepare('insert into schema_version (version) values (?)').run(migrations.length)
  })
}
