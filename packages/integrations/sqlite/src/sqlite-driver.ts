/**
 * @module
 * Structural types of the part of SQLite that this package uses; `node:sqlite` and better-sqlite3 satisfy them.
 */
import { SqliteOpenError } from './errors.ts'

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
  close(): void
}

/** The library of a connection. */
export type SqliteLibrary = 'node:sqlite' | 'better-sqlite3'

interface NodeSqlite {
  DatabaseSync: new (path: string, options: { allowExtension: boolean }) => SqlConnection
}

type BetterSqlite = new (path: string) => SqlConnection

/** The options of {@link connect}. */
export interface ConnectOptions {
  /** @defaultValue `node:sqlite`, or better-sqlite3 if that is missing */
  library?: SqliteLibrary | undefined
  /** The path of an extension to load. Other extensions cannot be loaded. @defaultValue null */
  extension?: string | null
}

/**
 * Opens a connection.
 * @throws {SqliteOpenError} when no SQLite library is available, or the file cannot be opened.
 */
export async function connect(
  path: string,
  { library, extension = null }: ConnectOptions = {},
): Promise<SqlConnection> {
  const NodeDatabase = library === 'better-sqlite3' ? undefined : nodeSqlite()
  if (!NodeDatabase && library === 'node:sqlite') throw new SqliteOpenError(path, 'this platform has no node:sqlite')
  const BetterDatabase = NodeDatabase ? undefined : await betterSqlite(path)
  try {
    const connection = NodeDatabase
      ? new NodeDatabase(path, { allowExtension: extension !== null })
      : new BetterDatabase!(path)
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
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): NodeSqlite | undefined } }
  return process?.getBuiltinModule?.('node:sqlite')?.DatabaseSync
}

async function betterSqlite(path: string): Promise<BetterSqlite> {
  try {
    return ((await installed('better-sqlite3')) as { default: BetterSqlite }).default
  } catch (cause) {
    const reason = 'there is no node:sqlite (Node 22 and newer has it); install better-sqlite3'
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

/** Whether an error of SQLite means that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  // Node reports the number of the error, better-sqlite3 its name. 5 is SQLITE_BUSY, and the low byte of its variants.
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return (typeof errcode === 'number' && (errcode & 0xff) === 5) || String(code).startsWith('SQLITE_BUSY')
}

/** Whether an error of SQLite means that the file is not a database. 26 is SQLITE_NOTADB, 11 SQLITE_CORRUPT. */
export function isForeign(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return errcode === 26 || errcode === 11 || code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT'
}
