/**
 * @module
 * Checks of the contract of document stores.
 */
import { Document, IndexNode, isToolkitError, TextNode } from '@x/core-model'
import type { KVDocumentStore } from '@x/storage'
import { type ContractCheck, ContractError, checksOf, errorOf, expectEqual } from './contract-check.ts'

/** The operations of a document store of the `@x` packages. */
type DocumentStoreOperations = Pick<KVDocumentStore, keyof KVDocumentStore>

/**
 * Returns the checks of a document store with the operations of `KVDocumentStore`. Use them with any test runner: each check
 * rejects if the store violates the rule in its name.
 * @param create - returns a new, empty store for each check
 * @example
 * import { SimpleDocumentStore } from '@x/storage'
 * import { documentStoreChecks } from '@x/testing/storage'
 * for (const { run } of documentStoreChecks(() => new SimpleDocumentStore())) await run()
 */
export function documentStoreChecks(
  create: () => DocumentStoreOperations | Promise<DocumentStoreOperations>,
): readonly ContractCheck[] {
  return checksOf(create, { ...reading, ...writing, ...sources })
}

type Checks = Record<string, (store: DocumentStoreOperations) => Promise<void>>

const quiet = { raiseError: false }

function nodeOf(id: string, source?: string, metadata: Record<string, unknown> = {}): TextNode {
  const text = `text of ${id}`
  return new TextNode({
    id,
    text,
    metadata,
    ...(source !== undefined && { relationships: { '1': { nodeId: source } } }),
  })
}

async function expectCode(what: string, code: string, operation: () => unknown): Promise<void> {
  const error = await errorOf(what, operation)
  if (!isToolkitError(error)) throw error
  if (error.code !== code) throw new ContractError(`${what}: the code of the error`, code, error.code)
}

const reading: Checks = {
  'returns nodes as they were added, of their classes': async (store) => {
    const nodes = [
      new Document({ id: 'd', text: 'a\u0000b 🍎', metadata: { z: 1, a: { '10': [1.5, null], '9': 2n ** 70n } } }),
      new IndexNode({ id: 'i', text: 'I', indexId: 'd', embedding: [0.1, -1] }),
      new TextNode({ id: 't', text: '' }),
    ]
    await store.addDocuments(nodes)
    for (const node of nodes) expectEqual(node.id, (await store.getNode(node.id)).toDict(), node.toDict())
    expectEqual(
      'docs',
      Object.values(await store.docs())
        .map(String)
        .sort(),
      nodes.map(String).sort(),
    )
    const hashes = nodes.map(({ id, hash }) => [hash, id])
    const byHash = Object.entries(await store.getAllDocumentHashes())
    expectEqual('getAllDocumentHashes', byHash.sort(), hashes.sort())
  },

  'returns copies': async (store) => {
    const node = nodeOf('a', undefined, { list: [1] })
    await store.addDocuments([node])
    ;(node.metadata['list'] as number[]).push(2)
    ;((await store.getNode('a')).metadata['list'] as number[]).push(3)
    expectEqual('metadata', (await store.getDocument('a')).metadata, { list: [1] })
  },

  'returns many nodes in the order of their ids': async (store) => {
    const ids = Array.from({ length: 2000 }, (_, i) => `n${i}`)
    await store.addDocuments(ids.map((id) => nodeOf(id)))
    const backwards = [...ids].reverse()
    expectEqual(
      'getNodes',
      (await store.getNodes(backwards)).map(({ id }) => id),
      backwards,
    )
    const found = await store.getNodes(['n1', 'none', 'n0', 'n1'], quiet)
    expectEqual(
      'getNodes with a missing one',
      found.map(({ id }) => id),
      ['n1', 'n0', 'n1'],
    )
    const byKey = await store.getNodeDict({ x: 'n1', y: 'n0' })
    expectEqual('getNodeDict', [byKey['x']?.id, byKey['y']?.id], ['n1', 'n0'])
  },

  'throws for missing ids, or returns null with raiseError false': async (store) => {
    await expectCode('getNode', 'node_not_found', () => store.getNode('z'))
    await expectCode('getNodes', 'node_not_found', () => store.getNodes(['z']))
    await expectCode('getNodeDict', 'node_not_found', () => store.getNodeDict({ x: 'z' }))
    await expectCode('deleteDocument', 'node_not_found', () => store.deleteDocument('z'))
    await expectCode('deleteRefDoc', 'ref_doc_not_found', () => store.deleteRefDoc('z'))
    await store.deleteDocument('z', quiet)
    await store.deleteRefDoc('z', quiet)
    const nothing = [await store.getNode('z', quiet), await store.getNodes(['z'], quiet)]
    expectEqual('missing nodes', nothing, [null, []])
    expectEqual('missing source', [await store.getRefDocInfo('z'), await store.refDocExists('z')], [null, false])
    expectEqual('missing', [await store.documentExists('z'), await store.getDocumentHash('z')], [false, null])
  },
}

