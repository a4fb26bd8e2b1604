import { TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { InMemoryKeyValueStore, KVDocumentStore } from './index.ts'
import type { StoredValue } from './key-value-store.ts'

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
