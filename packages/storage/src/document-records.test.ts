import { Document, TextNode } from '@x/core-model'
import { pythonLine } from '@x/core-model/python'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { inLine, mergedMetadata } from './document-records.ts'
import { InMemoryKeyValueStore, KVDocumentStore, SimpleDocumentStore } from './index.ts'
import type { StoredValue } from './key-value-store.ts'
import { NodeRecords } from './node-records.ts'

class Stopped extends Error {}

/** A store without transactions that throws once it has written a number of values, as if its process was killed. */
class StoppingStore extends InMemoryKeyValueStore {
  left = Number.POSITIVE_INFINITY
  private spend(): void {
    if (this.left-- <= 0) throw new Stopped()
  }
  override async put(key: string, value: StoredValue, collection?: string) {
    this.spend()
    await super.put(key, value, collection)
  }
  override async putAll(pairs: Iterable<readonly [string, StoredValue]>, collection?: string) {
    for (const [key, value] of pairs) await this.put(key, value, collection)
  }
  override async delete(key: string, collection?: string) {
    this.spend()
    return await super.delete(key, collection)
  }
  override async deleteMany(keys: readonly string[], collection?: string) {
    for (const key of keys) await this.delete(key, collection)
  }
}

const node = (id: string, source: string, text = id) =>
  new TextNode({ id, text, relationships: { 1: { nodeId: source } } })

/** The content of the store before. `m` moves from S to T. */
const before = [node('S', 'S'), node('a', 'S'), node('b', 'S'), node('gone', 'S'), node('m', 'S'), node('t', 'T')]
const versions = {
  S: [node('S', 'S'), node('a', 'S', 'new a'), node('b', 'S'), node('c', 'S')],
  T: [node('m', 'T'), node('t', 'T', 'new t')],
}

const operations: [string, (store: KVDocumentStore) => Promise<unknown>][] = [
  ['upsert', (store) => store.upsert(versions.S)],
  ['upsert of two sources', (store) => store.upsert([...versions.S, ...versions.T])],
  ['addDocuments', (store) => store.addDocuments([...versions.T, node('new', 'S')])],
  ['deleteDocument', (store) => store.deleteDocument('a')],
  ['deleteDocument of the only node', (store) => store.deleteDocument('t')],
  ['deleteRefDoc', (store) => store.deleteRefDoc('S')],
]

/** Runs an operation that is interrupted after `writes` writes; returns the stored values, and whether it was interrupted. */
async function interrupted(writes: number, operation: (store: KVDocumentStore) => Promise<unknown>) {
  const values = new StoppingStore()
  await new KVDocumentStore(values).upsert(before)
  values.left = writes
  try {
    await operation(new KVDocumentStore(values))
    return { values, wasKilled: false }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    return { values, wasKilled: true }
  } finally {
    values.left = Number.POSITIVE_INFINITY
  }
}

async function contentOf(store: KVDocumentStore) {
  const sources = Object.entries(await store.getAllRefDocInfo()).map(([id, { nodeIds }]) => [id, nodeIds.sort()])
  return {
    texts: Object.fromEntries(
      Object.entries(await store.docs())
        .map(([id, { text }]) => [id, text])
        .sort(),
    ),
    hashes: Object.entries(await store.getAllDocumentHashes()).sort(),
    sources: Object.fromEntries(sources.sort()),
  }
}

describe.each(operations)('%s, interrupted after any of its writes, without transactions', (_, operation) => {
  it('is repaired by the next upsert of the sources', async () => {
    const fresh = new KVDocumentStore(new InMemoryKeyValueStore())
    await fresh.upsert([...versions.S, ...versions.T])
    const expected = await contentOf(fresh)
    let kills = 0
    for (let writes = 0; ; writes++) {
      const { values, wasKilled } = await interrupted(writes, operation)
      if (!wasKilled) break
      kills++
      for (const order of [['S', 'T'] as const, ['T', 'S'] as const]) {
        const copy = new KVDocumentStore(InMemoryKeyValueStore.fromDict(values.toDict()))
        for (const source of order) await copy.upsert(versions[source])
        expect(await contentOf(copy), `after ${writes} writes, ${order}`).toEqual(expected)
      }
    }
    expect(kills).toBeGreaterThanOrEqual(3)
  })
})