const writing: Checks = {
  'adds all nodes or none': async (store) => {
    await store.addDocuments([nodeOf('a', 'S')])
    const before = await contentOf(store)
    await expectCode('a known id', 'node_exists', () =>
      store.addDocuments([nodeOf('b', 'S'), nodeOf('a')], { allowUpdate: false }),
    )
    const broken = TextNode.construct({ id: 'c', embedding: [Number.NaN] })
    await expectCode('a broken node', 'serialization', () => store.addDocuments([nodeOf('b', 'S'), broken]))
    await expectCode('upsert of a broken node', 'serialization', () => store.upsert([nodeOf('b', 'S'), broken]))
    class Unknown extends TextNode {
      static override className() {
        return 'UnknownNode'
      }
    }
    const unknown = new Unknown({ id: 'u', text: 'x' })
    await expectCode('an unknown class', 'unknown_node_type', () => store.addDocuments([nodeOf('b'), unknown]))
    expectEqual('content', await contentOf(store), before)
  },

  'lists the nodes of a source in the order of upsert': async (store) => {
    const listed = async () => (await store.getRefDocInfo('S'))?.nodeIds
    const order = async (...ids: string[]) => {
      await store.upsert(ids.map((id) => nodeOf(id, 'S')))
      expectEqual(`the order ${ids}`, await listed(), ids)
    }
    await order('a', 'c')
    await store.addDocuments([nodeOf('b', 'S')])
    await order('a', 'b', 'c')
    await order('c', 'a', 'd', 'b')
    await order('d', 'c')
  },

  'stores hashes and sources without nodes when storeText is false': async (store) => {
    const node = nodeOf('a', 'S', { k: 1 })
    await store.addDocuments([node], { storeText: false })
    expectEqual('a', [await store.documentExists('a'), await store.getDocumentHash('a')], [false, node.hash])
    // The node is also a source, which loses its only node.
    await store.addDocuments([nodeOf('b', 'a')])
    await store.deleteDocument('b')
    expectEqual('the hash of a', await store.getDocumentHash('a'), node.hash)
    expectEqual('S', await store.getAllRefDocInfo(), { S: { nodeIds: ['a'], metadata: { k: 1 } } })
    await store.deleteDocument('a')
    expectEqual('after', await contentOf(store), { nodes: {}, hashes: {}, sources: {} })
  },

  'loses no entry when calls run at the same time': async (store) => {
    const ids = Array.from({ length: 50 }, (_, i) => `n${i}`)
    await Promise.all(ids.map((id) => store.addDocuments([nodeOf(id, 'D', { [id]: 1 })])))
    const info = await store.getRefDocInfo('D')
    expectEqual('nodeIds', info?.nodeIds, ids)
    expectEqual('metadata', Object.keys(info?.metadata ?? {}), ids)
  },

  'continues after an operation that failed': async (store) => {
    const calls = [store.getNode('a'), store.addDocuments([nodeOf('a')]), store.getNode('a')]
    const states = (await Promise.allSettled(calls)).map(({ status }) => status)
    expectEqual('states', states, ['rejected', 'fulfilled', 'fulfilled'])
  },

  'sets hashes of documents that need not be stored': async (store) => {
    const node = nodeOf('a', 'S')
    await store.addDocuments([node])
    await store.setDocumentHash('S', 'h')
    await store.setDocumentHashes({ a: 'new', b: 'h2' })
    const hashes = [
      await store.getDocumentHash('S'),
      await store.getDocumentHash('a'),
      await store.getDocumentHash('b'),
    ]
    expectEqual('hashes', hashes, ['h', 'new', 'h2'])
    expectEqual('documentExists', [await store.documentExists('S'), await store.documentExists('b')], [false, false])
    expectEqual('upsert', await store.upsert([node]), { added: [], changed: ['a'], unchanged: [], removed: [] })
    await store.deleteRefDoc('S')
    expectEqual('the hash of S', await store.getDocumentHash('S'), null)
  },
}

