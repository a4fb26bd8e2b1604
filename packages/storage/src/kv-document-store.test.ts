import { Document, IndexNode, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { InMemoryKeyValueStore, type StoredValue } from './key-value-store.ts'
import { KVDocumentStore } from './kv-document-store.ts'
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

  it('moves a node to its new source, and keeps the hash of a source that is itself stored', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([node('D'), node('a', 'D'), node('b', 'E')])
    await store.addDocuments([node('a', 'F'), node('b')])
    expect(await store.getAllRefDocInfo()).toEqual({ F: { nodeIds: ['a'], metadata: {} } })
    expect(await store.getDocumentHash('D')).not.toBeNull()
    expect(await store.getDocumentHash('E')).toBeNull()
  })

  it('updates a source by upsert and returns what changed', async () => {
    const store = new SimpleDocumentStore()
    expect(await store.upsert([node('a', 'D'), node('b', 'D'), node('x')])).toEqual({
      added: ['a', 'b', 'x'],
      changed: [],
      unchanged: [],
      removed: [],
    })
    const result = await store.upsert([node('a', 'D'), node('c', 'D'), node('x', 'D')])
    expect(result).toEqual({ added: ['c'], changed: ['x'], unchanged: ['a'], removed: ['b'] })
    expect((await store.getRefDocInfo('D'))?.nodeIds).toEqual(['a', 'c', 'x'])
    expect(await store.documentExists('b')).toBe(false)
  })

  it('has the same content after an upsert as a new store with these nodes', async () => {
    const version = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('S', 'T'), fc.nat(1)),
      { selector: ([id]) => id, minLength: 1 },
    )
    await fc.assert(
      fc.asyncProperty(version, version, async (before, after) => {
        const nodes = (list: typeof before) => list.map(([id, source, v]) => node(id, source, { v }))
        const store = new SimpleDocumentStore()
        await store.upsert(nodes(before))
        await store.upsert(nodes(after))
        const sources = new Set(after.map(([, source]) => source))
        const kept = before.filter(([id, source]) => !sources.has(source) && !after.some(([other]) => other === id))
        expect(Object.keys(await store.docs()).sort()).toEqual([...kept, ...after].map(([id]) => id).sort())
        for (const [id, source, v] of after) {
          expect((await store.getNode(id)).metadata).toEqual({ v })
          expect((await store.getRefDocInfo(source))?.nodeIds).toContain(id)
        }
      }),
    )
  })

  it('lists exactly the nodes of each source after any additions and deletions', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    const source = fc.constantFrom(undefined, 'S', 'T', 'a')
    const step = fc.oneof(
      fc.record({ add: fc.uniqueArray(fc.tuple(id, source), { selector: ([key]) => key, maxLength: 3 }) }),
      fc.record({ remove: id }),
      fc.record({ removeSource: fc.constantFrom('S', 'T', 'a') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const store = new SimpleDocumentStore()
        const expected = new Map<string, string | undefined>()
        for (const next of steps) {
          if ('add' in next) {
            await store.addDocuments(next.add.map(([key, from]) => node(key, from)))
            for (const [key, from] of next.add) expected.set(key, from)
          } else if ('remove' in next) {
            await store.deleteDocument(next.remove, { raiseError: false })
            expected.delete(next.remove)
          } else if (await store.refDocExists(next.removeSource)) {
            await store.deleteRefDoc(next.removeSource)
            for (const [key, from] of expected) if (from === next.removeSource) expected.delete(key)
            // A node with the id of the source may have another source.
            if (expected.get(next.removeSource) === undefined) expected.delete(next.removeSource)
          }
        }
        expect(Object.keys(await store.docs()).sort()).toEqual([...expected.keys()].sort())
        // A deleted node may have been the source of other nodes, which keep this reference.
        for (const [from, { nodeIds }] of Object.entries(await store.getAllRefDocInfo())) {
          expect(nodeIds.filter((key) => expected.get(key) === from).sort()).toEqual(
            [...expected].flatMap(([key, of]) => (of === from ? [key] : [])).sort(),
          )
        }
        expect(SimpleDocumentStore.fromDict(JSON.parse(JSON.stringify(store.toDict()))).toDict()).toEqual(
          store.toDict(),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('adds and deletes in time linear in the number of nodes', { tags: 'growth' }, async () => {
    const fill = async (size: number) => {
      const nodes = Array.from({ length: size }, (_, i) => node(`n${i}`, 'D'))
      const store = new SimpleDocumentStore()
      await store.addDocuments(nodes)
      await store.addDocuments(nodes)
      await store.upsert(nodes.slice(0, 1))
    }
    expect(await growthOf(fill, 200)).toBeLessThan(1.75)
  })
})

describe('SimpleDocumentStore', () => {
  it('throws for data that is not a store', () => {
    for (const data of [null, [], 'x', { a: 1 }, { a: { b: [] } }]) {
      expect(() => SimpleDocumentStore.fromDict(data)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    }
  })
})

/** Counts the calls of its methods. */
class CountingStore extends InMemoryKeyValueStore {
  calls: string[] = []
  override get(key: string, collection?: string) {
    this.calls.push('get')
    return super.get(key, collection)
  }
  override async getMany(keys: readonly string[], collection?: string) {
    this.calls.push('getMany')
    return Promise.all(keys.map((key) => super.get(key, collection)))
  }
  override put(key: string, value: StoredValue, collection?: string) {
    this.calls.push('put')
    return super.put(key, value, collection)
  }
  override putAll(pairs: Iterable<readonly [string, StoredValue]>, collection?: string) {
    this.calls.push('putAll')
    return super.putAll(pairs, collection)
  }
  override delete(key: string, collection?: string) {
    this.calls.push('delete')
    return super.delete(key, collection)
  }
  override deleteMany(keys: readonly string[], collection?: string) {
    this.calls.push('deleteMany')
    return super.deleteMany(keys, collection)
  }
}

describe('calls of KVDocumentStore', () => {
  const nodes = (size: number) =>
    Array.from({ length: size }, (_, i) => new TextNode({ id: `n${i}`, relationships: { 1: { nodeId: 'D' } } }))

  it('makes the same number of calls for 500 nodes as for two', async () => {
    const callsFor = async (size: number) => {
      const values = new CountingStore()
      const store = new KVDocumentStore(values)
      const counts: Record<string, number> = {}
      const count = async (name: string, operation: () => Promise<unknown>) => {
        values.calls = []
        await operation()
        counts[name] = values.calls.length
      }
      const ids = nodes(size).map(({ id }) => id)
      await count('add', () => store.addDocuments(nodes(size), { allowUpdate: false }))
      await count('get', () => store.getNodes(ids))
      await count('upsert', () => store.upsert(nodes(size).slice(1)))
      await count('delete', () => store.deleteRefDoc('D'))
      return counts
    }
    const counts = await callsFor(500)
    expect(counts).toEqual(await callsFor(2))
    expect(counts).toEqual({ add: 6, get: 1, upsert: 6, delete: 5 })
  })
})
