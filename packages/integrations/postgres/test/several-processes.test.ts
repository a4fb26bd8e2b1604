import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { openDatabase, PostgresDocumentStore } from '../src/index.ts'
import { newPool, newSchema, serverUrl } from './new-database.ts'

it('processes that make a database and write to it at the same time lose nothing', { timeout: 120_000 }, async () => {
  const schema = newSchema()
  const program = `
    import pg from 'pg'
    import { TextNode } from '@x/core-model'
    import { openDatabase, PostgresDocumentStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    const pool = new pg.Pool({ connectionString: ${JSON.stringify(serverUrl())} })
    process.stdin.once('data', async () => {
      const store = new PostgresDocumentStore(await openDatabase(pool, { schema: ${JSON.stringify(schema)} }))
      const source = { relationships: { 1: { nodeId: 'one' } } }
      for (let i = 0; i < 20; i++)
        await store.addDocuments([new TextNode({ id: process.pid + '-' + i, metadata: { [process.pid + '-' + i]: i }, ...source })])
      process.exit()
    })
    process.stdout.write('ready')`
  const writers = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--conditions=@x/source', '--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of writers) stdin.write('go')
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'close'))[0]))
  expect(codes).toEqual([0, 0, 0])
  const info = await new PostgresDocumentStore(await openDatabase(newPool(), { schema })).getRefDocInfo('one')
  expect([info?.nodeIds.length, Object.keys(info?.metadata ?? {}).length]).toEqual([60, 60])
})