const sources: Checks = {
  'lists the nodes and the merged metadata of a source': async (store) => {
    await store.addDocuments([nodeOf('b', 'S', { x: 1, y: 1 }), nodeOf('a', 'S', { y: 2 })])
    await store.addDocuments([nodeOf('b', 'S', { z: 3 })])
    expectEqual('S', await store.getRefDocInfo('S'), { nodeIds: ['b', 'a'], metadata: { x: 1, y: 2, z: 3 } })
    expectEqual('all', Object.keys(await store.getAllRefDocInfo()), ['S'])
  },

  'moves a node to its new source, and keeps the hash of a source that is itself stored': async (store) => {
    await store.addDocuments([nodeOf('D'), nodeOf('a', 'D'), nodeOf('b', 'E')])
    await store.setDocumentHash('E', 'h')
    await store.addDocuments([nodeOf('a', 'F'), nodeOf('b')])
    expectEqual('sources', await store.getAllRefDocInfo(), { F: { nodeIds: ['a'], metadata: {} } })
    expectEqual('hash of D', await store.getDocumentHash('D'), nodeOf('D').hash)
    expectEqual('hash of E', await store.getDocumentHash('E'), null)
  },

  'deletes a source with its nodes, and a node from its source': async (store) => {
    await store.addDocuments([nodeOf('S'), nodeOf('a', 'S'), nodeOf('b', 'S'), nodeOf('c', 'T')])
    await store.deleteDocument('a')
    expectEqual('S', (await store.getRefDocInfo('S'))?.nodeIds, ['b'])
    await store.deleteRefDoc('S')
    await store.deleteDocument('c')
    expectEqual('content', await contentOf(store), { nodes: {}, hashes: {}, sources: {} })
  },

  'keeps a node of another source that has the id of a deleted source': async (store) => {
    await store.addDocuments([nodeOf('S', 'T'), nodeOf('a', 'S'), nodeOf('b', 'T')])
    await store.deleteRefDoc('S')
    expectEqual('nodes', Object.keys(await store.docs()).sort(), ['S', 'b'])
    expectEqual('sources', await store.getAllRefDocInfo(), { T: { nodeIds: ['S', 'b'], metadata: {} } })
    expectEqual('hash', await store.getDocumentHash('S'), nodeOf('S').hash)
  },

  'accepts two nodes of one id in one upsert, of which the last one counts': async (store) => {
    await store.upsert([nodeOf('a', 'S'), nodeOf('old', 'S')])
    const last = nodeOf('a', 'T', { x: 1 })
    const result = await store.upsert([nodeOf('a', 'S'), nodeOf('b', 'T'), last])
    expectEqual('result', result, { added: ['b'], changed: ['a'], unchanged: [], removed: ['old'] })
    expectEqual('a', (await store.getNode('a')).toDict(), last.toDict())
    expectEqual('sources', Object.keys(await store.getAllRefDocInfo()), ['T'])
    expectEqual('T', (await store.getRefDocInfo('T'))?.nodeIds.sort(), ['a', 'b'])
    expectEqual('again', (await store.upsert([last, nodeOf('b', 'T'), last])).unchanged.sort(), ['a', 'b'])
  },

  'keeps ids of any characters, also halves of surrogate pairs': async (store) => {
    const ids = ['\ud83c', '\udf4e', '\u001bd83c', 'a\u0000b', '🍎', '']
    const nodes = ids.map((id) => nodeOf(id, `source ${id}`, { id }))
    for (const node of nodes) {
      const result = await store.upsert([node])
      expectEqual(JSON.stringify(node.id), result, { added: [node.id], changed: [], unchanged: [], removed: [] })
    }
    expectEqual('unchanged', (await store.upsert(nodes)).unchanged, ids)
    for (const node of nodes) {
      expectEqual(JSON.stringify(node.id), (await store.getNode(node.id)).toDict(), node.toDict())
      expectEqual('source', (await store.getRefDocInfo(`source ${node.id}`))?.nodeIds, [node.id])
    }
    expectEqual('docs', Object.keys(await store.docs()).sort(), [...ids].sort())
    for (const id of ids) await store.deleteRefDoc(`source ${id}`)
    expectEqual('content', await contentOf(store), { nodes: {}, hashes: {}, sources: {} })
  },

  'replaces the nodes of a source by upsert, and returns what changed': async (store) => {
    const all = { added: ['a', 'b', 'x'], changed: [], unchanged: [], removed: [] }
    expectEqual('first', await store.upsert([nodeOf('a', 'D'), nodeOf('b', 'D'), nodeOf('x')]), all)
    const result = await store.upsert([nodeOf('a', 'D'), nodeOf('c', 'D'), nodeOf('x', 'D')])
    expectEqual('second', result, { added: ['c'], changed: ['x'], unchanged: ['a'], removed: ['b'] })
    expectEqual('nodeIds', (await store.getRefDocInfo('D'))?.nodeIds, ['a', 'c', 'x'])
    expectEqual('b', await store.documentExists('b'), false)
  },

  'replaces the metadata of a source by upsert': async (store) => {
    await store.upsert([nodeOf('a', 'S', { x: 1, y: 1 }), nodeOf('b', 'S', { z: 1 }), nodeOf('c', 'T', { t: 1 })])
    await store.upsert([nodeOf('a', 'S', { y: 2 }), nodeOf('d', 'S', { w: 3 })])
    expectEqual('changed', (await store.getRefDocInfo('S'))?.metadata, { y: 2, w: 3 })
    await store.upsert([nodeOf('d', 'S', { w: 3 })])
    expectEqual('removed', (await store.getRefDocInfo('S'))?.metadata, { w: 3 })
    expectEqual('another source', (await store.getRefDocInfo('T'))?.metadata, { t: 1 })
  },

  'contains exactly the nodes that random operations leave': async (store) => {
    const random = randomOf(7)
    const expected = new Map<string, string | undefined>()
    for (let step = 0; step < 150; step++) {
      const [id, source] = ['abcdef'[random(6)]!, [undefined, 'S', 'T', 'a'][random(4)]]
      const kind = random(4)
      if (kind === 0) {
        await store.deleteDocument(id, quiet)
        expected.delete(id)
      } else if (kind === 1 && source !== undefined && (await store.refDocExists(source))) {
        await store.deleteRefDoc(source)
        for (const [key, of] of expected) if (of === source) expected.delete(key)
        // A node with the id of the source belongs to the source unless it has another one.
        if (expected.get(source) === undefined) expected.delete(source)
      } else if (kind === 2 && source !== undefined) {
        await store.upsert([nodeOf(id, source)])
        for (const [key, of] of expected) if (of === source && key !== id) expected.delete(key)
        expected.set(id, source)
      } else {
        await store.addDocuments([nodeOf(id, source)])
        expected.set(id, source)
      }
      const where = `after step ${step}`
      expectEqual(`nodes ${where}`, Object.keys(await store.docs()).sort(), [...expected.keys()].sort())
      for (const from of ['S', 'T', 'a']) {
        const listed = (await store.getRefDocInfo(from))?.nodeIds ?? []
        // A deleted node may have been the source of other nodes.
        const own = listed.filter((key) => expected.get(key) === from)
        expectEqual(from + where, own.sort(), [...expected].flatMap(([key, of]) => (of === from ? [key] : [])).sort())
      }
    }
  },
}

/** Returns the whole content of a store, for comparison. */
async function contentOf(store: DocumentStoreOperations) {
  const nodes = Object.entries(await store.docs()).map(([id, node]) => [id, node.toDict()])
  return {
    nodes: Object.fromEntries(nodes.sort()),
    hashes: await store.getAllDocumentHashes(),
    sources: await store.getAllRefDocInfo(),
  }
}

/** Returns a random number generator for integers below a limit, which is determined by the seed. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
