import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassRegistry, Document, IndexNode, TextNode, writeJsonText } from '@x/core-model'
import { array, fields, integer, string } from '@x/core-model/fields'
import { describe, expect, it } from 'vitest'
import { InMemoryKeyValueStore } from './key-value-store.ts'
import { type DocumentStoreOptions, KVDocumentStore } from './kv-document-store.ts'
import { SimpleDocumentStore as FileDocumentStore, FileKeyValueStore } from './node.ts'
import { SimpleDocumentStore } from './simple-document-store.ts'

const node = (id: string, source?: string, metadata: Record<string, unknown> = {}) =>
  new TextNode({
    id,
    text: `t${id}`,
    metadata,
    ...(source !== undefined && { relationships: { '1': { nodeId: source } } }),
  })

describe('KVDocumentStore', () => {
  it('stores and returns copies', async () => {
    const store = new SimpleDocumentStore()
    const original = node('a', undefined, { list: [1] })
    await store.addDocuments([original])
    ;(original.metadata['list'] as number[]).push(2)
    ;((await store.getNode('a')).metadata['list'] as number[]).push(3)
    expect((await store.getDocument('a')).metadata).toEqual({ list: [1] })
  })

  it.each([
    ['memory', async () => new InMemoryKeyValueStore()],
    ['a file', async () => new FileKeyValueStore(join(await mkdtemp(join(tmpdir(), 'store-')), 'values.json'))],
  ])('returns floats as they were written, from %s', async (_place, values) => {
    const store = new KVDocumentStore(await values())
    const read = (id: string) =>
      TextNode.fromJson(
        `{"id_": "${id}", "metadata": {"${id}": 1.0, "list": [2.50]}, "relationships": {"1": {"node_id": "D"}}}`,
      )
    await store.addDocuments([read('a')])
    await store.addDocuments([read('b')])
    const found = await store.getNode('a')
    expect([found.toJson(), found.hash]).toEqual([read('a').toJson(), read('a').hash])
    const { metadata } = (await store.getRefDocInfo('D'))!
    expect(writeJsonText(metadata)).toBe('{"a":1.0,"list":[2.50],"b":1.0}')
    expect(await store.upsert([read('a'), read('b')])).toMatchObject({ unchanged: ['a', 'b'] })
  })

  it('returns nodes of their original class', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([
      new Document({ id: 'd', text: 'D' }),
      new IndexNode({ id: 'i', text: 'I', indexId: 'd' }),
    ])
    expect([await store.getNode('d'), await store.getNode('i')].map((found) => found.constructor)).toEqual([
      Document,
      IndexNode,
    ])
    expect(Object.keys(await store.docs())).toEqual(['d', 'i'])
  })

  it('adds nodes without replacing any with allowUpdate false, and refuses unknown options and other values', async () => {
    const store = new SimpleDocumentStore()
    const only = { allowUpdate: false }
    await store.addDocuments([node('a'), node('b')], only)
    await expect(store.addDocuments([node('c'), node('b')], only)).rejects.toMatchObject({
      code: 'node_exists',
      nodeId: 'b',
    })
    await expect(store.addDocuments([node('a'), node('c')], only)).rejects.toMatchObject({ nodeId: 'a' })
    expect(Object.keys(await store.docs())).toEqual(['a', 'b'])
    const invalid = { code: 'model_validation' }
    await expect(store.addDocuments([], { allowUpdat: false } as never)).rejects.toMatchObject(invalid)
    await expect(store.addDocuments([], { storeText: 1 } as never)).rejects.toMatchObject(invalid)
    for (const nodes of ['ab', undefined, node('a')]) {
      await expect(store.addDocuments(nodes as never)).rejects.toMatchObject(invalid)
      await expect(store.upsert(nodes as never)).rejects.toMatchObject(invalid)
    }
    expect(() => new KVDocumentStore(new InMemoryKeyValueStore(), { namespac: 'a' } as never)).toThrow(
      'KVDocumentStore.namespac: unknown option; did you mean namespace?',
    )
  })

  it('says which nodes and which source documents exist', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([node('a', 's')])
    expect([await store.documentExists('a'), await store.documentExists('s')]).toEqual([true, false])
    expect([await store.refDocExists('s'), await store.refDocExists('a')]).toEqual([true, false])
  })

  it('throws for missing ids, or returns null with raiseError false', async () => {
    const store = new SimpleDocumentStore()
    await expect(store.getNode('z')).rejects.toMatchObject({ code: 'node_not_found', nodeId: 'z' })
    await expect(store.deleteDocument('z')).rejects.toMatchObject({ code: 'node_not_found' })
    await expect(store.deleteRefDoc('z')).rejects.toMatchObject({ code: 'ref_doc_not_found', refDocId: 'z' })
    await expect(store.getNodeDict({ x: 'z' })).rejects.toMatchObject({ code: 'node_not_found' })
    const quiet = { raiseError: false }
    expect([
      await store.getNode('z', quiet),
      await store.getNodes(['z'], quiet),
      await store.deleteDocument('z', quiet),
      await store.deleteRefDoc('z', quiet),
    ]).toEqual([null, [], undefined, undefined])
    expect(store.toDict()).toEqual({})
  })

  it('adds all nodes or none', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([node('a')])
    const before = store.toDict()
    await expect(store.addDocuments([node('b'), node('a')], { allowUpdate: false })).rejects.toMatchObject({
      code: 'node_exists',
      nodeId: 'a',
    })
    const broken = TextNode.construct({ id: 'c', embedding: [Number.NaN] })
    await expect(store.addDocuments([node('b'), broken])).rejects.toMatchObject({ code: 'serialization' })
    const live = TextNode.construct({ id: 'd', metadata: { f: () => 1 }, relationships: { '1': { nodeId: 'D' } } })
    await expect(store.addDocuments([node('b'), live], { storeText: false })).rejects.toMatchObject({
      code: 'serialization',
    })
    expect(store.toDict()).toEqual(before)
  })

  it('keeps all entries of concurrent calls', async () => {
    const store = new SimpleDocumentStore()
    const ids = Array.from({ length: 50 }, (_, i) => `n${i}`)
    await Promise.all(ids.map((id) => store.addDocuments([node(id, 'D', { [id]: 1 })])))
    const info = await store.getRefDocInfo('D')
    expect(info?.nodeIds).toEqual(ids)
    expect(Object.keys(info!.metadata)).toEqual(ids)
  })

  it('continues after an operation that failed', async () => {
    const store = new SimpleDocumentStore()
    const results = await Promise.allSettled([store.getNode('a'), store.addDocuments([node('a')]), store.getNode('a')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  })
})

