// @module-tag system

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, Document, TextNode } from '@x/core-model'
import { pythonLine } from '@x/core-model/python'
import { openDatabase, PostgresDocumentStore } from '@x/postgres'
import { FileChatStore, StorageFolder } from '@x/storage/node'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
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

it('copies a document store that is larger than its memory', { timeout: 300_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'migrate-'))
  try {
    const count = rounds(3_000, 15_000)
    const megabytes = rounds(40, 96)
    const text = 'A long text. '.repeat(800)
    const file = openSync(join(directory, 'docstore.json'), 'w')
    writeSync(file, '{"docstore/data":{')
    for (let i = 0; i < count; i++) {
      const data = { id_: `n${i}`, text: `${i} ${text}`, relationships: {}, class_name: 'TextNode' }
      writeSync(file, `${i > 0 ? ',' : ''}"n${i}":${JSON.stringify({ __data__: data, __type__: '1' })}`)
    }
    writeSync(file, '}}')
    closeSync(file)
    const ids = Array.from({ length: count }, (_, i) => `"n${i}":[0.${i},1]`)
    writeFileSync(join(directory, 'default__vector_store.json'), `{"embedding_dict":{${ids.join()}}}`)
    // 160 MB of nodes with 96 MB of memory for values, or a fifth of them with 40 MB.
    const args = [
      `--max-old-space-size=${megabytes}`,
      '--conditions=@x/source',
      join(import.meta.dirname, '..', 'src', 'main.ts'),
    ]
    const target = `sqlite:${join(directory, 'app.db')}`
    const { stdout, status } = spawnSync(process.execPath, [...args, directory, '--to', target], { encoding: 'utf8' })
    expect(stdout).toContain(
      `${count} nodes, ${count} vectors, ${count} hashes, 0 conversations of 0 messages, 0 differences`,
    )
    expect(status).toBe(0)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

it.each(['sqlite:app.db', 'json:again'])(
  'starts clean after a run into %s that was killed',
  { timeout: 120_000 },
  async (target) => {
    const directory = mkdtempSync(join(tmpdir(), 'migrate-'))
    try {
      const count = rounds(10_000, 30_000)
      const records = Array.from({ length: count }, (_, i) => {
        const data = { id_: `n${i}`, text: `text ${i}`, relationships: {}, class_name: 'TextNode' }
        return `"n${i}":${JSON.stringify({ __data__: data, __type__: '1' })}`
      })
      writeFileSync(join(directory, 'docstore.json'), `{"docstore/data":{${records.join()}}}`)
      const [form, name] = target.split(':') as [string, string]
      const path = join(directory, name)
      const args = [
        '--conditions=@x/source',
        join(import.meta.dirname, '..', 'src', 'main.ts'),
        directory,
        '--to',
        `${form}:${path}`,
      ]
      const killed = spawn(process.execPath, args)
      // The progress is reported while the target is being written.
      await Promise.race([once(killed.stderr, 'data'), once(killed, 'exit')])
      killed.kill('SIGKILL')
      await once(killed, 'exit')
      expect(existsSync(path)).toBe(false)
      const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      expect(stdout).toContain(
        `${count} nodes, 0 vectors, ${count} hashes, 0 conversations of 0 messages, 0 differences`,
      )
      expect([status, existsSync(path)]).toEqual([0, true])
      expect(readdirSync(directory).filter((file) => file.includes('migrating'))).toEqual([])
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
)
