/**
 * @module
 * Opens the store that a command line names.
 */
import { existsSync, statSync } from 'node:fs'
import { ConfigurationError, type TaskStore } from '@x/core-model'
import type { PostgresPool } from '@x/postgres'
import { openDatabase, SqliteTaskStore } from '@x/sqlite'
import { FileTaskStore } from '@x/storage/node'

/** An open store. */
export interface OpenStore {
  store: TaskStore
  close(): Promise<void>
}

/**
 * Opens the tasks of an address of Postgres, a file of SQLite or a folder of JSON files.
 * @throws {ConfigurationError} when there is nothing to open.
 */
export async function openStore(path: string): Promise<OpenStore> {
  if (/^postgres(?:ql)?:/.test(path)) return openPostgres(path)
  if (!existsSync(path)) throw new ConfigurationError(`${path}: there is no file and no folder with this name.`)
  if (statSync(path).isDirectory()) return { store: new FileTaskStore(path), close: async () => {} }
  const database = await openDatabase(path)
  return { store: new SqliteTaskStore(database), close: async () => database.close() }
}

async function openPostgres(connectionString: string): Promise<OpenStore> {
  const { default: pg } = (await import('pg' as string).catch(() => {
    throw new ConfigurationError('Postgres needs the package pg: npm install pg')
  })) as { default: { Pool: new (options: object) => PostgresPool & { end(): Promise<void> } } }
  const { openDatabase: open, PostgresTaskStore } = await import('@x/postgres')
  const pool = new pg.Pool({ connectionString })
  return { store: new PostgresTaskStore(await open(pool)), close: async () => pool.end() }
}