describe('SimpleDocumentStore', () => {
  it('throws for data that is not a store', () => {
    for (const data of [null, [], 'x', { a: 1 }, { a: { b: [] } }]) {
      expect(() => SimpleDocumentStore.fromDict(data)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    }
  })
})

class CodeNode extends fields(TextNode, 'CodeNode', {
  language: string(),
  lines: integer({ minimum: 1, default: 1 }),
  calls: array(string(), { default: [] }),
}) {}

const options: DocumentStoreOptions = { nodeClasses: [CodeNode] }
const source = { relationships: { 1: { nodeId: 'a.py' } } }
const code = new CodeNode({ ...source, id: 'c', text: 'x', language: 'py', lines: 3, calls: ['f'] })

describe.each<[string, () => KVDocumentStore]>([
  ['in memory', () => new SimpleDocumentStore(options)],
  ['over a key-value store', () => new KVDocumentStore(new InMemoryKeyValueStore(), options)],
  ['with files', () => new FileDocumentStore(options)],
  ['with a registry', () => new SimpleDocumentStore({ registry: new ClassRegistry([CodeNode]) })],
])('your own node class in a store %s', (_, make) => {
  it('is returned unchanged each time it is stored and read', async () => {
    const store = make()
    await store.addDocuments([code])
    await store.addDocuments([await store.getNode('c')])
    const again = await store.getNode('c')
    expect(again).toBeInstanceOf(CodeNode)
    expect(again.equals(code)).toBe(true)
    expect((await store.docs())['c']).toBeInstanceOf(CodeNode)
  })

  it('is reported as changed if only its own fields have changed', async () => {
    const store = make()
    expect(await store.upsert([code])).toMatchObject({ added: ['c'] })
    expect(await store.upsert([await store.getNode('c')])).toMatchObject({ unchanged: ['c'] })
    expect(await store.upsert([code.copy({ update: { language: 'ts' } })])).toMatchObject({ changed: ['c'] })
    expect((await store.getNode('c')) as CodeNode).toMatchObject({ language: 'ts', lines: 3 })
  })

  it('can be the obj of an index node', async () => {
    const store = make()
    await store.addDocuments([new IndexNode({ id: 'i', indexId: 'c', obj: code })])
    expect(((await store.getNode('i')) as IndexNode).obj).toBeInstanceOf(CodeNode)
  })
})

describe('a node class that is not registered', () => {
  const unknown = expect.objectContaining({ code: 'unknown_node_type', type: 'CodeNode' })

  it('throws before anything is written', async () => {
    const store = new SimpleDocumentStore()
    const adding = store.addDocuments([new TextNode({ id: 't' }), code])
    await expect(adding).rejects.toThrow(
      /^Node: the type "CodeNode" is not known; pass your own class to the store and the indexes \(nodeClasses\)/,
    )
    await expect(store.upsert([code])).rejects.toEqual(unknown)
    expect(store.toDict()).toEqual({})
  })

  it.each<[string, TextNode]>([
    ['of the store', new (class Plain extends TextNode {})({ id: 'p' })],
    ['of your own', new (class Loud extends CodeNode {})({ id: 'l', language: 'py' })],
    ['that another of your own classes extends', new (class Base extends fields(TextNode, 'Derived') {})({ id: 'b' })],
  ])('is refused when it only has the class name of a class %s', async (_, node) => {
    class Derived extends (node.constructor as typeof TextNode) {}
    const isBase = node.id === 'b'
    const store = new SimpleDocumentStore({ nodeClasses: isBase ? [Derived] : [CodeNode] })
    await expect(store.addDocuments([node])).rejects.toThrow(
      new RegExp(
        `^Node: the class ${node.constructor.name} has the class name of another class, "\\w+"; extend fields`,
      ),
    )
    expect(store.toDict()).toEqual({})
  })

  it('throws when it is read, and its record is kept', async () => {
    const full = new SimpleDocumentStore(options)
    await full.addDocuments([code, new TextNode({ ...source, id: 't' })])
    const data = full.toDict()
    const store = SimpleDocumentStore.fromDict(data)
    await expect(store.getNode('c')).rejects.toEqual(unknown)
    await expect(store.docs()).rejects.toEqual(unknown)
    expect((await store.getNode('t')).id).toBe('t')
    expect(store.toDict()).toEqual(data)
    expect((await SimpleDocumentStore.fromDict(data, options).getNode('c')).equals(code)).toBe(true)
    await store.deleteRefDoc('a.py')
    expect(store.toDict()).toEqual({})
  })

  it('can be added with storeText false, which stores its hash only', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([code], { storeText: false })
    expect(await store.getDocumentHash('c')).toBe(code.hash)
  })
})

