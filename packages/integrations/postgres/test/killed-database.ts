import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type KilledStores, lossesOf } from '../../sqlite/test/kill-rounds/killed-stores.ts'
import type { KilledDatabase } from '../../sqlite/test/kill-rounds/store-rounds.ts'
import {
  openDatabase,
  PostgresChatStore,
  type PostgresDatabase,
  PostgresDocumentStore,
  PostgresTaskStore,
} from '../src/index.ts'

/** The name of the connections of a writer. */
export const WRITER = 'kill-worker'

/** The stores of a database. */
export function storesOf(database: PostgresDatabase): KilledStores {
  return {
    documents: new PostgresDocumentStore(database),
    chats: new PostgresChatStore(database),
    tasks: new PostgresTaskStore(database),
  }
}

/** A database whose writers are killed. @param pool - a second connection, to inspect the database. */
export function killedDatabase(connectionString: string, pool: pg.Pool): KilledDatabase {
  return {
    writer: new URL('./kill-worker.ts', import.meta.url),
    database: connectionString,
    async inspect(first, acknowledged) {
      await untilGone(pool)
      return lossesOf(storesOf(await openDatabase(pool)), first, acknowledged)
    },
  }
}

/** Resolves when the server has closed the connection of the killed writer, whose last statement may still have been running. */
async function untilGone(pool: pg.Pool): Promise<void> {
  const sql = 'select from pg_stat_activity where application_name = $1'
  while ((await pool.query(sql, [WRITER])).rows.length > 0) await pause(5)
}
