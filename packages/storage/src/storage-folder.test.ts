/// <reference types="node" />
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImageNode, TextNode } from '@x/core-model'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexRecord, readIndex, SimpleDocumentStore, StorageFolder } from './node.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'folder-'))
})
afterEach(() => rm(directory, { recursive: true }))

const at = (name: string) => join(directory, name)
const json = async (name: string) => JSON.parse(await readFile(at(name), 'utf8'))
const put = (name: string, data: unknown) => writeFile(at(name), JSON.stringify(data))
const change = async (name: string, from: string, to: string) =>
  writeFile(at(name), (await readFile(at(name), 'utf8')).replace(from, to))

const node = (id: string, embedding: number[] | null = null) =>
  new TextNode({ id, text: `text ${id}`, metadata: { file: 'a' }, embedding, relationships: { 1: { nodeId: 'D' } } })

/** Writes a folder as Python does. */
async function pythonFolder(vectors: Record<string, unknown>, nodesDict: Record<string, string>): Promise<void> {
  const store = new SimpleDocumentStore()
  await store.addDocuments([node('a'), node('b'), node('c')])
  await store.persist(at('docstore.json'))
  const entry = { file: 'a', _node_type: 'TextNode', document_id: 'D', doc_id: 'D', ref_doc_id: 'D', extra: 1 }
  const ids = Object.keys(vectors)
  await put('default__vector_store.json', {
    embedding_dict: vectors,
    text_id_to_ref_doc_id: Object.fromEntries(ids.map((id) => [id, 'D'])),
    metadata_dict: Object.fromEntries(ids.map((id) => [id, entry])),
  })
  const data = { index_id: 'main', summary: null, nodes_dict: nodesDict, doc_id_dict: {}, embeddings_dict: {} }
  const words = { index_id: 'words', summary: null, table: { text: ['a'] } }
  await put('index_store.json', {
    'index_store/data': {
      main: { __type__: 'vector_store', __data__: JSON.stringify(data) },
      words: { __type__: 'keyword_table', __data__: JSON.stringify(words) },
    },
  })
  await put('graph_store.json', { graph_dict: { a: [['is', 'b']] } })
}

