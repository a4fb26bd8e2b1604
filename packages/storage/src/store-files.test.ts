/// <reference types="node" />
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChatMessage, Document, IndexNode, TextNode } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileChatStore, SimpleDocumentStore } from './node.ts'
import 'fake-indexeddb/auto'
import { CountingEmbedding, runEdits } from '../../retrieval/test/ingestion-edits.ts'
import { IndexedDBDocumentStore } from './indexeddb.ts'
import { NodeRecords } from './node-records.ts'
import { nodeOfText, nodeText } from './node-text.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('SimpleDocumentStore with files', () => {
  it('writes a file that reads as the same store', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([new TextNode({ id: 'a', text: 'é🍎', relationships: { '1': { nodeId: 'D' } } })])
    await store.persist(join(directory, 'docstore.json'))
    expect((await SimpleDocumentStore.fromPersistDir(directory)).toDict()).toEqual(store.toDict())
    expect(await readdir(directory)).toEqual(['docstore.json'])
  })

  it('throws for an unknown option, and not for the file', async () => {
    await new SimpleDocumentStore().persist(join(directory, 'docstore.json'))
    await expect(
      SimpleDocumentStore.fromPersistPath(join(directory, 'docstore.json'), { nameSpace: 'a' } as object),
    ).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringContaining('SimpleDocumentStore.nameSpace: unknown option'),
    })
  })

  it('writes the nodes of all earlier calls of addDocuments', async () => {
    const store = new SimpleDocumentStore()
    const path = join(directory, 'docstore.json')
    await Promise.all([store.addDocuments([new TextNode({ id: 'a' })]), store.persist(path)])
    expect(await (await SimpleDocumentStore.fromPersistPath(path)).documentExists('a')).toBe(true)
  })

  it('reads nodes without a class name', async () => {
    const path = join(directory, 'docstore.json')
    const record = { __data__: { id_: 'a', text: 'ta', index_id: 'x' }, __type__: '3' }
    await writeFile(path, JSON.stringify({ 'docstore/data': { a: record } }))
    expect((await (await SimpleDocumentStore.fromPersistPath(path)).getNode('a')).toDict()).toMatchObject({
      index_id: 'x',
      class_name: 'IndexNode',
    })
  })

  it.each(['', '{"docstore/data": {"a', '[]', '"text"', '{"name": "x", "version": 1}'])(
    'rejects %j and does not change the file',
    async (text) => {
      const path = join(directory, 'foreign.json')
      await writeFile(path, text)
      await expect(SimpleDocumentStore.fromPersistPath(path)).rejects.toMatchObject({
        code: 'store_read',
        path,
        cause: expect.any(Error),
      })
      await expect(FileChatStore.fromPersistPath(path)).rejects.toMatchObject({ code: 'store_read', path })
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )
})

it.each([
  ['document', SimpleDocumentStore, (data: string) => `{"docstore/data": {"a": {"__data__": ${data}}}}`],
  ['chat', FileChatStore, (data: string) => `{"store": {"a": [{"content": ${data}}]}}`],
] as const)('a %s store file with data of 100,000 levels is refused', async (_, storeClass, fileOf) => {
  const path = join(directory, 'deep.json')
  await writeFile(path, fileOf('['.repeat(100_000) + ']'.repeat(100_000)))
  await expect(storeClass.fromPersistPath(path)).rejects.toMatchObject({ code: 'store_read', path })
})

it('getNode and persist throw for a node with 1,500 levels of data; the other nodes can be read', async () => {
  const path = join(directory, 'deep.json')
  const node = (id: string, data: string) =>
    `"${id}": {"__data__": {"id_": "${id}", "text": "x", "metadata": {"k": ${data}}}, "__type__": "1"}`
  const fileOf = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  await writeFile(path, `{"docstore/data": {${node('a', fileOf(900))}, ${node('b', fileOf(1_500))}}}`)
  const store = await SimpleDocumentStore.fromPersistPath(path)
  const read = await store.getNode('a')
  expect(read.copy({ deep: true }).toJson()).toBe(read.toJson())
  expect(read.hash).toMatch(/^[0-9a-f]{64}$/)
  const content = await readFile(path, 'utf8')
  await expect(store.persist(path)).rejects.toMatchObject({ code: 'serialization' })
  expect(await readFile(path, 'utf8')).toBe(content)
  await expect(store.getNode('b')).rejects.toThrow('TextNode.metadata.k: expected JSON data, received an array')
})

