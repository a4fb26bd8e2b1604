import { expect, it } from 'vitest'
import { severalWriters, WRITTEN_NODES } from '../../sqlite/test/kill-rounds/several-writers.ts'
import { openDatabase, PostgresDocumentStore } from '../src/index.ts'
import { newPool, newSchema, serverUrl } from './new-database.ts'

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
