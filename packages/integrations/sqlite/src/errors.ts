/**
 * @module
 * The errors of databases. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/**
 * A database cannot be opened, or was closed: this platform has no SQLite library, or the file is not a database of this package. Check the
 * path; without `node:sqlite`, install `better-sqlite3`.
 */
export class SqliteOpenError extends ToolkitError {
  /** The path of the database. */
  readonly path: string

  constructor(path: string, reason: string, options?: ToolkitErrorOptions) {
    super('SqliteOpenError', 'sqlite_open', `${path}: ${reason}.`, options)
    this.path = path
  }
}

/** A database cannot be written: it was opened with `readOnly`, or the system does not allow it. */
export class SqliteReadOnlyError extends ToolkitError {
  /** The path of the database. */
  readonly path: string

  constructor(path: string, options?: ToolkitErrorOptions) {
    const reason =
      'the database cannot be written: it was opened with readOnly, or the file or its folder does not allow it'
    super(
      'SqliteReadOnlyError',
      'sqlite_readonly',
      `${path}: ${reason}. To read it, open it with readOnly: true.`,
      options,
    )
    this.path = path
  }
}

/** The disk is full. The operation changed nothing; repeat it when there is space. */
export class SqliteFullError extends ToolkitError {
  /** The path of the database. */
  readonly path: string

  constructor(path: string, options?: ToolkitErrorOptions) {
    super('SqliteFullError', 'sqlite_full', `${path}: the disk is full; nothing was written.`, options)
    this.path = path
  }

  override get retryable(): boolean {
    return true
  }
}

/** The file of a database is damaged. Restore a copy, or ingest the documents into a new file. */
export class SqliteDamagedError extends ToolkitError {
  /** The path of the database. */
  readonly path: string

  constructor(path: string, options?: ToolkitErrorOptions) {
    const advice = 'restore a copy, or ingest the documents into a new file'
    super('SqliteDamagedError', 'sqlite_damaged', `${path}: the file is damaged; ${advice}.`, options)
    this.path = path
  }
}

/** A database has another version than this package: a newer one, or an older one and was opened with `readOnly`. It is not changed. */
export class SqliteVersionError extends ToolkitError {
  /** The path of the database. */
  readonly path: string
  /** The version of this package. */
  readonly expected: number
  /** The version of the database. */
  readonly received: number

  constructor(path: string, expected: number, received: number) {
    const isNewer = received > expected
    const wanted = `expected a database of version ${expected}${isNewer ? ' or older' : ''}, received version ${received}`
    const advice = isNewer ? 'use a newer @x/sqlite' : 'open it once without readOnly, which updates it'
    super('SqliteVersionError', 'sqlite_version', `${path}: ${wanted}; ${advice}.`)
    this.path = path
    this.expected = expected
    this.received = received
  }
}

/** Another connection was writing for longer than `busyTimeoutMs`. Nothing was written; the operation may be repeated. */
export class SqliteBusyError extends ToolkitError {
  /** The path of the database. */
  readonly path: string

  constructor(path: string, options?: ToolkitErrorOptions) {
    super(
      'SqliteBusyError',
      'sqlite_busy',
      `${path}: another connection is writing; repeat the operation, or set a longer busyTimeoutMs.`,
      options,
    )
    this.path = path
  }

  override get retryable(): boolean {
    return true
  }
}

/** The number of an error of SQLite without its details; undefined for other errors. */
function numberOf(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // Node reports the number of the error, better-sqlite3 its name.
  if (typeof errcode === 'number') return errcode & 0xff
  const [, name] = /^SQLITE_([A-Z]+)/.exec(String(code)) ?? []
  return name === undefined ? undefined : numbers[name]
}

const numbers: Readonly<Record<string, number>> = {
  BUSY: 5,
  READONLY: 8,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
}

/** Whether an error of SQLite means that another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return numberOf(error) === numbers['BUSY']
}

/** Whether an error of SQLite means that a file, or one beside it, cannot be opened or written. */
export function isNotWritable(error: unknown): boolean {
  const number = numberOf(error)
  return number === numbers['READONLY'] || number === numbers['CANTOPEN']
}

/** Returns the error of this package for one of SQLite; any other error as it is. */
export function explained(cause: unknown, path: string): unknown {
  if (cause instanceof ToolkitError) return cause
  const number = numberOf(cause)
  if (number === numbers['BUSY']) return new SqliteBusyError(path, { cause })
  if (number === numbers['READONLY']) return new SqliteReadOnlyError(path, { cause })
  if (number === numbers['FULL']) return new SqliteFullError(path, { cause })
  if (number === numbers['CORRUPT']) return new SqliteDamagedError(path, { cause })
  if (number === numbers['NOTADB']) return new SqliteOpenError(path, 'the file is not a database', { cause })
  if (/ is not open$/.test(String(Object(cause).message)))
    return new SqliteOpenError(path, 'the database is closed; open it again', { cause })
  return cause
}

declare module '@x/core' {
  interface ToolkitErrors {
    sqlite_busy: SqliteBusyError
    sqlite_damaged: SqliteDamagedError
    sqlite_full: SqliteFullError
    sqlite_open: SqliteOpenError
    sqlite_readonly: SqliteReadOnlyError
    sqlite_version: SqliteVersionError
  }
}
