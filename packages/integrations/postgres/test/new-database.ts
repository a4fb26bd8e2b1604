import pg from 'pg'
import { onTestFinished } from 'vitest'
import { openDatabase, type PostgresDatabase } from '../src/index.ts'
import type { PostgresOptions } from '../src/open-database.ts'

let count = 0

/** The address of the server that the tests share. */
export function serverUrl(): string {
  const url = process.env['DATABASE_URL']
  if (!url) throw new Error('the server was not started: run the tests with the configuration of this package')
  return url
}

/** Returns a pool of the server, which ends with the test. */
export function newPool(options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: serverUrl(), ...options })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

/** Returns the name of an unused schema. */
export function newSchema(): string {
  return `test_${process.pid}_${count++}`
}

/** Returns a database with separate tables, for one test. */
export async function newDatabase(options: PostgresOptions = {}): Promise<PostgresDatabase> {
  return openDatabase(newPool(), { schema: newSchema(), ...options })
}