it('deleteRefDoc can be called again after an interruption', async () => {
  for (let writes = 0; ; writes++) {
    const { values, wasKilled } = await interrupted(writes, (store) => store.deleteRefDoc('S'))
    if (!wasKilled) break
    const store = new KVDocumentStore(values)
    await store.deleteRefDoc('S')
    expect(await contentOf(store)).toMatchObject({ texts: { t: 't' }, sources: { T: ['t'] } })
    expect(Object.keys(values.toDict()['docstore/data'] ?? {})).toEqual(['t'])
  }
})

it('upsert lists a node again whose source record was lost', async () => {
  const values = new InMemoryKeyValueStore()
  const store = new KVDocumentStore(values)
  await store.upsert(before)
  await values.delete('S', 'docstore/ref_doc_info')
  const nodes = before.filter(({ refDocId }) => refDocId === 'S')
  expect(await store.upsert(nodes)).toMatchObject({ added: [], changed: [], unchanged: nodes.map(({ id }) => id) })
  expect((await store.getRefDocInfo('S'))?.nodeIds).toEqual(nodes.map(({ id }) => id))
  await store.deleteRefDoc('S')
  expect(Object.keys(await store.docs())).toEqual(['t'])
})

/** A node with metadata; without a source unless it is given. */
const entry = (id: string, source?: string, metadata: Record<string, unknown> = {}) =>
  new TextNode({
    id,
    text: `t${id}`,
    metadata,
    ...(source !== undefined && { relationships: { '1': { nodeId: source } } }),
  })