describe('StorageFolder', () => {
  it('reads the nodes of an index with their vectors, in the order of the vectors', async () => {
    await pythonFolder({ b: [0, 1], a: [1, 0], c: [1, 1] }, { a: 'a', b: 'b' })
    const folder = await StorageFolder.read(directory)
    expect(folder.indexes).toEqual([{ id: 'main', vectorStores: ['default'], nodeIds: ['b', 'a'] }])
    expect((await folder.nodesOf()).map(({ id, embedding }) => [id, embedding])).toEqual([
      ['b', [0, 1]],
      ['a', [1, 0]],
    ])
    await expect(folder.nodesOf('other')).rejects.toMatchObject({ code: 'store_read', message: /main/ })
  })

  it('writes back what Python wrote, also without nodes, with empty collections, and with -0.0', async () => {
    const files = {
      'docstore.json': [
        '{}',
        '{"docstore/data": {}, "docstore/metadata": {"a": {"doc_hash": "h"}}, "docstore/ref_doc_info": {}}',
      ],
      'index_store.json': ['{}'],
      'graph_store.json': ['{"graph_dict": {}}'],
      'default__vector_store.json': [
        '{"embedding_dict": {}, "text_id_to_ref_doc_id": {}, "metadata_dict": {}}',
        '{"embedding_dict": {"a": [-0.0, 1.0]}, "text_id_to_ref_doc_id": {"a": "None"}, "metadata_dict": {"a": {}}}',
      ],
    }
    for (const version of [0, 1]) {
      for (const [name, [first, second = first]] of Object.entries(files))
        await writeFile(at(name), (version === 0 ? first : second)!)
      await (await StorageFolder.read(directory)).write(at('written'))
      for (const name of Object.keys(files))
        expect(await readFile(at(`written/${name}`), 'utf8')).toBe(await readFile(at(name), 'utf8'))
      await rm(at('written'), { recursive: true })
    }
  })

  it('writes everything back, also what has no counterpart', async () => {
    await pythonFolder({ b: [0, 1], a: [1, 0] }, { a: 'a', b: 'b' })
    const names = ['docstore.json', 'index_store.json', 'default__vector_store.json', 'graph_store.json']
    const before = await Promise.all(names.map(json))
    const folder = await StorageFolder.read(directory)
    await folder.write(directory)
    const after = await Promise.all(names.map(json))
    const parsed = (store: { 'index_store/data': Record<string, { __data__: string }> }) =>
      Object.values(store['index_store/data']).map(({ __data__ }) => JSON.parse(__data__))
    expect(parsed(after[1])).toEqual(parsed(before[1]))
    expect([after[0], after[2], after[3]]).toEqual([before[0], before[2], before[3]])
    expect((await json('image__vector_store.json')).embedding_dict).toEqual({})
  })

  it('writes indexes back as they were, except those that are replaced', async () => {
    await pythonFolder({ a: [1, 0] }, { a: 'a', b: 'b' })
    const file = await json('index_store.json')
    const { main } = file['index_store/data']
    const data = { ...JSON.parse(main.__data__), summary: 'All.', doc_id_dict: { D: ['a', 'b'] } }
    const images = { __type__: 'multimodal', __data__: JSON.stringify({ ...data, index_id: 'images' }) }
    const broken = { __type__: 'vector_store', __data__: '{"nodes_dict": ' }
    file['index_store/data'] = { main: { ...main, __data__: JSON.stringify(data) }, images, broken }
    await put('index_store.json', file)
    const folder = await StorageFolder.read(directory)
    expect(folder.leftOut).toContainEqual({
      key: 'index_store.json: broken',
      reason: expect.stringContaining('not JSON: position 15'),
    })
    await folder.write(directory)
    expect(await json('index_store.json')).toEqual(file)
    await folder.addIndex('images', [node('c', [1, 1])])
    await folder.write(directory)
    const { images: replaced, main: same } = (await json('index_store.json'))['index_store/data']
    expect([replaced.__type__, JSON.parse(replaced.__data__).nodes_dict, same]).toEqual([
      'vector_store',
      { c: 'c' },
      file['index_store/data'].main,
    ])
  })

  it('names what has no counterpart, with its key', async () => {
    await pythonFolder({ a: [1, 0], b: [0, 'x'], gone: [1, 1] }, { a: 'a', b: 'b', gone: 'gone' })
    await put('notes.json', {})
    await change('default__vector_store.json', '"x"', 'NaN')
    const { leftOut, indexes } = await StorageFolder.read(directory)
    expect(leftOut.map(({ key }) => key).sort()).toEqual([
      'default__vector_store.json: embedding_dict.b',
      'docstore.json: docstore/data.gone',
      'graph_store.json: graph_dict',
      'index_store.json: main.nodes_dict.b',
      'index_store.json: words',
      'notes.json',
    ])
    expect(indexes[0]?.nodeIds).toEqual(['a'])
  })

  it('names nodes of own classes', async () => {
    await pythonFolder({ a: [1, 0] }, { a: 'a' })
    await change('docstore.json', '"class_name":"TextNode"', '"class_name":"Mine"')
    const { leftOut } = await StorageFolder.read(directory)
    expect(leftOut).toContainEqual({ key: 'docstore.json: docstore/data.a', reason: expect.stringContaining('Mine') })
  })

  it('writes vectors of texts and images into their stores', async () => {
    const folder = new StorageFolder()
    await folder.addIndex('main', [node('a', [1, 0])])
    await folder.addIndex('pictures', [new ImageNode({ id: 'i', imagePath: 'a.png', embedding: [1] })], 'image')
    await folder.write(directory, { line: '0.14' })
    expect(await json('default__vector_store.json')).toEqual({
      embedding_dict: { a: [1, 0] },
      text_id_to_ref_doc_id: { a: 'D' },
      metadata_dict: { a: { file: 'a', _node_type: 'TextNode', document_id: 'D', doc_id: 'D', ref_doc_id: 'D' } },
    })
    expect((await json('image__vector_store.json')).text_id_to_ref_doc_id).toEqual({ i: 'None' })
    expect((await json('docstore.json'))['docstore/data'].a.__data__).toMatchObject({ metadata_separator: '\n' })
    const again = await StorageFolder.read(directory)
    expect((await again.nodesOf('pictures')).map(({ embedding }) => embedding)).toEqual([[1]])
    await expect(folder.addIndex('none', [node('b')])).rejects.toMatchObject({ code: 'embedding_not_set' })
    for (const store of ['../escape', '..', 'a/b', 'a\\b', ''])
      await expect(folder.addIndex('m', [node('a', [1, 0])], store)).rejects.toMatchObject({ code: 'model_validation' })
  })

  it('replaces no file if one cannot be written, and leaves no temporary file', async () => {
    await pythonFolder({ a: [1, 0] }, { a: 'a' })
    const before = await readdir(directory)
    const old = await Promise.all(before.map((name) => readFile(at(name), 'utf8')))
    const folder = await StorageFolder.read(directory)
    // The name of the temporary file is longer than a file system allows.
    await folder.addIndex('more', [node('new', [1, 0])], 'v'.repeat(200))
    await expect(folder.write(directory)).rejects.toMatchObject({ code: 'store_write', systemCode: 'ENAMETOOLONG' })
    expect(await readdir(directory)).toEqual(before)
    expect(await Promise.all(before.map((name) => readFile(at(name), 'utf8')))).toEqual(old)
  })

  it('stores indexes with the names of properties of objects', async () => {
    const folder = new StorageFolder()
    for (const id of ['__proto__', 'constructor', 'toString']) await folder.addIndex(id, [node(id, [1])])
    await folder.write(directory)
    const { indexes, leftOut } = await StorageFolder.read(directory)
    expect(indexes.map(({ id, nodeIds }) => [id, nodeIds]).sort()).toEqual([
      ['__proto__', ['__proto__']],
      ['constructor', ['constructor']],
      ['toString', ['toString']],
    ])
    expect(leftOut).toEqual([])
  })

  it('writes floats of metadata as Python wrote them', async () => {
    await pythonFolder({ a: [1, 0] }, { a: 'a' })
    for (const name of ['docstore.json', 'default__vector_store.json'])
      await writeFile(at(name), (await readFile(at(name), 'utf8')).replaceAll('"file":"a"', '"score":1.0,"l":[2.50]'))
    const store = await SimpleDocumentStore.fromPersistDir(directory)
    expect((await store.getNode('a')).getContent('all')).toContain('score: 1.0\nl: [2.5]')
    const names = ['docstore.json', 'default__vector_store.json']
    const before = await Promise.all(names.map((name) => readFile(at(name), 'utf8')))
    const folder = await StorageFolder.read(directory)
    await folder.write(directory)
    expect(await Promise.all(names.map((name) => readFile(at(name), 'utf8')))).toEqual(before)
    await folder.addIndex('main', await folder.nodesOf())
    await folder.write(directory)
    expect(await readFile(at('default__vector_store.json'), 'utf8')).toContain('{"a":{"score":1.0,"l":[2.50],')
    await folder.documents.persist(at('docstore.json'), { line: '0.14' })
    expect(await readFile(at('docstore.json'), 'utf8')).toContain('"score":1.0,"l":[2.50]')
  })

  it('writes the record of an index, as JSON or as Python does', () => {
    const nodes = new Map([['v', 'n']])
    const data = { index_id: 'i', summary: null, nodes_dict: { v: 'n' }, doc_id_dict: {}, embeddings_dict: {} }
    const record = indexRecord('i', nodes)
    expect(record).toEqual({ __type__: 'vector_store', __data__: JSON.stringify(data) })
    expect(indexRecord('i', nodes, true)['__data__']).toContain('{"index_id": "i", "summary": null, ')
    expect(readIndex('i', record)).toEqual({ nodesDict: { v: 'n' } })
  })

  it('refuses what is no document store', () => {
    for (const documents of [{ documents: new SimpleDocumentStore() }, null, 5])
      expect(() => new StorageFolder(documents as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('refuses folders and files that are something else', async () => {
    await expect(StorageFolder.read(at('none'))).rejects.toMatchObject({ code: 'store_read' })
    await pythonFolder({ a: [1] }, { a: 'a' })
    for (const [name, data] of [
      ['index_store.json', []],
      ['default__vector_store.json', { vectors: {} }],
    ] as const) {
      const copy = await mkdtemp(join(tmpdir(), 'folder-'))
      await cp(directory, copy, { recursive: true })
      await writeFile(join(copy, name), JSON.stringify(data))
      await expect(StorageFolder.read(copy)).rejects.toMatchObject({ code: 'store_read', path: join(copy, name) })
      await rm(copy, { recursive: true })
    }
  })
})
