/// <reference types="node" />
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TextNode } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from './sqlite-database.ts'
import { SqliteDocumentStore } from './sqlite-document-store.ts'
import { connect } from './sqlite-driver.ts'
import { SqliteKeywordRetriever } from './sqlite-keyword-retriever.ts'

let directory: string
let path: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sqlite-'))
  path = join(directory, 'data 1.db')
})
afterEach(() => rm(directory, { recursive: true }))

const nodes = (count: number) =>
  Array.from({ length: count }, (_, i) => new TextNode({ id: `n${i}`, text: `pear number ${i}` }))

async function filled(count = 3, at = path): Promise<void> {
  const database = await openDatabase(at)
  await new SqliteDocumentStore(database).addDocuments(nodes(count))
  await new SqliteKeywordRetriever(database).add(nodes(count))
  database.close()
}

describe('openDatabase with readOnly', () => {
  it.each(['node:sqlite', 'better-sqlite3'] as const)('reads, and writes nothing (%s)', async (library) => {
    await filled()
    const database = await openDatabase(path, { readOnly: true, library })
    const store = new SqliteDocumentStore(database)
    expect(Object.keys(await store.docs())).toEqual(['n0', 'n1', 'n2'])
    expect((await new SqliteKeywordRetriever(database).retrieve('pear')).length).toBe(3)
    const readOnly = { code: 'sqlite_readonly', path }
    await expect(store.addDocuments(nodes(1))).rejects.toMatchObject(readOnly)
    await expect(store.setDocumentHash('a', 'b')).rejects.toMatchObject(readOnly)
    expect(() => database.run('delete from nodes')).toThrow(expect.objectContaining(readOnly))
    database.close()
  })

  it('reads a file beside which nothing can be written', async () => {
    await filled()
    // SQLite cannot open its shared memory there, as in a folder that is read-only.
    await mkdir(`${path}-shm`)
    const database = await openDatabase(path, { readOnly: true })
    expect(Object.keys(await new SqliteDocumentStore(database).docs())).toEqual(['n0', 'n1', 'n2'])
    database.close()
  })

  it('refuses files that are missing, empty, of other programs, or of another version', async () => {
    const failing = async (code: string, message: string) =>
      expect(openDatabase(path, { readOnly: true })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      })
    await failing('sqlite_open', 'cannot be opened')
    expect(await readdir(directory)).toEqual([])
    await writeFile(path, '')
    await failing('sqlite_open', 'not a database of this package')
    await writeFile(path, 'some other file '.repeat(100))
    await failing('sqlite_open', 'not a database')
    await rm(path)
    await filled()
    for (const [version, advice] of [
      [99, 'use a newer @x/sqlite'],
      [-1, 'open it once without readOnly'],
    ] as const) {
      const connection = await connect(path)
      connection.exec(`pragma user_version = ${version}`)
      connection.close()
      await failing('sqlite_version', advice)
    }
  })
})

describe('a file that is closed', () => {
  it('can be copied without others, also while another connection is open', async () => {
    const reader = await openDatabase(path)
    await filled()
    const copy = join(directory, 'copy.db')
    await copyFile(path, copy)
    const database = await openDatabase(copy, { readOnly: true })
    expect(Object.keys(await new SqliteDocumentStore(database).docs())).toEqual(['n0', 'n1', 'n2'])
    database.close()
    reader.close()
    expect((await readdir(directory)).filter((name) => name.startsWith('data'))).toEqual(['data 1.db'])
  })
})

describe('a file with a problem', () => {
  it('reports a full disk', async () => {
    await filled()
    const database = await openDatabase(path)
    database.run('pragma max_page_count = 1')
    const store = new SqliteDocumentStore(database)
    await expect(store.addDocuments(nodes(2000))).rejects.toMatchObject({ code: 'sqlite_full', retryable: true, path })
    expect(Object.keys(await store.docs())).toEqual(['n0', 'n1', 'n2'])
    database.close()
  })

  it('reports damaged pages', async () => {
    await filled(500)
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(size - 8192, 0x5a), 0, size - 8192, 8192)
    await file.close()
    const damaged = { code: 'sqlite_damaged', path }
    const read = async () => {
      const database = await openDatabase(path)
      try {
        return await new SqliteDocumentStore(database).docs()
      } finally {
        database.close()
      }
    }
    await expect(read()).rejects.toMatchObject(damaged)
  })

  it('names the node of a damaged record and the file, and leaves it out on request', async () => {
    await filled()
    const database = await openDatabase(path)
    database.run(`update nodes set record = substr(record, 1, 40) where id = 'n1'`)
    database.run(`update indexed set record = substr(record, 1, 40) where id = 'n1'`)
    const store = new SqliteDocumentStore(database)
    const message = expect.stringContaining(`${path}: the record of the node "n1" cannot be read: `)
    const error = { code: 'store_read', path, nodeId: 'n1', message }
    await expect(store.docs()).rejects.toMatchObject(error)
    await expect(store.getNode('n1')).rejects.toMatchObject(error)
    await expect(new SqliteKeywordRetriever(database).retrieve('pear')).rejects.toMatchObject(error)
    expect(Object.keys(await store.docs({ onUnreadable: 'skip' }))).toEqual(['n0', 'n2'])
    const errors: unknown[] = []
    for await (const node of store.nodes({ onUnreadable: (one) => errors.push(one) })) expect(node.id).not.toBe('n1')
    expect(errors).toEqual([expect.objectContaining(error)])
    database.close()
  })

  it('finds an altered record by its checksum', async () => {
    const database = await openDatabase(path)
    const store = new SqliteDocumentStore(database, { checksums: true })
    await store.addDocuments(nodes(2))
    expect(Object.keys(await store.docs())).toEqual(['n0', 'n1'])
    database.run(`update nodes set record = replace(record, 'number 1', 'number 7')`)
    await expect(store.docs()).rejects.toMatchObject({ code: 'store_read', nodeId: 'n1' })
    database.close()
  })
})