describe('the records of nodes and their sources', () => {
  it('moves a node to its new source, and keeps the hash of a source that is itself stored', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([entry('D'), entry('a', 'D'), entry('b', 'E')])
    await store.addDocuments([entry('a', 'F'), entry('b')])
    expect(await store.getAllRefDocInfo()).toEqual({ F: { nodeIds: ['a'], metadata: {} } })
    expect(await store.getDocumentHash('D')).not.toBeNull()
    expect(await store.getDocumentHash('E')).toBeNull()
  })

  it('updates a source by upsert and returns what changed', async () => {
    const store = new SimpleDocumentStore()
    expect(await store.upsert([entry('a', 'D'), entry('b', 'D'), entry('x')])).toEqual({
      added: ['a', 'b', 'x'],
      changed: [],
      unchanged: [],
      removed: [],
    })
    const result = await store.upsert([entry('a', 'D'), entry('c', 'D'), entry('x', 'D')])
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
        const nodes = (list: typeof before) => list.map(([id, source, v]) => entry(id, source, { v }))
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
            await store.addDocuments(next.add.map(([key, from]) => entry(key, from)))
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

  it('forgets a source with its last node, and its hash unless the source is itself a node', async () => {
    for (const isNode of [true, false])
      for (const forget of [
        (store: SimpleDocumentStore) => store.deleteDocument('a'),
        (store: SimpleDocumentStore) => store.addDocuments([entry('a', 'T')]),
        (store: SimpleDocumentStore) => store.upsert([entry('a', 'T')]),
        (store: SimpleDocumentStore) => store.deleteRefDoc('S'),
      ]) {
        const store = new SimpleDocumentStore()
        if (isNode) await store.addDocuments([entry('S', 'other')])
        await store.setDocumentHashes({ S: 'hash' })
        await store.addDocuments([entry('a', 'S')])
        await forget(store)
        expect(await store.refDocExists('S')).toBe(false)
        expect(await store.getDocumentHash('S')).toBe(isNode ? 'hash' : null)
        expect(await store.documentExists('S')).toBe(isNode)
      }
  })

  it('keeps the hash of a source that becomes a node in the same call', async () => {
    for (const write of ['addDocuments', 'upsert'] as const) {
      const store = new SimpleDocumentStore()
      await store.addDocuments([entry('a', 'S')])
      await store[write]([entry('a', 'T'), entry('S')])
      expect(await store.getAllRefDocInfo()).toEqual({ T: { nodeIds: ['a'], metadata: {} } })
      expect(await store.getDocumentHash('S')).not.toBeNull()
      expect(await store.upsert([entry('S')])).toMatchObject({ unchanged: ['S'] })
    }
  })

  it('keeps the other nodes of a source from which a node is taken', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([entry('a', 'S', { from: 'a' }), entry('b', 'S', { from: 'b' }), entry('c', 'S')])
    await store.deleteDocument('c')
    await store.addDocuments([entry('a', 'T', { at: 1 })])
    expect(await store.getAllRefDocInfo()).toEqual({
      S: { nodeIds: ['b'], metadata: { from: 'b' } },
      T: { nodeIds: ['a'], metadata: { at: 1 } },
    })
    await store.deleteRefDoc('S')
    expect(Object.keys(await store.docs())).toEqual(['a'])
  })

  it('adds the last of several nodes with the same id', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([entry('a', 'S'), entry('a', 'T', { last: true })])
    expect(await store.getAllRefDocInfo()).toEqual({ T: { nodeIds: ['a'], metadata: { last: true } } })
    expect((await store.getNode('a')).refDocId).toBe('T')
    expect(await store.upsert([entry('b', 'S', { n: 1 }), entry('c', 'S'), entry('b', 'S', { n: 2 })])).toMatchObject({
      added: ['b', 'c'],
    })
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['b', 'c'], metadata: { n: 2 } })
  })

  it('empties a source whose nodes have another source further down in the same upsert', async () => {
    const store = new SimpleDocumentStore()
    await store.upsert([entry('b', 'S')])
    expect(await store.upsert([entry('a', 'S'), entry('a', 'T')])).toMatchObject({ added: ['a'], removed: ['b'] })
    expect(await store.getAllRefDocInfo()).toEqual({ T: { nodeIds: ['a'], metadata: {} } })
    // A source that was never stored stays so.
    await store.upsert([entry('a', 'U'), entry('a', 'T')])
    expect(await store.getAllRefDocInfo()).toEqual({ T: { nodeIds: ['a'], metadata: {} } })
  })

  it('replaces the order and the metadata of a source by upsert, and merges them by addDocuments', async () => {
    const store = new SimpleDocumentStore()
    await store.upsert([entry('a', 'S', { a: 1, n: 1 }), entry('b', 'S', { n: 2 })])
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['a', 'b'], metadata: { a: 1, n: 2 } })
    await store.upsert([entry('b', 'S', { n: 2 }), entry('a', 'S', { a: 1, n: 1 })])
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['b', 'a'], metadata: { a: 1, n: 1 } })
    await store.upsert([entry('b', 'S', { m: 3 }), entry('a', 'S')])
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['b', 'a'], metadata: { m: 3 } })
    await store.addDocuments([entry('a', 'S', { a: 5 }), entry('c', 'S', { c: 1 })])
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['b', 'a', 'c'], metadata: { m: 3, a: 5, c: 1 } })
  })

  it('stores hashes and sources alone with storeText false', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([entry('a', 'S', { n: 1 })], { storeText: false })
    expect(await store.documentExists('a')).toBe(false)
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['a'], metadata: { n: 1 } })
    expect(await store.getDocumentHash('a')).not.toBeNull()
    const changed = entry('c', 'S')
    changed.metadata['n'] = Number.NaN
    const notJson = store.addDocuments([entry('b', 'S'), changed], { storeText: false })
    await expect(notJson).rejects.toMatchObject({ code: 'serialization' })
    expect(await store.getRefDocInfo('S')).toEqual({ nodeIds: ['a'], metadata: { n: 1 } })
    await store.deleteDocument('a')
    expect([await store.getDocumentHash('a'), await store.getAllRefDocInfo()]).toEqual([null, {}])
  })

  it('returns hashes by id and ids by hash, and keeps the source of a node whose hash is set', async () => {
    const store = new SimpleDocumentStore()
    await store.addDocuments([entry('a', 'S'), entry('x')])
    await store.setDocumentHashes({ a: 'one', x: 'two', y: 'two' })
    expect(await store.getAllDocumentHashes()).toEqual({ one: 'a', two: 'y' })
    expect([await store.getDocumentHash('x'), await store.getDocumentHash('z')]).toEqual(['two', null])
    expect(await store.upsert([entry('a', 'S')])).toMatchObject({ changed: ['a'] })
    await store.setDocumentHashes({ a: 'one' })
    await store.deleteRefDoc('S')
    expect(Object.keys(await store.docs())).toEqual(['x'])
    await store.deleteDocument('x')
    await store.deleteDocument('y')
    expect(await store.getAllDocumentHashes()).toEqual({})
    await expect(store.deleteDocument('y')).rejects.toMatchObject({ code: 'node_not_found' })
    await expect(store.deleteRefDoc('S')).rejects.toMatchObject({ code: 'ref_doc_not_found' })
    await store.deleteRefDoc('S', { raiseError: false })
  })

  it('deletes a node without a hash', async () => {
    const values = new InMemoryKeyValueStore()
    const store = new KVDocumentStore(values)
    await store.addDocuments([entry('a')])
    await values.delete('a', 'docstore/metadata')
    await store.deleteDocument('a')
    expect(await store.docs()).toEqual({})
  })

  it('reads the source records of older versions, and each id once', async () => {
    const values = new InMemoryKeyValueStore()
    const store = new KVDocumentStore(values)
    await values.put('S', { doc_ids: ['a', 'b', 'a', 5], extra_info: { n: 1 } }, 'docstore/ref_doc_info')
    await values.put('T', { node_ids: 'a' }, 'docstore/ref_doc_info')
    expect(await store.getAllRefDocInfo()).toEqual({
      S: { nodeIds: ['a', 'b'], metadata: { n: 1 } },
      T: { nodeIds: [], metadata: {} },
    })
  })

  it('merges the metadata of the nodes of each source; nodes without a source have none', () => {
    const nodes = [entry('a', 'S', { n: 1, a: 1 }), entry('x', undefined, { x: 1 }), entry('b', 'S', { n: 2 })]
    expect([...mergedMetadata(nodes)]).toEqual([['S', { n: 2, a: 1 }]])
    expect(() => mergedMetadata(5 as never)).toThrow('mergedMetadata.nodes: expected an iterable of nodes')
    expect(() => mergedMetadata([null as never])).toThrow('mergedMetadata.node: expected a node, received null')
  })

  it('adds and deletes in time linear in the number of nodes', async () => {
    const fill = async (size: number) => {
      const nodes = Array.from({ length: size }, (_, i) => entry(`n${i}`, 'D'))
      const store = new SimpleDocumentStore()
      await store.addDocuments(nodes)
      await store.addDocuments(nodes)
      await store.upsert(nodes.slice(0, 1))
    }
    expect(await growthOf(fill, 200)).toBeLessThan(1.75)
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

describe('calls of the key-value store', () => {
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

  it('writes nothing for nodes that are unchanged', async () => {
    const values = new CountingStore()
    const store = new KVDocumentStore(values)
    await store.upsert(nodes(3))
    values.calls = []
    expect(await store.upsert(nodes(3))).toMatchObject({ unchanged: ['n0', 'n1', 'n2'] })
    expect(values.calls).toEqual(['getMany', 'getMany'])
    values.calls = []
    await store.addDocuments([])
    await store.upsert([])
    expect(values.calls).toEqual([])
    // The hash alone is read of a node that has no source.
    await store.addDocuments([new TextNode({ id: 'x' })])
    expect(values.calls).toEqual(['getMany', 'putAll', 'putAll'])
  })
})

it('the records of another line have its hashes, except those that are not of the stored node', () => {
  const [own, newer] = [new NodeRecords(), new NodeRecords({ line: pythonLine('0.12') })]
  const one = new Document({ id: 'one', text: 'Hello' })
  expect(newer.hashOf(one)).not.toBe(own.hashOf(one))
  const names = { nodes: 'data', hashes: 'metadata', sources: 'ref_doc_info' }
  const hashes = {
    one: { doc_hash: own.hashOf(one), ref_doc_id: 'doc' },
    doc: { doc_hash: 'of the document' },
    two: { doc_hash: 'another' },
  }
  const records = { one: own.recordOf(one), two: own.recordOf(new TextNode({ id: 'two' })), bare: own.recordOf(one) }
  const data = { data: records, metadata: hashes, ref_doc_info: { doc: { node_ids: ['one'] } } }
  const read = inLine(data, names, own, newer)
  expect(read['data']).toEqual({
    one: newer.recordOf(one),
    two: newer.recordOf(new TextNode({ id: 'two' })),
    bare: newer.recordOf(one),
  })
  expect(read['metadata']).toEqual({ ...hashes, one: { doc_hash: newer.hashOf(one), ref_doc_id: 'doc' } })
  expect(read['ref_doc_info']).toBe(data.ref_doc_info)
  expect(hashes.one.doc_hash).toBe(own.hashOf(one))
})
