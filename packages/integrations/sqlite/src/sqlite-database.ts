/**
 * @module
 * A connection to a database that the stores and indexes share.
 */

import { checkOptions, choice, flag, invalidOption, type OptionTable, wholeNumber } from '@x/core/options'
import { isToolkitError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { explained, isBusy } from './errors.ts'
import { checkVersion, migrate } from './migrations.ts'
import {
  connect,
  connectReadOnly,
  type SqlConnection,
  type SqliteLibrary,
  type SqlRow,
  type SqlStatement,
  type SqlValue,
  sqliteVecPath,
} from './sqlite-driver.ts'

/** The options of {@link openDatabase}. */
interface SqliteOptions {
  /**
   * How long a write waits for the writes of other connections, in milliseconds. Writes of tasks, of their events and of turns do not block
   * the thread while they wait; others do. @defaultValue 5000
   */
  busyTimeoutMs?: number | undefined
  /**
   * `full`: acknowledged writes survive a loss of power. `normal`: they survive a crash of the process, and are faster where
   * flushing a disk is slow. @defaultValue 'full'
   */
  durability?: 'full' | 'normal' | undefined
  /**
   * Whether the database is only read, so that it may be in an image or a folder that cannot be written. Its tables are not updated. Where
   * the folder cannot be written, changes of the file are not noticed; where it can, SQLite may leave an empty `-wal` beside it.
   * @defaultValue false
   */
  readOnly?: boolean | undefined
  /** The library to use. @defaultValue `node:sqlite`, or better-sqlite3 if that is missing */
  library?: SqliteLibrary | undefined
  /** Whether to load sqlite-vec, which must be installed. It makes the search of vectors faster. @defaultValue false */
  sqliteVec?: boolean | undefined
}

/**
 * Opens a database and creates or updates its tables. One file may contain one document store, the conversations, the tasks and the
 * indexes, or some of them. Its directory must exist. `':memory:'` is a database that is never saved.
 *
 * Any number of processes may read while one writes (write-ahead log). All operations are synchronous inside and complete when they
 * return.
 * @throws {SqliteOpenError} when the platform has no SQLite library, or the file is not a database of this package.
 * @throws {SqliteVersionError} when the database was written by a newer version of this package; with `readOnly`, also by an older one.
 * @throws {SqliteReadOnlyError} when the file or its folder cannot be written, without `readOnly`.
 * @throws {SqliteDamagedError} when the file is damaged. @throws {SqliteFullError} when the disk is full.
 * @throws {SqliteBusyError} when another connection was writing for longer than `busyTimeoutMs`.
 * @throws {ModelValidationError} when an option is not valid.
 * @example
 * const database = await openDatabase(':memory:')
 * const store = new SqliteDocumentStore(database)
 * await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
 * database.close()
 */
export async function openDatabase(path: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  checkOptions('openDatabase', options, sqliteOptions)
  const { busyTimeoutMs = 5000, durability = 'full', library, sqliteVec = false, readOnly = false } = options
  try {
    const extension = sqliteVec ? await sqliteVecPath(path) : null
    const connection = await (readOnly ? connectReadOnly : connect)(path, { library, extension })
    try {
      connection.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      if (readOnly) checkVersion(connection, path)
      else {
        await useWriteAheadLog(connection, busyTimeoutMs)
        connection.exec(`pragma synchronous = ${durability}; pragma foreign_keys = on`)
        migrate(connection, path)
      }
    } catch (error) {
      connection.close()
      throw error
    }
    return new SqliteDatabase(connection, { path, hasVectorFunctions: sqliteVec, isReadOnly: readOnly, busyTimeoutMs })
  } catch (error) {
    throw explained(error, path)
  }
}

/**
 * Switches to the write-ahead log. SQLite does not wait for another connection that does the same to a new database, because both hold
 * a lock that the other one needs. Therefore the switch is repeated.
 */
async function useWriteAheadLog(connection: SqlConnection, busyTimeoutMs: number): Promise<void> {
  const end = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      connection.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() >= end) throw error
      await pause(5)
    }
  }
}

const sqliteOptions: OptionTable<SqliteOptions> = {
  busyTimeoutMs: wholeNumber(0),
  durability: choice('full', 'normal'),
  library: choice('node:sqlite', 'better-sqlite3'),
  sqliteVec: flag,
  readOnly: flag,
}

