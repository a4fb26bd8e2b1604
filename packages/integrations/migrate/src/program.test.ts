import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, Document, TextNode } from '@x/core-model'
import { asRead, pythonLine, pythonLines } from '@x/core-model/python'
import { openDatabase, SqliteChatStore, SqliteDocumentStore, SqliteVectorRetriever } from '@x/sqlite'
import { FileChatStore, StorageFolder } from '@x/storage/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from './program.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'migrate-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const at = (...names: string[]) => join(directory, ...names)
const contents = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** Runs the program, and returns its exit code and what it printed. */
async function migrate(...args: string[]) {
  const lines: string[] = []
  const progress: string[] = []
  const code = await run(args, { print: (line) => lines.push(line), report: (line) => progress.push(line) })
  return { code, lines, text: lines.join('\n'), progress }
}

/** Writes a folder of 60 nodes in a line, with vectors and conversations. */
async function pythonFolder(line: (typeof pythonLines)[number]): Promise<string> {
  const folder = at(`storage-${line}`)
  const made = new StorageFolder()
  const source = new Document({ id: 'doc', text: 'The whole text.', metadata: { file: 'a.md' } })
  await made.documents.addDocuments([source])
  const nodes = Array.from(
    { length: 60 },
    (_, i) =>
      new TextNode({
        id: `n${i}`,
        text: i === 7 ? 'A request has at most 4 MB. é🍎' : `Text number ${i}.`,
        metadata: { file: 'a.md', page: i, big: 12345678901234567890n },
        excludedLlmMetadataKeys: ['big'],
        embedding: [Math.sin(i), Math.cos(i), 0.1],
        relationships: { 1: { nodeId: 'doc', hash: source.hash } },
      }),
  )
  await made.addIndex('main', nodes)
  await made.documents.setDocumentHash('elsewhere', 'the hash of a document that is not stored')
  await made.write(folder, { line })
  const chats = new FileChatStore()
  chats.setMessages('ann', [
    new ChatMessage({ content: 'Hello' }),
    new ChatMessage({
      role: 'assistant',
      content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
    }),
  ])
  await chats.persist(join(folder, 'chat_store.json'), { format: 'python', line })
  return folder
}

const proof = '61 nodes, 60 vectors, 62 hashes, 1 conversations of 2 messages, 0 differences'

