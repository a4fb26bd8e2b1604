/**
 * @module
 * The errors of databases. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/**
 * The server cannot be reached, or the connection was lost. An operation in progress is done completely or not at all; which of the two is
 * not known.
 */
export class PostgresConnectionError extends ToolkitError {
  constructor(options: ToolkitErrorOptions) {
    const reason = options.cause instanceof Error && options.cause.message ? `: ${options.cause.message}` : ''
    const message = `There is no connection to the Postgres server${reason}; repeat the operation.`
    super('PostgresConnectionError', 'postgres_connection', message, options)
  }

  override get retryable(): boolean {
    return true
  }
}

/** Every attempt of a transaction was undone, because other transactions changed the same data. Nothing was written. */
export class PostgresConflictError extends ToolkitError {
  /** The number of attempts. */
  readonly attempts: number

  constructor(attempts: number, options?: ToolkitErrorOptions) {
    const message = `Other transactions changed the same data ${attempts} times in a row; repeat the operation.`
    super('PostgresConflictError', 'postgres_conflict', message, options)
    this.attempts = attempts
  }

  override get retryable(): boolean {
    return true
  }
}

/** The tables were made by a newer version of this package. They are not changed. */
export class PostgresVersionError extends ToolkitError {
  /** The newest version that this package reads. */
  readonly expected: number
  /** The version of the tables. */
  readonly received: number

  constructor(where: string, expected: number, received: number) {
    super(
      'PostgresVersionError',
      'postgres_version',
      `${where}: expected tables of version ${expected} or older, received version ${received}; use a newer @x/postgres.`,
    )
    this.expected = expected
    this.received = received
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    postgres_conflict: PostgresConflictError
    postgres_connection: PostgresConnectionError
    postgres_version: PostgresVersionError
  }
}
