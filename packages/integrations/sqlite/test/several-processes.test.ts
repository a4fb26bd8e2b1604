// @module-tag system
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase, SqliteDocumentStore } from '../src/index.ts'
import { severalWriters, WRITTEN_NODES } from './kill-rounds/several-writers.ts'

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