describe('migrate', () => {
  it('names what a folder contains, and writes nothing without a target', async () => {
    const folder = await pythonFolder('0.12')
    const before = contents(folder)
    expect(await migrate(folder)).toMatchObject({
      code: 0,
      lines: [
        'docstore.json: line 0.12.28, 61 nodes, 1 source documents',
        'index_store.json: index main, type vector_store, 60 nodes',
        'default__vector_store.json: 60 vectors of dimension 3',
        'image__vector_store.json: 0 vectors',
        'chat_store.json: line 0.12.3, 1 conversations',
      ],
    })
    expect(contents(folder)).toEqual(before)
  })

  it.each(pythonLines)('copies a folder of the line %s into SQLite and back, with proof', async (line) => {
    const folder = await pythonFolder(line)
    const before = contents(folder)
    const there = await migrate(folder, '--to', `sqlite:${at('app.db')}`)
    expect(there.lines).toContain(proof)
    expect(there).toMatchObject({ code: 0 })
    expect(contents(folder)).toEqual(before)
    const back = await migrate('--from', `sqlite:${at('app.db')}`, '--to', at('again'))
    expect(back).toMatchObject({ code: 0 })
    expect(back.lines).toContain(proof)
    const shown = { '0.10': '0.10', '0.11': '0.10.48' }[line as string] ?? '0.12.28'
    expect(back.lines).toContain(`wrote ${at('again')} in the line ${shown}`)
    expect(back.lines).toContain('taken 61 of 61 nodes, 60 of 60 vectors, 1 of 1 indexes, 2 of 2 messages')
    const [one, other] = [await StorageFolder.read(folder), await StorageFolder.read(at('again'))]
    expect((await other.nodesOf()).map((node) => node.toDict())).toEqual(
      (await one.nodesOf()).map((node) => node.toDict()),
    )
    expect(Object.fromEntries(Object.entries(other.documents.toDict()['docstore/metadata']!))).toEqual(
      one.documents.toDict()['docstore/metadata'],
    )
    expect(other.indexes.map(({ id }) => id)).toEqual(['main'])
    const chats = (folder: string) => FileChatStore.fromPersistPath(join(folder, 'chat_store.json'))
    const [written, read] = [await chats(at('again')), await chats(folder)]
    expect(written.toDict({ line: asRead })).toEqual(read.toDict({ line: asRead }))
  })

  it('makes a database whose stores and index answer', async () => {
    const folder = await pythonFolder('0.14')
    const { text } = await migrate(folder, '--to', `sqlite:${at('app.db')}`)
    expect(text).toContain("Open its document store with { line: pythonLine('0.12.28') }")
    const database = await openDatabase(at('app.db'))
    const documents = new SqliteDocumentStore(database, { line: pythonLine('0.14') })
    const again = new Document({ id: 'doc', text: 'The whole text.', metadata: { file: 'a.md' } })
    expect(await documents.upsert([again])).toMatchObject({ unchanged: ['doc'] })
    expect(new SqliteChatStore(database).getMessages('ann').map(({ content }) => content)[0]).toBe('Hello')
    const embedModel = { getQueryEmbedding: async () => [Math.sin(7), Math.cos(7), 0.1] }
    const retriever = new SqliteVectorRetriever(database, { embedModel: embedModel as never, similarityTopK: 1 })
    expect((await retriever.retrieve('?')).map(({ id }) => id)).toEqual(['n7'])
    database.close()
  })

  it('answers a question from both', async () => {
    const folder = await pythonFolder('0.10')
    const { code, text } = await migrate(folder, '--to', `sqlite:${at('app.db')}`, '--check', 'How large is a request?')
    expect(code).toBe(0)
    expect(text).toMatch(/words {2}\d\.\d+ n7 "A request has at most 4 MB\. é🍎"/)
    expect(text).toMatch(/vector 1\.0000 n7/)
    expect(text).toContain('the target returns the same answers')
  })

  it('writes another line on request', async () => {
    const folder = await pythonFolder('0.10')
    expect(await migrate(folder, '--to', `json:${at('newer')}`, '--line', '0.14')).toMatchObject({ code: 0 })
    const { documents } = await StorageFolder.read(at('newer'))
    const again = new Document({ id: 'doc', text: 'The whole text.', metadata: { file: 'a.md' } })
    expect(await documents.upsert([again])).toMatchObject({ unchanged: ['doc'] })
    expect(readFileSync(at('newer', 'docstore.json'), 'utf8')).toContain('"metadata_separator"')
  })

  it('names what it leaves out, with its key', async () => {
    const folder = await pythonFolder('0.10')
    const change = (name: string, from: string, to: string) => {
      const path = join(folder, name)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    }
    change('graph_store.json', '{}', '{"a":[["is","b"]]}')
    change(
      'index_store.json',
      '{"index_store/data":{',
      '{"index_store/data":{"words":{"__type__":"keyword_table","__data__":"{}"},',
    )
    change('default__vector_store.json', '"n1":[', '"n1":[NaN,')
    change('docstore.json', '"class_name":"Document"', '"class_name":"Mine"')
    writeFileSync(join(folder, 'other.json'), '{}')
    const refused = await migrate(folder, '--to', `sqlite:${at('app.db')}`)
    expect(refused.code).toBe(1)
    expect(refused.text).toContain(
      'Nothing was written: 5 things cannot be migrated; --allow-left-out writes everything else.',
    )
    expect(refused.lines.filter((line) => line.startsWith('left out'))).toHaveLength(5)
    expect(existsSync(at('app.db'))).toBe(false)
    const { lines, code } = await migrate(folder, '--to', `sqlite:${at('app.db')}`, '--allow-left-out')
    expect(code).toBe(0)
    expect(lines).toContain('taken 60 of 61 nodes, 59 of 60 vectors, 1 of 2 indexes, 2 of 2 messages')
    expect(
      lines.filter((line) => line.startsWith('left out')).map((line) => line.split(': ').slice(1, 3).join(': ')),
    ).toEqual([
      'graph_store.json: graph_dict',
      'index_store.json: words',
      'other.json: the file is not known',
      'docstore.json: docstore/data.doc',
      'default__vector_store.json: embedding_dict.n1',
    ])
    expect(lines).toContain('60 nodes, 59 vectors, 62 hashes, 1 conversations of 2 messages, 0 differences')
  })

  it('names the file and the vector of another length', async () => {
    const folder = await pythonFolder('0.10')
    const path = join(folder, 'default__vector_store.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"n1":[', '"n1":[1,'))
    const { code, text } = await migrate(folder, '--to', `sqlite:${at('app.db')}`)
    expect(code).toBe(1)
    expect(text).toContain(
      'default__vector_store.json: embedding_dict.n1: expected 3 numbers like the vectors before, received 4',
    )
    expect(existsSync(at('app.db'))).toBe(false)
  })

  it('keeps nothing of an interrupted run, and replaces no target', async () => {
    const folder = await pythonFolder('0.10')
    for (const name of ['app.db.migrating', 'again.migrating']) writeFileSync(at(name), 'left behind')
    expect((await migrate(folder, '--to', `sqlite:${at('app.db')}`)).code).toBe(0)
    expect((await migrate(folder, '--to', at('again'))).code).toBe(0)
    expect(readdirSync(directory).filter((name) => name.includes('migrating'))).toEqual([])
    for (const to of [`sqlite:${at('app.db')}`, at('again')]) {
      const { code, text } = await migrate(folder, '--to', to)
      expect(code).toBe(1)
      expect(text).toMatch(/Nothing was written: .*expected/)
    }
    const broken = at('broken')
    cpSync(folder, broken, { recursive: true })
    writeFileSync(join(broken, 'docstore.json'), readFileSync(join(broken, 'docstore.json'), 'utf8').slice(0, -9))
    expect((await migrate(broken, '--to', `sqlite:${at('other.db')}`)).text).toMatch(/Nothing was written: .*truncated/)
    const data = readFileSync(join(folder, 'docstore.json'), 'utf8').replace('"text":"Text number 30."', '"text":3')
    writeFileSync(join(broken, 'docstore.json'), data)
    const { text } = await migrate(broken, '--to', `sqlite:${at('other.db')}`)
    expect(text).toMatch(/left out: docstore\.json: docstore\/data\.n30: TextNode\.text: expected a string/)
    expect(existsSync(at('other.db.migrating'))).toBe(false)
  })

  it('reports its progress', async () => {
    const made = new StorageFolder()
    await made.documents.addDocuments(
      Array.from({ length: 10_001 }, (_, i) => new TextNode({ id: String(i), text: 'x' })),
    )
    await made.write(at('large'))
    expect((await migrate(at('large'), '--to', `sqlite:${at('app.db')}`)).progress).toEqual(['10000 nodes …'])
  })

  it.each([
    [[]],
    [['a', 'b']],
    [['a', '--from', 'b']],
    [['a', '--line', '0.9']],
    [['a', '--unknown']],
    [['a', '--to', 'mysql://host/db']],
    [['a', '--to', 'nope:x']],
    [['http://host/folder']],
    [['a', '--to', 'sqlite:b', '--prove-with', 'python3']],
    [['a', '--prove-with', 'python3']],
  ])('refuses the arguments %j', async (args) => {
    const { code, text } = await migrate(...args)
    expect(code).toBe(2)
    expect(text).toMatch(/received|[Uu]nknown option|expected/)
    expect(text).toContain('See migrate --help.')
    expect(readdirSync(directory)).toEqual([])
  })

  it('prints its help', async () => {
    expect(await migrate('--help')).toMatchObject({ code: 0, text: expect.stringMatching(/^Usage/) })
    expect((await migrate(at('none'))).text).toMatch(/the folder cannot be read/)
    expect((await migrate('--from', `sqlite:${at('none')}`)).text).toMatch(/does not exist/)
    expect((await migrate(at('none'), '--to', 'postgres:nowhere')).code).toBe(1)
  })
})