/** Refuses a function that returns a promise: its second argument has no value. */
type NotAsync<T> = [T] extends [never]
  ? []
  : T extends PromiseLike<unknown>
    ? [error: 'A transaction is synchronous: do not return a promise.']
    : []

/** How long a write pauses before it tries again, in milliseconds. */
const BUSY_PAUSE_MS = 10

/** What is known of an open database. */
type DatabaseFacts = Pick<SqliteDatabase, 'path' | 'hasVectorFunctions' | 'isReadOnly'>

/** An open database. Created by {@link openDatabase}. */
export class SqliteDatabase {
  /** The path of the file. */
  readonly path: string
  /** Whether the functions of sqlite-vec are available. */
  readonly hasVectorFunctions: boolean
  /** Whether it was opened with `readOnly`. */
  readonly isReadOnly: boolean
  private readonly connection: SqlConnection
  private readonly statements = new Map<string, SqlStatement>()
  private isInTransaction = false
  private readonly busyTimeoutMs: number
  /** The number of transactions that wait for other connections, and the last one of them. */
  private waiting = 0
  private last: Promise<unknown> = Promise.resolve()

  /** @internal */
  constructor(
    connection: SqlConnection,
    { path, hasVectorFunctions, isReadOnly, busyTimeoutMs }: DatabaseFacts & { busyTimeoutMs: number },
  ) {
    this.connection = connection
    this.busyTimeoutMs = busyTimeoutMs
    this.path = path
    this.hasVectorFunctions = hasVectorFunctions
    this.isReadOnly = isReadOnly
  }

  /**
   * Closes the connection. Stores and indexes of this database cannot be used afterwards. The file then contains all writes, also while
   * other connections are open, so that it can be copied without its `-wal`; unless one of them is in the middle of an operation.
   */
  close(): void {
    try {
      if (!this.isReadOnly) this.connection.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
    } catch {
      // The writes are safe in the -wal, from where the next connection takes them.
    }
    this.connection.close()
  }

  /** Runs a statement; returns the number of rows that it changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.guarded(() => Number(this.statement(sql, true).run(...values.map(storedValue)).changes))
  }

  /** Returns the first row of a query, or null. */
  get(sql: string, ...values: SqlValue[]): SqlRow | null {
    return this.guarded(() => {
      const row = this.statement(sql).get(...values.map(storedValue)) as SqlRow | undefined
      return row ? originalRow(row) : null
    })
  }

  /** Returns all rows of a query. @internal */
  all(sql: string, ...values: SqlValue[]): SqlRow[] {
    return this.guarded(() => (this.statement(sql).all(...values.map(storedValue)) as SqlRow[]).map(originalRow))
  }

