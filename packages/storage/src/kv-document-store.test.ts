import { Document, IndexNode, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
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