it('fromPersistPath reads nodes of your own class', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'own-nodes-')), 'docstore.json')
  const store = new FileDocumentStore(options)
  await store.addDocuments([code])
  await store.persist(path)
  expect((await (await FileDocumentStore.fromPersistPath(path, options)).getNode('c')).equals(code)).toBe(true)
  await expect((await FileDocumentStore.fromPersistPath(path)).getNode('c')).rejects.toMatchObject({
    code: 'unknown_node_type',
  })
})

it('a value that was assigned and has no JSON form is refused before anything is written', async () => {
  const store = new SimpleDocumentStore(options)
  await store.addDocuments([code])
  const before = store.toDict()
  const changed = code.copy()
  changed.metadata['at'] = new Date(0)
  for (const write of [() => store.upsert([changed]), () => store.addDocuments([changed])])
    await expect(write()).rejects.toThrow('node c.metadata.at: an instance of Date has no JSON form; use an ISO string')
  expect(store.toDict()).toEqual(before)
})

it('throws for two node classes with the same name', () => {
  class Other extends fields(TextNode, 'CodeNode') {}
  expect(() => new SimpleDocumentStore({ nodeClasses: [CodeNode, Other] })).toThrow(
    expect.objectContaining({ code: 'model_validation' }),
  )
})

it.each<[string, string, (store: SimpleDocumentStore) => Promise<unknown>]>([
  ['a node for an array', 'addDocuments.nodes', (store) => store.addDocuments(code as never)],
  ['null in an array', 'addDocuments.nodes', (store) => store.addDocuments([null] as never)],
  ['a string in an array', 'upsert.nodes', (store) => store.upsert(['text'] as never)],
  ['no ids', 'getNodeDict.ids', (store) => store.getNodeDict(undefined as never)],
  ['a number as id', 'get.key', (store) => store.documentExists(5 as never)],
  ['a folder as key-value store', 'KVDocumentStore.keyValueStore', async () => new KVDocumentStore('data' as never)],
  ['no hash', 'setDocumentHash.hash', (store) => store.setDocumentHash('a', undefined as never)],
])('refuses %s', async (_, place, call) => {
  const store = new SimpleDocumentStore(options)
  await expect((async () => call(store))()).rejects.toMatchObject({
    code: 'model_validation',
    message: expect.stringMatching(`^${place}: expected `),
  })
  expect(store.toDict()).toEqual({})
})