  /** Returns all rows of a query as they are stored: {@link originalText} returns the original of a string. @internal */
  stored<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.guarded(() => this.statement(sql).all(...values.map(storedValue)) as Row[])
  }

  /** Returns the rows of a query one by one. The statement is not shared. @internal */
  *each(sql: string, ...values: SqlValue[]): Generator<SqlRow> {
    try {
      for (const row of this.connection.prepare(sql).iterate(...values.map(storedValue)))
        yield originalRow(row as SqlRow)
    } catch (cause) {
      throw explained(cause, this.path)
    }
  }

  /**
   * Runs `work` in one transaction and returns its result: all of its writes are kept, or none. Within a transaction, `work` becomes part
   * of it. Operations of stores belong to the transaction if they are called before `work` returns: call them without `await`.
   * @throws {ModelValidationError} when `work` returns a promise, which ends after the transaction. Nothing is written then.
   * @throws {SqliteBusyError} when another connection is writing for longer than `busyTimeoutMs`.
   * @throws {SqliteReadOnlyError} in a database that cannot be written. @throws {SqliteFullError} on a full disk.
   * @example
   * const database = await openDatabase(':memory:')
   * const chats = new SqliteChatStore(database)
   * database.transaction(() => {
   *   chats.addMessage('ann', new ChatMessage({ content: 'Hello' }))
   *   chats.addMessage('bob', new ChatMessage({ content: 'Hello' }))
   * })
   * chats.getKeys() // => ['ann', 'bob']
   */
  transaction<T>(work: () => T, ..._notAsync: NotAsync<T>): T {
    if (this.isInTransaction) return checkedResult(work())
    if (this.connection.transactionSync) return this.connection.transactionSync(() => this.within(work))
    this.guarded(() => this.connection.exec('begin immediate'))
    try {
      const result = this.within(work)
      this.guarded(() => this.connection.exec('commit'))
      return result
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** Runs the work of a transaction that has begun. */
  private within<T>(work: () => T): T {
    this.isInTransaction = true
    try {
      return checkedResult(work())
    } finally {
      this.isInTransaction = false
    }
  }

  /**
   * Runs `work` in one transaction, like `transaction`. While another connection is writing, it does not block the thread: it returns a
   * promise, and tries again up to `busyTimeoutMs`. Work that waits runs in its order. @internal
   */
  patient<T>(work: () => T): T | Promise<T> {
    if (this.isInTransaction) return work()
    if (this.connection.transactionSync) return this.transaction<unknown>(work) as T
    if (this.waiting === 0) {
      try {
        return this.atOnce(work)
      } catch (error) {
        if (!isToolkitError(error, 'sqlite_busy')) throw error
      }
    }
    const end = performance.now() + this.busyTimeoutMs
    this.waiting++
    const result = this.last.then(() => this.repeated(work, end)).finally(() => this.waiting--)
    this.last = result.catch(() => {})
    return result
  }

  private async repeated<T>(work: () => T, end: number): Promise<T> {
    for (;;) {
      try {
        return this.atOnce(work)
      } catch (error) {
        if (!isToolkitError(error, 'sqlite_busy') || performance.now() >= end) throw error
      }
      await pause(BUSY_PAUSE_MS)
    }
  }

  /** Runs a transaction, which does not wait for other connections. */
  private atOnce<T>(work: () => T): T {
    this.guarded(() => this.connection.exec('pragma busy_timeout = 0'))
    try {
      return this.transaction<unknown>(work) as T
    } finally {
      this.guarded(() => this.connection.exec(`pragma busy_timeout = ${this.busyTimeoutMs}`))
    }
  }

  private rollback(): void {
    try {
      this.connection.exec('rollback')
    } catch {
      // SQLite has ended the transaction itself, for example on a full disk. The original error is thrown.
    }
  }

  /** @param writes - `node:sqlite` then returns numbers as bigints, because the full-text search makes rowids beyond 2^53. */
  private statement(sql: string, writes = false): SqlStatement {
    let statement = this.statements.get(sql)
    if (!statement) {
      statement = this.connection.prepare(sql)
      if (writes) statement.setReadBigInts?.(true)
      this.statements.set(sql, statement)
    }
    return statement
  }

  private guarded<T>(operation: () => T): T {
    try {
      return operation()
    } catch (cause) {
      throw explained(cause, this.path)
    }
  }
}

/** Returns the result of a transaction. @throws {ModelValidationError} when it is a promise. */
function checkedResult<T>(result: T): T {
  if (typeof (result as PromiseLike<unknown> | null | undefined)?.then !== 'function') return result
  // The error of the work has no other reader.
  Promise.resolve(result).catch(() => {})
  throw invalidOption('SqliteDatabase.transaction', 'work', 'a function that does not return a promise', result)
}

const escape = '\u001b'
const special = /\u001b|\p{Surrogate}/u
const storable = new Set(['number', 'bigint'])

/**
 * Returns a value in a form that SQLite keeps: halves of surrogate pairs become an escape character and four hexadecimal digits.
 * @throws {ModelValidationError} for a value that SQLite cannot store. It is often an id that a caller has left out.
 */
function storedValue(value: SqlValue): SqlValue {
  if (typeof value !== 'string') {
    const isStorable =
      typeof value === 'object' ? value === null || ArrayBuffer.isView(value) : storable.has(typeof value)
    if (isStorable) return value
    throw invalidOption('SqliteDatabase', 'value', 'a string, a number, bytes or null', value)
  }
  if (!special.test(value)) return value
  const code = (found: string) => escape + found.charCodeAt(0).toString(16).padStart(4, '0')
  return value.replace(new RegExp(special, 'gu'), code)
}

/** Returns a row with the original strings. */
function originalRow(row: SqlRow): SqlRow {
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string' && value.includes(escape)) row[name] = originalText(value)
  }
  return row
}

/** Returns the original of a string that is stored. */
export function originalText(stored: string): string {
  if (!stored.includes(escape)) return stored
  return stored.replace(/\u001b([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
