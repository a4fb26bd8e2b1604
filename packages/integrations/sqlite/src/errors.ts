/**
 * @module
 * The errors of databases. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/**
 * A database cannot be opened: this platform has no SQLite library, or the file is not a database of this package. Check the path;
 * without `node:sqlite`, install `better-sqlite3`.
 */
export class SqliteOpenError extends ToolkitError {
  /** The path of the database. */
  readonly path: string

  constructor(path: string, reason: string, options?: ToolkitErrorOptions) {
    super('SqliteOpenError', 'sqlite_open', `${path}: ${reason}.`, options)
    this.path = path
  }
}

/** A database was written by a newer version of this package. It is not changed. */
export class SqliteVersionError extends ToolkitError {
  /** The path of the database. */
  readonly path: string
  /** The newest version that this package reads. */
  readonly expected: number
  /** The version of the database. */
  readonly received: number

  constructor(path: string, expected: number, received: number) {
    super(
      'SqliteVersionError',
      'sqlite_version',
      `${path}: expected a database of version ${expected} or older, received version ${received}; use a newer @x/sqlite.`,
    )
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

declare module '@x/core' {
  interface ToolkitErrors {
    sqlite_busy: SqliteBusyError
    sqlite_open: SqliteOpenError
    sqlite_version: SqliteVersionError
  }
}