describe('odd folders', () => {
  function folderOf(docstore: string): string {
    mkdirSync(at('odd'))
    writeFileSync(at('odd', 'docstore.json'), docstore)
    return at('odd')
  }

  it('an empty document store is copied', async () => {
    const folder = folderOf('{}')
    expect(await migrate('--from', folder, '--to', at('again'))).toMatchObject({ code: 0 })
    expect(await migrate('--from', folder, '--to', `sqlite:${at('a.db')}`)).toMatchObject({ code: 0 })
  })

  it('a node with the id __proto__ keeps its hash', async () => {
    const store = new StorageFolder()
    await store.documents.addDocuments([new TextNode({ id: '__proto__', text: 'a' })])
    await store.write(at('named'), { line: '0.12' })
    const text = readFileSync(at('named', 'docstore.json'), 'utf8')
    writeFileSync(at('named', 'docstore.json'), text.replace(/("doc_hash": *)"[^"]*"/, '$1"given"'))
    expect(await migrate('--from', at('named'), '--to', `sqlite:${at('a.db')}`)).toMatchObject({ code: 0 })
  })

  it('damaged records are reported with their place, and no file stays open', async () => {
    const open = () => readdirSync('/dev/fd').length
    const folder = folderOf('{"docstore/metadata":{"a":x}}')
    const before = open()
    for (const to of ['again', 'other'])
      expect((await migrate('--from', folder, '--to', at(to))).text).toContain('byte 26: expected JSON')
    writeFileSync(at('odd', 'docstore.json'), '{"docstore/data":{"a":x}}')
    for (let round = 0; round < 3; round++) expect(await migrate(folder)).toMatchObject({ code: 1 })
    expect(open()).toBe(before)
    writeFileSync(at('odd', 'docstore.json'), '{"docstore/ref_doc_info":{"a":null}}')
    expect(await migrate('--from', folder, '--to', at('again'))).toMatchObject({ code: 0 })
  })
})
