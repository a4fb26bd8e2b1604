/**
 * Kills a process that writes to a Postgres database, and refuses when an acknowledged operation was lost.
 *
 * @example npm run postgres-kill -- 200
 */
import pg from 'pg'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { storeRoundsCommand } from '../../sqlite/test/kill-rounds/store-rounds.ts'
import { killedDatabase } from './killed-database.ts'

const { connectionString, stop } = await startPostgres()
const pool = new pg.Pool({ connectionString })
try {
  await storeRoundsCommand(killedDatabase(connectionString, pool))
} finally {
  await pool.end()
  await stop()
}
