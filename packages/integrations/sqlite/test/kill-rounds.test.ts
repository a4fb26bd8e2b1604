// @module-tag system
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase, SqliteDocumentStore } from '../src/index.ts'
import { severalWriters, WRITTEN_NODES } from './kill-rounds/several-writers.ts'
import { storeRounds } from './kill-rounds/store-rounds.ts'
import { killedDatabase } from './killed-database.ts'

it('a writer that is killed loses nothing that was acknowledged', { timeout: 120_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kill-'))
  try {
    const report = await storeRounds(killedDatabase(join(directory, 'data.db')), 4)
    expect(report).toMatchObject({ rounds: 4, lost: 0, halfDone: 0, damaged: 0 })
    expect(report.acknowledged).toBeGreaterThan(8)
  } finally {
    await rm(directory, { recursive: true })
  }
})

it('processes that create a database and write to it at the same time lose no writes', {
  timeout: 120_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const path = join(directory, 'data.db')
  const codes = await severalWriters(
    `import { openDatabase, SqliteDocumentStore } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))}`,
    `openDatabase(${JSON.stringify(path)}).then((database) => new SqliteDocumentStore(database))`,
    import.meta.dirname,
  )
  expect(codes).toEqual([0, 0, 0])
  const database = await openDatabase(path)
  const info = await new SqliteDocumentStore(database).getRefDocInfo('one')
  expect([info?.nodeIds.length, Object.keys(info?.metadata ?? {}).length]).toEqual([WRITTEN_NODES, WRITTEN_NODES])
  database.close()
  await rm(directory, { recursive: true })
})
