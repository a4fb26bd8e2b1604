/**
 * @module
 * A database that the stores share.
 */
import { ConfigurationError } from '@x/core-model'
import { pause, raceAbort, untilAborted } from '@x/core-model/async'
import { PostgresConflictError, PostgresConnectionError } from './errors.ts'
import {
  isConflict,
  isConnectionError,
  type PostgresClient,
  type PostgresPool,
  type PostgresResult,
} from './postgres-driver.ts'
import type { TableNames } from './table-names.ts'

/** The options of `transaction`. */
interface TransactionOptions {
  /** Undoes the transaction, which rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * `serializable`: transactions on the same data act as if they ran one after the other. `read committed`: each operation of a
   * store does, but not the transaction as a whole. @defaultValue 'read committed'
   */
  isolation?: 'read committed' | 'serializable' | undefined
}

/** The maximum number of attempts of a transaction that the server undoes because of other transactions. */
const MAX_ATTEMPTS = 10

/** The longest pause before the second attempt, in milliseconds, which doubles from attempt to attempt, and the longest one of all. */
const FIRST_PAUSE = 4
const LONGEST_PAUSE = 100

/** A database, or a transaction in it. Created by `openDatabase` and `transaction`. */
export class PostgresDatabase {
  /** The names of the tables. @internal */
  readonly tables: TableNames
  private readonly pool: PostgresPool
  /** The connection of the transaction. */
  private readonly client: PostgresClient | null
  /** Whether the server has undone this transaction before. @internal */
  readonly isRepeated: boolean
  /** Settles when the last operation of the transaction has settled: a connection runs one statement at a time. */
  private last: Promise<unknown> = Promise.resolve()
  private hasEnded = false
  /** The error of the first statement of the transaction that has failed. */
  private failure: unknown

  /** @internal */
  constructor(pool: PostgresPool, tables: TableNames, client: PostgresClient | null = null, isRepeated = false) {
    this.pool = pool
    this.tables = tables
    this.client = client
    this.isRepeated = isRepeated
  }

  /** Runs one statement. @internal */
  query(sql: string, values?: unknown[]): Promise<PostgresResult> {
    const { client, pool } = this
    if (client) return this.inOrder(() => this.queryInside(client, sql, values))
    return retried((attempt) =>
      attempt === 1
        ? guarded(() => pool.query(sql, values))
        : this.attempt((inside) => inside.query(sql, values), beginAt('read committed'), true),
    )
  }

  /**
   * Runs `work` in one transaction and returns its result: all of its writes are kept, or none. `work` receives the database as the
   * transaction sees it: stores of that database belong to the transaction. When the server undoes it because of other transactions, `work`
   * is called again, 10 times in total; transactions that are repeated run one at a time. Within a transaction, `transaction` becomes part
   * of it, and can fail on its own.
   * @throws {PostgresConflictError} when the last attempt was undone too.
   * @throws {PostgresConnectionError} when the connection was lost. If that happened at the end, the transaction may be done.
   */
  transaction<T>(
    work: (database: PostgresDatabase) => Promise<T>,
    { signal, isolation = 'read committed' }: TransactionOptions = {},
  ): Promise<T> {
    const { client } = this
    if (client) return this.inOrder(() => this.nested(client, work))
    return retried((attempt) => this.attempt(work, beginAt(isolation), attempt > 1, signal), signal)
  }

  /** Runs `work` as part of this transaction, or in a new one. An error inside of a transaction ends it. @internal */
  within<T>(work: (database: PostgresDatabase) => Promise<T>): Promise<T> {
    return this.client ? work(this) : this.transaction(work)
  }

  private async attempt<T>(
    work: (database: PostgresDatabase) => Promise<T>,
    begin: string,
    isRepeated: boolean,
    signal?: AbortSignal,
  ): Promise<T> {
    const client = await this.connection(signal)
    // A lost connection is reported by the next statement. Without this listener it would end the process.
    client.on('error', ignore)
    let isUsable: boolean | undefined = false
    const inside = new PostgresDatabase(this.pool, this.tables, client, isRepeated)
    try {
      const run = async () => {
        await inside.query(begin)
        // Unlike a query, this does not take the snapshot of a serializable transaction before its time.
        if (isRepeated) await inside.query(`lock table ${this.tables.version} in exclusive mode`)
        const result = await work(inside)
        const { command } = await inside.query('commit')
        // After an error that `work` has caught, the server has rolled the transaction back: report that error.
        if (command === 'ROLLBACK') throw inside.failure
        return result
      }
      const result = await untilAborted(signal, run)
      isUsable = true
      return result
    } catch (error) {
      // An abandoned statement is still running: the server undoes it when the connection is closed.
      if (!signal?.aborted) isUsable = await client.query('rollback').then(() => true, ignore)
      throw error
    } finally {
      inside.hasEnded = true
      if (isUsable) client.removeListener('error', ignore)
      client.release(!isUsable)
    }
  }

  private async queryInside(client: PostgresClient, sql: string, values?: unknown[]): Promise<PostgresResult> {
    if (this.hasEnded)
      throw new ConfigurationError(
        'The transaction of this database has ended; use the database that it was started with.',
      )
    try {
      return await guarded(() => client.query(sql, values))
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }

  /** Returns a connection of the pool. A connection that arrives after the signal has aborted is released. */
  private async connection(signal: AbortSignal | undefined): Promise<PostgresClient> {
    signal?.throwIfAborted()
    const connecting = guarded(() => this.pool.connect())
    try {
      return await raceAbort(connecting, signal)
    } catch (error) {
      connecting.then((client) => client.release(), ignore)
      throw error
    }
  }

  private async nested<T>(client: PostgresClient, work: (database: PostgresDatabase) => Promise<T>): Promise<T> {
    const inside = new PostgresDatabase(this.pool, this.tables, client, this.isRepeated)
    await inside.query('savepoint operation')
    try {
      const result = await work(inside)
      await inside.query('release savepoint operation')
      return result
    } catch (error) {
      // This also fails after the loss of a connection; the first error is reported.
      await client.query('rollback to savepoint operation; release savepoint operation').catch(ignore)
      throw error
    } finally {
      inside.hasEnded = true
    }
  }

  private inOrder<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.last.then(operation)
    this.last = result.catch(ignore)
    return result
  }
}

function beginAt(isolation: string): string {
  if (isolation === 'serializable' || isolation === 'read committed') return `begin isolation level ${isolation}`
  throw new ConfigurationError(
    `transaction: expected the isolation "serializable" or "read committed", received "${isolation}".`,
  )
}

/** Repeats an operation that the server has undone because of other transactions. */
async function retried<T>(operation: (attempt: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation(attempt)
    } catch (error) {
      if (!isConflict(error)) throw error
      if (attempt === MAX_ATTEMPTS) throw new PostgresConflictError(attempt, { cause: error })
      await pause(Math.random() * Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE), signal)
    }
  }
}

async function guarded<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (cause) {
    if (isConnectionError(cause)) throw new PostgresConnectionError({ cause })
    throw cause
  }
}

function ignore(): undefined {
  return undefined
}
