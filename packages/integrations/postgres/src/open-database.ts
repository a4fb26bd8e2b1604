/**
 * @module
 * Opens a database.
 */
import { checkOptions, flag, type OptionTable, unchecked } from '@x/core/options'
import { ModelValidationError } from '@x/core-model'
import { createExtension, migrate } from './migrations.ts'
import { PostgresDatabase } from './postgres-database.ts'
import type { PostgresPool } from './postgres-driver.ts'
import { TableNames } from './table-names.ts'

/** The options of {@link openDatabase}. */
export interface PostgresOptions {
  /** The schema of the tables. It is created when it does not exist. @defaultValue 'public' */
  schema?: string | undefined
  /** The first part of the name of each table; at most 32 bytes. @defaultValue 'x_' */
  tablePrefix?: string | undefined
  /**
   * Whether to create the extension `vector` (pgvector 0.8 or newer) when it is missing. `PostgresVectorRetriever` searches with it.
   * @defaultValue false
   */
  pgvector?: boolean | undefined
}

/** The names of the tables check their parts themselves. */
const OPTIONS: OptionTable<PostgresOptions> = { schema: unchecked, tablePrefix: unchecked, pgvector: flag }

/**
 * Returns a database of `pool`, whose tables are created or updated. Schema and prefix name one document store, its keyword index and
 * vector index, conversations, tasks, key-value data and answers of models; use one prefix per collection of documents.
 *
 * Several processes may do this at the same time. If the tables exist, no right to create tables is needed.
 * @param pool - a `Pool` of pg. It stays yours: end it when you are done.
 * @throws {PostgresVersionError} when the tables were made by a newer version of this package.
 * @throws {PostgresConnectionError} when there is no connection.
 * @throws {ConfigurationError} when the encoding of the database is not UTF8.
 * @throws {ModelValidationError} when an option is not valid.
 * @example
 * import pg from 'pg'
 * const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
 * const database = await openDatabase(pool, { schema: 'docs', tablePrefix: 'app_' })
 * const store = new PostgresDocumentStore(database)
 * await store.addDocuments([new TextNode({ id: 'a', text: 'Hello' })])
 * await pool.end()
 */
export async function openDatabase(pool: PostgresPool, options: PostgresOptions = {}): Promise<PostgresDatabase> {
  checkOptions('openDatabase', options, OPTIONS)
  const { schema = 'public', tablePrefix = 'x_', pgvector = false } = options
  // A Client also has these methods, but is a single connection.
  if (typeof pool?.query !== 'function' || typeof pool.connect !== 'function' || 'connection' in pool)
    throw new ModelValidationError('openDatabase', [{ path: 'pool', message: 'expected a Pool of pg', code: 'type' }])
  const database = new PostgresDatabase(pool, new TableNames(schema, tablePrefix))
  await migrate(database)
  if (pgvector) await createExtension(database)
  return database
}
