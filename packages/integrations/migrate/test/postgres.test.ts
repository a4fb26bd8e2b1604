// @module-tag system
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, Document, TextNode } from '@x/core-model'
import { pythonLine } from '@x/core-model/python'
import { openDatabase, PostgresDocumentStore } from '@x/postgres'
import { FileChatStore, StorageFolder } from '@x/storage/node'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPostgres } from '../../../../tools/postgres-server.ts'
import { run } from '../src/program.ts'

let server: Awaited<ReturnType<typeof startPostgres>>
let directory: string
beforeAll(async () => {
  server = await startPostgres()
  directory = mkdtempSync(join(tmpdir(), 'migrate-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(directory, { recursive: true })
})

async function migrate(...args: string[]) {
  const lines: string[] = []
  const code = await run(args, { print: (line) => lines.push(line), report: () => {} })
  return { code, lines }
}

it('copies a folder into Postgres and back, in one transaction and with proof', async () => {
  const folder = join(directory, 'storage')
  const made = new StorageFolder()
  await made.documents.addDocuments([new Document({ id: 'doc', text: 'All.' })])
  const nodes = Array.from(
    { length: 700 },
    (_, i) =>
      new TextNode({ id: `n${i}`, text: `Text ${i}`, embedding: [i, 1 / 3], relationships: { 1: { nodeId: 'doc' } } }),
  )
  await made.addIndex('main', nodes)
  await made.write(folder, { line: '0.12' })
  const chats = new FileChatStore()
  chats.setMessages('ann', [new ChatMessage({ content: 'Hello' })])
  await chats.persist(join(folder, 'chat_store.json'), { format: 'python', line: '0.12' })

  const url = new URL(server.connectionString)
  url.searchParams.set('schema', 'moved')
  const proof = '701 nodes, 700 vectors, 701 hashes, 1 conversations of 1 messages, 0 differences'
  const there = await migrate(folder, '--to', url.href, '--check', 'Text 12')
  expect(there.lines).toContain(proof)
  expect(there.code).toBe(0)
  expect(there.lines.join()).not.toContain('schema=')
  const again = await migrate(folder, '--to', url.href)
  expect(again.lines.at(-1)).toMatch(/Nothing was written: .*expected empty tables/)

  const pool = new pg.Pool({ connectionString: server.connectionString })
  const database = await openDatabase(pool, { schema: 'moved' })
  const documents = new PostgresDocumentStore(database, { line: pythonLine('0.12') })
  expect(await documents.upsert([new Document({ id: 'doc', text: 'All.' })])).toMatchObject({ unchanged: ['doc'] })
  await pool.end()

  const back = await migrate('--from', url.href, '--to', join(directory, 'again'))
  expect(back.lines).toContain(proof)
  const read = await StorageFolder.read(join(directory, 'again'))
  expect((await read.nodesOf()).map(({ embedding }) => embedding)).toEqual(nodes.map(({ embedding }) => embedding))
})
