import pg from 'pg'
import { expect, it } from 'vitest'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { severalWriters, WRITTEN_NODES } from '../../sqlite/test/kill-rounds/several-writers.ts'
import { storeRounds } from '../../sqlite/test/kill-rounds/store-rounds.ts'
import { openDatabase, PostgresDocumentStore } from '../src/index.ts'
import { killedDatabase } from './killed-database.ts'
import { newPool, newSchema, serverUrl } from './new-database.ts'

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

it('processes that create a database and write to it at the same time lose no writes', {
  timeout: 120_000,
}, async () => {
  const schema = newSchema()
  const codes = await severalWriters(
    `import pg from 'pg'
     import { openDatabase, PostgresDocumentStore } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))}
     const pool = new pg.Pool({ connectionString: ${JSON.stringify(serverUrl())} })`,
    `openDatabase(pool, { schema: '${schema}' }).then((database) => new PostgresDocumentStore(database))`,
    import.meta.dirname,
  )
  expect(codes).toEqual([0, 0, 0])
  const info = await new PostgresDocumentStore(await openDatabase(newPool(), { schema })).getRefDocInfo('one')
  expect([info?.nodeIds.length, Object.keys(info?.metadata ?? {}).length]).toEqual([WRITTEN_NODES, WRITTEN_NODES])
})
