import {
  openDatabase,
  SqliteChatStore,
  type SqliteDatabase,
  SqliteDocumentStore,
  SqliteTaskStore,
} from '../src/index.ts'
import { type KilledStores, lossesOf } from './kill-rounds/killed-stores.ts'
import type { KilledDatabase } from './kill-rounds/store-rounds.ts'

/** Returns the stores of a database. */
export function storesOf(database: SqliteDatabase): KilledStores {
  return {
    documents: new SqliteDocumentStore(database),
    chats: new SqliteChatStore(database),
    tasks: new SqliteTaskStore(database),
  }
}

/** A database file whose writers are killed. */
export function killedDatabase(path: string): KilledDatabase {
  return {
    writer: new URL('./kill-worker.ts', import.meta.url),
    database: path,
    async inspect(first, acknowledged) {
      const database = await openDatabase(path)
      const [check] = database.all('pragma integrity_check')
      const losses = await lossesOf(storesOf(database), first, acknowledged)
      database.close()
      return { ...losses, isDamaged: check?.['integrity_check'] !== 'ok' }
    },
  }
}
