/**
 * @module
 * Structural types of the part of SQLite that this package uses; `node:sqlite` and better-sqlite3 satisfy them.
 */
import { isNotWritable, SqliteOpenError } from './errors.ts'

/** A value that statements of SQLite accept and return. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** One row, by column. */
export type SqlRow = Record<string, SqlValue>

/** A prepared statement. */
export interface SqlStatement {
  /** Runs the statement; returns the number of rows that it changed. */
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  /** Returns the first row. */
  get(...values: SqlValue[]): unknown
  /** Returns all rows. */
  all(...values: SqlValue[]): unknown[]
  /** Returns the rows one by one. */
  iterate(...values: SqlValue[]): IterableIterator<unknown>
  /** Of `node:sqlite`: whether integers are returned as bigints. */
  setReadBigInts?(enabled: boolean): void
}

/** A connection. */
export interface SqlConnection {
  exec(sql: string): unknown
  prepare(sql: string): SqlStatement
  loadExtension(path: string): unknown
  /** Of `node:sqlite`: whether extensions can be loaded. */
  enableLoadExtension?(allow: boolean): void
  /** Of Durable Objects, which have no other connection: runs `work` in a transaction. */
  transactionSync?<T>(work: () => T): T
  close(): void
}

/** The library of a connection. */
export type SqliteLibrary = 'node:sqlite' | 'better-sqlite3'

interface NodeSqlite {
  DatabaseSync: new (path: string, options: { allowExtension: boolean; readOnly: boolean }) => SqlConnection
}

type BetterSqlite = new (path: string, options: { readonly: boolean }) => SqlConnection

/** The options of {@link connect}. */
export interface ConnectOptions {
  /** @defaultValue `node:sqlite`, or better-sqlite3 if that is missing */
  library?: SqliteLibrary | undefined
  /** The path of an extension to load. Other extensions cannot be loaded. @defaultValue null */
  extension?: string | null
  /** Whether nothing is written. @defaultValue false */
  readOnly?: boolean
}

/**
 * Opens a connection for reading. SQLite wants to write beside a database with a write-ahead log; where it cannot, the file is read as one
 * that does not change.
 * @throws {SqliteOpenError} also when the file has a write-ahead log that cannot be read without writing.
 */
export async function connectReadOnly(path: string, options: ConnectOptions): Promise<SqlConnection> {
  const probed = async (name: string) => {
    const connection = await connect(path, { ...options, readOnly: true }, name)
    try {
      connection.prepare('select count(*) from sqlite_schema').get()
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }
  try {
    return await probed(path)
  } catch (error) {
    const { cause = error } = error as Error
    if (!isNotWritable(cause) || options.library === 'better-sqlite3' || !nodeSqlite()) throw error
    const size = sizeOf(path)
    const log = sizeOf(`${path}-wal`)
    if (size === 0) throw error
    if (log > 0)
      throw new SqliteOpenError(
        path,
        'writes in its -wal file can only be read where the folder can be written; close the database before it is copied',
        { cause },
      )
    const name = path.replaceAll('\\', '/').replace(/^(?=[a-z]:)/i, '///')
    return probed(`file:${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}?immutable=1`)
  }
}

/** Returns the size of a file in bytes; 0 if there is none. */
function sizeOf(path: string): number {
  const fs = builtin<{ statSync(path: string, options: { throwIfNoEntry: false }): { size: number } | undefined }>(
    'node:fs',
  )
  return fs?.statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Opens a connection.
 * @param name - the path as SQLite receives it
 * @throws {SqliteOpenError} when no SQLite library is available, or the file cannot be opened.
 */
export async function connect(
  path: string,
  { library, extension = null, readOnly = false }: ConnectOptions = {},
  name = path,
): Promise<SqlConnection> {
  const NodeDatabase = library === 'better-sqlite3' ? undefined : nodeSqlite()
  if (!NodeDatabase && library === 'node:sqlite') throw new SqliteOpenError(path, 'this platform has no node:sqlite')
  const BetterDatabase = NodeDatabase ? undefined : await betterSqlite(path)
  try {
    const connection = NodeDatabase
      ? new NodeDatabase(name, { allowExtension: extension !== null, readOnly })
      : new BetterDatabase!(name, { readonly: readOnly })
    if (extension !== null) {
      connection.loadExtension(extension)
      connection.enableLoadExtension?.(false)
    }
    return connection
  } catch (cause) {
    throw new SqliteOpenError(path, 'the database cannot be opened', { cause })
  }
}

/** Returns Node's own SQLite, without an import that bundlers would follow. Undefined in Node 20. */
function nodeSqlite(): NodeSqlite['DatabaseSync'] | undefined {
  return builtin<NodeSqlite>('node:sqlite')?.DatabaseSync
}

function builtin<T>(name: string): T | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  return process?.getBuiltinModule?.(name) as T | undefined
}

async function betterSqlite(path: string): Promise<BetterSqlite> {
  try {
    return ((await installed('better-sqlite3')) as { default: BetterSqlite }).default
  } catch (cause) {
    const reason =
      'there is no node:sqlite (Node 22 and newer has it); install better-sqlite3, for Node 20 its version 12'
    throw new SqliteOpenError(path, reason, { cause })
  }
}

/** Returns the path of the extension for vectors. @throws {SqliteOpenError} when sqlite-vec is not installed. */
export async function sqliteVecPath(path: string): Promise<string> {
  try {
    return ((await installed('sqlite-vec')) as { getLoadablePath(): string }).getLoadablePath()
  } catch (cause) {
    throw new SqliteOpenError(path, 'sqliteVec: sqlite-vec is not installed for this platform', { cause })
  }
}

/** Imports an optional package. Its name is a variable, so that neither bundlers nor the compiler look for it. */
function installed(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name)
}
