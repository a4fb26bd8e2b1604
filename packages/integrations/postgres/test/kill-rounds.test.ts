import pg from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { storeRounds } from '../../sqlite/test/kill-rounds/store-rounds.ts'
import { killedDatabase } from './killed-database.ts'

it('a writer that is killed loses nothing that was acknowledged', { timeout: 120_000 }, async () => {
  const { connectionString, stop } = await startPostgres()
  const pool = new pg.Pool({ connectionString })
  try {
    const report = await storeRounds(killedDatabase(connectionString, pool), 4)
    expect(report).toMatchObject({ rounds: 4, lost: 0, halfDone: 0 })
    expect(report.acknowledged).toBeGreaterThan(8)
  } finally {
    await pool.end()
    await stop()
  }
})
