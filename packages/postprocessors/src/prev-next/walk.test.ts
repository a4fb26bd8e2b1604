import { type DocumentStore, NodeNotFoundError, NodeRelationship, NodeWithScore, TextNode } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { chain } from '../../test/stand-ins.ts'
import { expand, getBackwardNodes, getForwardNodes } from './walk.ts'

const nodes = chain(5)
const store = new MapDocumentStore(nodes)
const entryAt = (index: number, score: number | null = 1) => new NodeWithScore({ node: nodes[index]!, score })
const positions = (entries: Iterable<NodeWithScore>) =>
  Array.from(entries, ({ nodeId }) => nodes.findIndex(({ id }) => id === nodeId))

describe('getForwardNodes and getBackwardNodes', () => {
  it('return the entry and its neighbours in the order of the walk, fetched ones without a score', async () => {
    const forward = await getForwardNodes(entryAt(1), 2, store)
    expect(positions(forward.values())).toEqual([1, 2, 3])
    expect(Array.from(forward.values(), ({ score }) => score)).toEqual([1, null, null])
    expect(positions((await getBackwardNodes(entryAt(1), 5, store)).values())).toEqual([1, 0])
  })

  it('stop at a node that was already visited', async () => {
    const ring = chain(3)
    const [first, , last] = ring as [TextNode, TextNode, TextNode]
    last.relationships = { ...last.relationships, [NodeRelationship.next]: first.asRelatedNodeInfo() }
    const found = await getForwardNodes(new NodeWithScore({ node: first }), 10, new MapDocumentStore(ring))
    expect([...found.keys()]).toEqual(ring.map(({ id }) => id))
  })

  it('throw for a neighbour that is not in the store, or stop there', async () => {
    const partial = new MapDocumentStore(nodes.slice(0, 3))
    await expect(getForwardNodes(entryAt(1), 3, partial)).rejects.toMatchObject({ code: 'node_not_found' })
    const found = await getForwardNodes(entryAt(1), 3, partial, { onMissing: 'stop' })
    expect(positions(found.values())).toEqual([1, 2])
  })

  it('take a store that throws for a missing node, whatever it is asked', async () => {
    const strict: DocumentStore = {
      getNode: async (id) => {
        throw new NodeNotFoundError(id)
      },
    }
    expect((await getForwardNodes(entryAt(1), 3, strict, { onMissing: 'stop' })).size).toBe(1)
    await expect(getForwardNodes(entryAt(1), 3, strict)).rejects.toMatchObject({ code: 'node_not_found' })
  })

  it.each([getForwardNodes, getBackwardNodes])('%o names what is not an entry, a store or an option', async (walk) => {
    for (const [wrong, given] of [
      ['entry', [nodes[0], 1, store]],
      ['docstore', [entryAt(0), 1, {}]],
      ['onMising', [entryAt(0), 1, store, { onMising: 'stop' }]],
    ] as const)
      await expect(walk(...(given as unknown as Parameters<typeof walk>))).rejects.toThrow(`${walk.name}.${wrong}: `)
  })

  it('reject with the reason of the signal', async () => {
    const reason = new Error('stop')
    await expect(getForwardNodes(entryAt(0), 1, store, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('expand', () => {
  it('puts linked nodes in document order, groups by their first input', async () => {
    const result = await expand([entryAt(4), entryAt(1)], ['none', 'both'], 1, store, {})
    expect(positions(result)).toEqual([4, 0, 1, 2])
  })

  it('prefers an input entry to a fetched one, and the higher of two scores', async () => {
    const result = await expand([entryAt(0), entryAt(1, 0.2), entryAt(1, 0.9)], ['next', 'none', 'none'], 1, store, {})
    expect(result.map(({ score }) => score)).toEqual([1, 0.9])
  })

  it('returns the neighbours before an entry', async () => {
    expect(positions(await expand([entryAt(2)], ['previous'], 1, store, {}))).toEqual([1, 2])
  })

  it.each(['next', 'previous'] as const)('orders nodes that are linked in one direction: %s', async (direction) => {
    const [first, second] = ['a', 'b'].map((id) => new TextNode({ id })) as [TextNode, TextNode]
    const [from, to] = direction === 'next' ? [first, second] : [second, first]
    from.relationships = { [NodeRelationship[direction]]: to.asRelatedNodeInfo() }
    const linked = [second, first].map((node) => new NodeWithScore({ node }))
    const result = await expand(linked, ['none', 'none'], 1, store, {})
    expect(result.map(({ nodeId }) => nodeId)).toEqual(['a', 'b'])
  })

  it('does not ask for a node again, and refuses what is no node', async () => {
    const asked: (readonly string[])[] = []
    const batched: DocumentStore = {
      getNode: (id) => store.getNode(id),
      getNodes: async (ids) => {
        asked.push(ids)
        return nodes.filter(({ id }) => ids.includes(id))
      },
    }
    await expand([entryAt(1), entryAt(3)], ['both', 'both'], 1, batched, {})
    expect(asked).toEqual([['n2', 'n4'], ['n0']])
    for (const found of [['x'], 'x'])
      await expect(
        expand([entryAt(0)], ['next'], 1, { ...batched, getNodes: async () => found as never }, {}),
      ).rejects.toThrow('DocumentStore.docstore.getNodes()')
  })

  it('calls getNodes once per step, for all walks', async () => {
    const asked: (readonly string[])[] = []
    const batched: DocumentStore = {
      getNode: (id) => store.getNode(id),
      getNodes: async (ids, options) => {
        expect(options).toEqual({ raiseError: false })
        asked.push(ids)
        return Promise.all(ids.map((id) => store.getNode(id))) as Promise<TextNode[]>
      },
    }
    await expand([entryAt(0), entryAt(2)], ['next', 'next'], 2, batched, {})
    expect(asked).toEqual([
      ['n1', 'n3'],
      ['n2', 'n4'],
    ])
  })

  it('looks nodes up one by one if getNodes throws for a missing one', async () => {
    const strict: DocumentStore = {
      getNode: async (id) => (id === nodes[1]!.id ? nodes[1]! : undefined),
      getNodes: async (ids) => {
        throw new NodeNotFoundError(ids[0]!)
      },
    }
    const result = await expand([entryAt(0)], ['next'], 2, strict, { onMissing: 'stop' })
    expect(positions(result)).toEqual([0, 1])
  })
})
