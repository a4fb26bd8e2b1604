/**
 * @module
 * Structural types of the part of `pg` that this package uses; a `Pool` of pg satisfies them.
 */

/** The result of a statement. */
export interface PostgresResult {
  // biome-ignore lint/suspicious/noExplicitAny: pg states the same
  rows: any[]
  /** The statement that the server has run: `ROLLBACK` instead of `COMMIT` after a failed statement. */
  command?: string
}

/** A connection of a pool. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<PostgresResult>
  /** Returns the connection to the pool; with an error, the pool closes it. */
  release(error?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** A pool of connections, such as `new Pool()` of pg. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<PostgresResult>
  connect(): Promise<PostgresClient>
}

/** Codes of errors of the connection or the server, not of the statement: SQL states, and network errors of Node. */
const CONNECTION_CODES = /^(?:08...|57P0[123]|53300|EAI_AGAIN|E[A-Z]+)$/

/** pg reports a lost connection, and a pool without a free one, as errors without a code. */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed and is not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout)/

/** Whether an error means that the server cannot be reached, or that the connection was lost. */
export function isConnectionError(error: unknown): boolean {
  const { code, message, errors } = error as { code?: unknown; message?: unknown; errors?: unknown }
  // A host with several addresses: one error for each.
  if (error instanceof AggregateError && Array.isArray(errors)) return errors.some(isConnectionError)
  if (typeof code === 'string') return CONNECTION_CODES.test(code)
  return typeof message === 'string' && CONNECTION_MESSAGES.test(message)
}

/** Whether the server has undone a transaction because of another transaction: a serialization failure or a deadlock. */
export function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40001' || code === '40P01'
}

/** Returns an error like that of the server when it undoes a transaction. */
export function conflict(): Error {
  return Object.assign(new Error('nodes were added meanwhile'), { code: '40001' })
}