describe('two writers of one file', () => {
  const node = (id: string) => new TextNode({ id, text: id })

  it('get an error for the second write, and the file keeps the first one', async () => {
    const path = join(directory, 'docstore.json')
    const one = new SimpleDocumentStore()
    await one.addDocuments([node('a')])
    await one.persist(path)
    const other = await SimpleDocumentStore.fromPersistPath(path)
    await other.addDocuments([node('b')])
    await other.persist(path)
    await other.persist(path)
    const text = await readFile(path, 'utf8')
    await one.addDocuments([node('c')])
    const changed = { code: 'store_changed', path, message: expect.stringContaining('read it again') }
    await expect(one.persist(path)).rejects.toMatchObject(changed)
    await expect(new SimpleDocumentStore().persist(path)).rejects.toMatchObject({
      code: 'store_changed',
      message: expect.stringContaining('this store has not read it'),
    })
    expect(await readFile(path, 'utf8')).toBe(text)
    await one.persist(path, { overwrite: true })
    await one.persist(path)
    expect(Object.keys(await (await SimpleDocumentStore.fromPersistPath(path)).docs())).toEqual(['a', 'c'])
  })

  it('get the same error from chat stores', async () => {
    const path = join(directory, 'chat.json')
    const stores = [await FileChatStore.fromPersistPath(path), await FileChatStore.fromPersistPath(path)]
    for (const store of stores) store.addMessage('ann', new ChatMessage({ content: 'Hello' }))
    const results = await Promise.allSettled(stores.map((store) => store.persist(path)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const last = await FileChatStore.fromPersistPath(path)
    await last.persist(path)
    await expect(stores[0]!.persist(path)).rejects.toMatchObject({ code: 'store_changed', path })
    await stores[0]!.persist(path, { overwrite: true })
  })

  it('lose no entries in two processes that read the file again after the error', { timeout: 60_000 }, async () => {
    const path = join(directory, 'docstore.json')
    await new SimpleDocumentStore().persist(path)
    const module = new URL('./node.ts', import.meta.url).href
    const program = `
      import { TextNode } from '@x/core-model'
      import { SimpleDocumentStore } from ${JSON.stringify(module)}
      for (let i = 0; i < 25; i++) {
        for (;;) {
          const store = await SimpleDocumentStore.fromPersistPath(${JSON.stringify(path)})
          await store.addDocuments([new TextNode({ id: process.pid + '-' + i })])
          try {
            await store.persist(${JSON.stringify(path)})
            break
          } catch (error) {
            if (error.code !== 'store_changed') throw error
          }
        }
      }`
    const codes = await Promise.all(
      [1, 2].map(async () => {
        const args = ['--conditions=@x/source', '--input-type=module', '--eval', program]
        const child = spawn(process.execPath, args, { stdio: 'inherit', cwd: import.meta.dirname })
        return (await once(child, 'close'))[0]
      }),
    )
    expect(codes).toEqual([0, 0])
    expect(Object.keys(await (await SimpleDocumentStore.fromPersistPath(path)).docs())).toHaveLength(50)
    expect(await readdir(directory)).toEqual(['docstore.json'])
  })
})

it('can persist without copying the records', async () => {
  class Uncopied extends SimpleDocumentStore {
    override toDict(): never {
      throw new Error('copied')
    }
  }
  const store = new Uncopied()
  const path = join(directory, 'docstore.json')
  await store.persist(path)
  expect(await readFile(path, 'utf8')).toBe('{}')
  await store.addDocuments([
    new TextNode({ id: 'a', relationships: { 1: { nodeId: 'D' } } }),
    new TextNode({ id: 'b' }),
  ])
  await store.deleteDocument('b')
  await store.persist(path)
  const plain = await SimpleDocumentStore.fromPersistPath(path)
  expect(Object.keys(plain.toDict()).sort()).toEqual(['docstore/data', 'docstore/metadata', 'docstore/ref_doc_info'])
  expect(JSON.stringify(plain.toDict())).toBe(await readFile(path, 'utf8'))
})

describe('a document store file of Python with values that JSON does not have', () => {
  const node = (id: string, metadata: string) =>
    `"${id}": {"__data__": {"id_": "${id}", "text": "x", "metadata": ${metadata}}, "__type__": "1"}`
  const text = `{"docstore/data": {${node('good', '{"message_id": 1234567890123456789}')}, ${node('odd', '{"score": NaN}')}}}`

  it('is loaded without the invalid value', async () => {
    const path = join(directory, 'docstore.json')
    await writeFile(path, text)
    const store = await SimpleDocumentStore.fromPersistPath(path)
    expect((await store.getNode('odd')).metadata).toEqual({ score: Number.NaN })
    expect((await store.getNode('odd')).getContent('all')).toBe('score: nan\n\nx')
    expect((await store.getNode('good')).hash).toBe('08768bdce33063a70b04532f42bf8d560b56c5f5a338bfb2e0266f36fe160b17')
    await expect(store.persist(path)).rejects.toMatchObject({
      code: 'serialization',
      field: 'SimpleDocumentStore.docstore/data.odd.__data__.metadata.score',
    })
    expect(await readFile(path, 'utf8')).toBe(text)
    await store.deleteDocument('odd')
    await store.persist(path)
    expect(await readFile(path, 'utf8')).toContain('"metadata": {"message_id": 1234567890123456789}')
  })

  it('is loaded with an invalid vector, and the other nodes can be read', async () => {
    const path = join(directory, 'docstore.json')
    const vector = '"v": {"__data__": {"id_": "v", "embedding": [1, Infinity]}, "__type__": "1"}'
    await writeFile(path, `{"docstore/data": {${vector}, ${node('good', '{}')}}}`)
    const store = await SimpleDocumentStore.fromPersistPath(path)
    expect((await store.getNode('good')).text).toBe('x')
    await expect(store.getNode('v')).rejects.toThrow('TextNode.embedding[1]')
  })

  it('lists each node of a source once', async () => {
    const path = join(directory, 'docstore.json')
    const nodes = ['n0', 'n1'].map((id) => node(id, '{}')).join(', ')
    const info = '{"d": {"node_ids": ["n0", "n0", "n1", "n1"], "metadata": {}}}'
    const hashes = '{"n0": {"doc_hash": "h", "ref_doc_id": "d"}, "n1": {"doc_hash": "h", "ref_doc_id": "d"}}'
    await writeFile(
      path,
      `{"docstore/data": {${nodes}}, "docstore/metadata": ${hashes}, "docstore/ref_doc_info": ${info}}`,
    )
    const store = await SimpleDocumentStore.fromPersistPath(path)
    expect(await store.getRefDocInfo('d')).toEqual({ nodeIds: ['n0', 'n1'], metadata: {} })
    const kept = new TextNode({ id: 'n0', text: 'x', relationships: { '1': { nodeId: 'd' } } })
    expect(await store.upsert([kept])).toMatchObject({ removed: ['n1'] })
    expect(store.toDict()['docstore/ref_doc_info']).toEqual({ d: { node_ids: ['n0'], metadata: {} } })
  })
})

describe('FileChatStore', () => {
  const dict =
    '{"store": {"ann": [{"role": "user", "content": "\\u00e9", "additional_kwargs": {"id": 1234567890123456789}}]}'

  it('reads a file of LlamaIndex for Python, with and without a class name', async () => {
    const path = join(directory, 'chat.json')
    for (const inner of [`${dict}, "class_name": "SimpleChatStore"}`, `${dict}}`]) {
      await writeFile(path, JSON.stringify(inner))
      const store = await FileChatStore.fromPersistPath(path)
      expect(store.getMessages('ann')).toMatchObject([
        { role: 'user', content: 'é', additionalKwargs: { id: 1234567890123456789n } },
      ])
    }
  })

  it('writes the form of LlamaIndex for Python on request', async () => {
    const path = join(directory, 'chat.json')
    const store = new FileChatStore()
    store.addMessage('ann', new ChatMessage({ content: 'é', additionalKwargs: { id: 2n ** 64n } }))
    await store.persist(path, { format: 'python' })
    const text = await readFile(path, 'utf8')
    expect(JSON.parse(text)).toBe(
      '{"store":{"ann":[{"role":"user","content":"é","additional_kwargs":{"id":18446744073709551616}}]},"class_name":"SimpleChatStore"}',
    )
    expect((await FileChatStore.fromPersistPath(path)).toDict()).toEqual(store.toDict())
  })

  it('is empty if its file does not exist', async () => {
    expect((await FileChatStore.fromPersistPath(join(directory, 'none.json'))).getKeys()).toEqual([])
    await expect(FileChatStore.fromPersistPath(directory)).rejects.toMatchObject({ code: 'store_read' })
  })

  it('throws for a JSON string that does not contain a store', async () => {
    const path = join(directory, 'chat.json')
    for (const [inner, reason] of [
      ['{"store": ', 'position 10'],
      ['[]', 'expected class_name "SimpleChatStore", received none'],
      ['{"store": {}, "class_name": "OtherStore"}', 'expected class_name "SimpleChatStore", received "OtherStore"'],
      ['{"store": {"ann": [{"role": "narrator"}]}}', 'SimpleChatStore.store.ann[0].role: expected one of "system", '],
    ] as const) {
      await writeFile(path, JSON.stringify(inner))
      await expect(FileChatStore.fromPersistPath(path)).rejects.toMatchObject({
        code: 'store_read',
        message: expect.stringMatching(/chat\.json: the file does not contain a readable chat store: .*[^.]\.$/),
        cause: expect.any(Error),
      })
      await expect(FileChatStore.fromPersistPath(path)).rejects.toThrow(reason)
    }
  })

  it('keeps the conversations of a file of a newer version of LlamaIndex for Python', async () => {
    const path = join(directory, 'chat.json')
    const blocks = [
      { block_type: 'text', text: 'Hi' },
      { block_type: 'audio', audio: 'AAAA', path: null, url: null, format: 'mp3' },
    ]
    const messages = [
      { role: 'developer', additional_kwargs: {}, blocks: blocks.slice(0, 1) },
      { role: 'user', additional_kwargs: {}, blocks },
      { role: 'model', additional_kwargs: {}, blocks: [] },
    ]
    await writeFile(path, JSON.stringify(JSON.stringify({ store: { ann: messages }, class_name: 'SimpleChatStore' })))
    const store = await FileChatStore.fromPersistPath(path)
    store.addMessage('ann', new ChatMessage({ content: 'Thanks' }))
    await store.persist(path, { format: 'python' })
    const again = await FileChatStore.fromPersistPath(path)
    expect(again.getMessages('ann').map(({ role, content }) => [role, content])).toEqual([
      ['developer', 'Hi'],
      ['user', [{ type: 'text', text: 'Hi' }, blocks[1]]],
      ['model', null],
      ['user', 'Thanks'],
    ])
  })

  it('throws with the index of the message whose value cannot be written', async () => {
    const path = join(directory, 'chat.json')
    const message = '{"role": "user", "content": "a", "additional_kwargs": {"score": Infinity}}'
    await writeFile(path, JSON.stringify(`{"store": {"ann": [${message}]}}`))
    const store = await FileChatStore.fromPersistPath(path)
    await expect(store.persist(path)).rejects.toThrow(
      'SimpleChatStore.store.ann[0]: ChatMessage.additionalKwargs.score: Infinity has no JSON form.',
    )
  })

  it('uses the path of LlamaIndex for Python by default', async () => {
    const before = process.cwd()
    process.chdir(directory)
    try {
      await new FileChatStore().persist()
      expect(await readdir(directory)).toEqual(['chat_store.json'])
      expect((await FileChatStore.fromPersistPath()).getKeys()).toEqual([])
    } finally {
      process.chdir(before)
    }
  })

  it('writes the content of the last call, even if an earlier call takes longer', async () => {
    const store = new FileChatStore()
    const path = join(directory, 'chat.json')
    store.addMessage('a', new ChatMessage({ content: 'x'.repeat(20_000_000) }))
    const first = store.persist(path)
    store.setMessages('a', [new ChatMessage({ content: 'last' })])
    await Promise.all([first, store.persist(path)])
    const kept = await FileChatStore.fromPersistPath(path)
    expect(kept.getMessages('a').map(({ content }) => content)).toEqual(['last'])
  })

  it('can write again after a failed write', async () => {
    const store = new FileChatStore()
    const path = join(directory, 'taken')
    await mkdir(join(path, 'inside'), { recursive: true })
    const results = await Promise.allSettled([store.persist(path), store.persist(join(directory, 'chat.json'))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('is restored from its file', async () => {
    const store = new FileChatStore()
    store.addMessage('a', new ChatMessage({ role: 'assistant', content: 'é' }))
    const path = join(directory, 'chat.json')
    await store.persist(path)
    expect((await FileChatStore.fromPersistPath(path)).toDict()).toEqual(store.toDict())
  })
})

describe('files of the lines of LlamaIndex for Python', () => {
  const pages = { id_: 'd', metadata: { page: 1 }, relationships: {}, class_name: 'Document' }
  const text_resource = { embeddings: null, data: null, text: 'Paris', path: null, url: null, mimetype: null }
  const document = { ...pages, metadata_separator: '\n', text_resource, text: 'Paris' }
  /** As Python 0.12 computes it: the text of the metadata and the hash of the text. */
  const hash = sha256(`page: 1-${sha256('Paris')}`)
  const docstore = {
    'docstore/metadata': { d: { doc_hash: hash }, other: { doc_hash: 'of a document that is not stored' } },
    'docstore/data': { d: { __data__: document, __type__: '4' } },
  }
  const persisted = async (data: unknown, name = 'docstore.json') => {
    await writeFile(join(directory, name), JSON.stringify(data))
    return join(directory, name)
  }

  it('have documents that are unchanged if their text is', async () => {
    const store = await SimpleDocumentStore.fromPersistPath(await persisted(docstore))
    const again = new Document({ id: 'd', text: 'Paris', metadata: { page: 1 } })
    expect(await store.upsert([again])).toMatchObject({ unchanged: ['d'] })
    await store.upsert([new Document({ id: 'e', text: 'Rome' })])
    await store.persist(join(directory, 'docstore.json'))
    const { 'docstore/data': data } = JSON.parse(await readFile(join(directory, 'docstore.json'), 'utf8'))
    expect(data.d.__data__).toEqual(document)
    expect(data.e.__data__).toMatchObject({ text_resource: { text: 'Rome' }, metadata_separator: '\n' })
    expect(await store.getDocumentHash('e')).toBe(sha256(sha256('Rome')))
  })

  it('are written in another line on request, with the hashes of that line', async () => {
    const store = await SimpleDocumentStore.fromPersistPath(await persisted(docstore))
    const path = join(directory, 'older.json')
    await store.persist(path, { line: '0.10' })
    const older = await SimpleDocumentStore.fromPersistPath(path)
    expect(await older.getDocumentHash('d')).toBe((await store.getNode('d')).hash)
    expect(await older.getDocumentHash('other')).toBe('of a document that is not stored')
    expect(older.toDict()['docstore/data']!['d']!['__data__']).not.toHaveProperty('text_resource')
    expect((await older.getNode('d')).equals(await store.getNode('d'))).toBe(true)
  })

  it('of chats are written in the form and the line that was read', async () => {
    const blocks = [{ block_type: 'text', text: 'Hi' }]
    const store = { store: { ann: [{ role: 'user', additional_kwargs: {}, blocks }] }, class_name: 'SimpleChatStore' }
    const text = JSON.stringify(JSON.stringify(store))
    const path = await persisted(JSON.stringify(store), 'chat.json')
    const chats = await FileChatStore.fromPersistPath(path)
    await chats.persist(path)
    expect(await readFile(path, 'utf8')).toBe(text)
    await chats.persist(path, { format: 'json', line: '0.10' })
    expect(JSON.parse(await readFile(path, 'utf8')).store.ann).toEqual([
      { role: 'user', content: 'Hi', additional_kwargs: {} },
    ])
    chats.addMessage('ann', new ChatMessage({ role: 'assistant', content: 'Hello' }))
    await chats.persist(path, { format: 'python', line: '0.14' })
    expect((await FileChatStore.fromPersistPath(path)).getMessages('ann').map(String)).toEqual([
      'user: Hi',
      'assistant: Hello',
    ])
  })

  it('of chats lack a conversation of another line that was deleted', async () => {
    const message = { role: 'user', additional_kwargs: {} }
    const blocks = [{ block_type: 'text', text: 'Hi' }]
    const store = { bob: [{ ...message, content: 'Hi' }], ann: [{ ...message, blocks }] }
    const path = await persisted(JSON.stringify({ store, class_name: 'SimpleChatStore' }), 'chat.json')
    const chats = await FileChatStore.fromPersistPath(path)
    for (const key of ['ann', 'bob']) {
      chats.deleteMessages(key)
      await chats.persist(path)
      expect(Object.keys(JSON.parse(JSON.parse(await readFile(path, 'utf8'))).store)).not.toContain(key)
    }
  })
})

it('after edits, a store in IndexedDB equals that of a fresh ingestion', async () => {
  const embedModel = new CountingEmbedding()
  const store = await IndexedDBDocumentStore.open('test', { indexedDB: new IDBFactory() })
  expect(
    await runEdits({ open: async () => ({ store, indexes: [] }), embedModel, edits: 30, lineNumbers: true }),
  ).toEqual([])
})

it('after edits, a store in a file equals that of a fresh ingestion', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'edits-'))
  const path = join(directory, 'docstore.json')
  const embedModel = new CountingEmbedding()
  let store = new SimpleDocumentStore()
  const open = async () => ({ store, indexes: [] })
  const close = async () => {
    await store.persist(path)
    store = await SimpleDocumentStore.fromPersistPath(path)
  }
  expect(await runEdits({ open, close, embedModel, edits: 30, lineNumbers: true })).toEqual([])
  await rm(directory, { recursive: true })
})

const nodes = [
  new TextNode({
    id: 'a',
    text: 'Pears 7',
    metadata: { 10: 1.5, b: '\ud800', 2: [null, { x: 1e21 }] },
    embedding: [0.1, -0.25],
  }),
  new IndexNode({ id: 'b', text: 'Apples', indexId: 't' }),
]

/** A store whose records are changed as JSON text, as on a disk. */
async function altered(change: (text: string) => string, checksums = true) {
  const store = new SimpleDocumentStore({ checksums })
  await store.addDocuments(nodes)
  return SimpleDocumentStore.fromDict(JSON.parse(change(JSON.stringify(store.toDict()))))
}

describe('a damaged record', () => {
  it('names the node, and is left out on request', async () => {
    const store = await altered((text) => text.replace('"text":"Apples"', '"text":7'), false)
    const error = expect.objectContaining({
      code: 'store_read',
      path: 'docstore/data',
      nodeId: 'b',
      message: expect.stringContaining('docstore/data: the record of the node "b" cannot be read: '),
    })
    await expect(store.docs()).rejects.toThrow(error)
    await expect(store.getNode('b')).rejects.toThrow(error)
    expect((await store.getNode('a')).text).toBe('Pears 7')
    expect(Object.keys(await store.docs({ onUnreadable: 'skip' }))).toEqual(['a'])
    const errors: unknown[] = []
    expect(Object.keys(await store.docs({ onUnreadable: (error) => errors.push(error) }))).toEqual(['a'])
    expect(errors).toEqual([error])
    await expect(store.docs({ onUnreadable: 'ignore' as never })).rejects.toThrow('docs.onUnreadable: expected "throw"')
  })
})

describe('a checksum', () => {
  it('is that of the record that is read', async () => {
    const store = await altered((text) => text)
    expect(Object.values(await store.docs()).map((node) => node.toDict())).toEqual(nodes.map((node) => node.toDict()))
    const records = new NodeRecords({ checksums: true })
    for (const node of nodes) {
      const text = nodeText(node, records, { embedding: null })
      expect(nodeOfText(text, new NodeRecords()).toDict()).toEqual({ ...node.toDict(), embedding: null })
    }
  })

  it.each([
    ['Pears 7', 'Pears 6'],
    ['1.5', '1.4'],
    ['"a"', '"A"'],
    ['Apples', 'Applez'],
  ])('finds that %s was altered to %s', async (from, to) => {
    await expect((await altered((text) => text.replaceAll(from, to))).docs()).rejects.toMatchObject({
      code: 'store_read',
      message: expect.stringContaining('it was altered: its checksum is another one'),
    })
    const records = new NodeRecords({ checksums: true })
    const [text] = nodes.map((node) => nodeText(node, records)).filter((one) => one.includes(from))
    expect(() => nodeOfText(text!.replaceAll(from, to), records)).toThrow(
      expect.objectContaining({ code: 'store_read' }),
    )
  })

  it('is written on request only', async () => {
    const records = new NodeRecords()
    expect(records.recordOf(nodes[0]!)).not.toHaveProperty('__checksum__')
    expect(nodeOfText(nodeText(nodes[0]!, records).replace('Pears 7', 'Pears 6'), records).text).toBe('Pears 6')
    for (const text of ['{"__data__":', '7', 'null'])
      expect(() => nodeOfText(text, records, { path: 'x.db', nodeId: 'a' })).toThrow(
        expect.objectContaining({ code: 'store_read', path: 'x.db', nodeId: 'a' }),
      )
  })
})
