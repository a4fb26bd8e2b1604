import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase, SqliteDocumentStore } from '../src/index.ts'

it('processes that make a database and write to it at the same time lose nothing', { timeout: 120_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  const path = join(directory, 'data.db')
  const program = `
    import { TextNode } from '@x/core-model'
    import { openDatabase, SqliteDocumentStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    process.stdin.once('data', async () => {
      const store = new SqliteDocumentStore(await openDatabase(${JSON.stringify(path)}))
      const source = { relationships: { 1: { nodeId: 'one' } } }
      for (let i = 0; i < 20; i++) await store.addDocuments([new TextNode({ id: process.pid + '-' + i, ...source })])
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
  const database = await openDatabase(path)
  expect((await new SqliteDocumentStore(database).getRefDocInfo('one'))?.nodeIds).toHaveLength(60)
  database.close()
  await rm(directory, { recursive: true })
})
