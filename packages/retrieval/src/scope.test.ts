import { IndexNode, NodeWithScore, type QueryBundle, TextNode } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { Bm25Retriever } from './bm25-retriever.ts'
import { HybridRetriever } from './hybrid-retriever.ts'
import { IndexNodeFollower } from './index-node-follower.ts'
import { RecursiveRetriever } from './recursive-retriever.ts'
import { type RetrieveOptions, Retriever } from './retriever.ts'
import { scopedStore } from './scope.ts'

const node = (id: string, tenant: string) =>
  new TextNode({ id, text: 'word', metadata: { tenant }, excludedEmbedMetadataKeys: ['tenant'] })
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id)
const scope = { tenant: 'a' }
const nodes = [node('1', 'a'), node('2', 'b'), new TextNode({ id: '3', text: 'word' })]

describe('a retriever with a scope', () => {
  it('names the keys that a search lacks, and reports nothing of what it would have found', async () => {
    const retriever = new Bm25Retriever({ nodes, scope: ['tenant', 'year'] })
    await expect(retriever.retrieve('word', { scope: { tenant: 'a' } })).rejects.toMatchObject({
      code: 'scope_missing',
      keys: ['year'],
      message: expect.stringContaining('{ scope: { "year": … } }'),
    })
    const inherited = Object.create({ tenant: 'a', year: 1 })
    await expect(retriever.retrieve('word', { scope: inherited })).rejects.toMatchObject({ code: 'scope_missing' })
  })

  it('refuses keys that are no strings, and values that cannot be compared', async () => {
    expect(() => new Bm25Retriever({ scope: 'tenant' as never })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
    const retriever = new Bm25Retriever({ nodes, scope: ['tenant'] })
    await expect(retriever.retrieve('word', { scope: { tenant: ['a', 'b'] as never } })).rejects.toMatchObject({
      code: 'model_validation',
    })
  })

  it('limits a retriever that does not apply filters', async () => {
    class Careless extends Retriever {
      protected search(_query: QueryBundle, _options: RetrieveOptions) {
        return nodes.map((each) => new NodeWithScore({ node: each, score: 1 }))
      }
    }
    expect(idsOf(await new Careless(null, ['tenant']).retrieve('word', { scope }))).toEqual(['1'])
    expect(idsOf(await new Careless(null).retrieve('word', { scope }))).toEqual(['1'])
  })

  it('passes its scope to fused retrievers, each of which may require it', async () => {
    const inner = [new Bm25Retriever({ nodes, scope: ['tenant'] }), new Bm25Retriever({ nodes })]
    const hybrid = new HybridRetriever({ retrievers: inner })
    expect(idsOf(await hybrid.retrieve('word', { scope }))).toEqual(['1'])
    await expect(hybrid.retrieve('word')).rejects.toMatchObject({ code: 'scope_missing' })
    const outer = new HybridRetriever({ retrievers: [inner[1]!], scope: ['tenant'] })
    await expect(outer.retrieve('word')).rejects.toMatchObject({ code: 'scope_missing' })
    expect(idsOf(await outer.retrieve('word', { scope, filters: [{ key: 'tenant', value: 'b' }] }))).toEqual([])
  })

  it('finds nothing outside of its scope through index nodes', async () => {
    const table = node('table', 'b')
    const engine = { query: (_query: QueryBundle, options?: { scope?: unknown }) => JSON.stringify(options?.scope) }
    const targets = { own: node('own', 'a'), table, engine, more: new Bm25Retriever({ nodes, scope: ['tenant'] }) }
    const entries = Object.keys(targets).map(
      (indexId) => new IndexNode({ id: `i-${indexId}`, text: 'word', indexId, metadata: { tenant: 'a' } }),
    )
    const retriever = new RecursiveRetriever({
      retriever: new Bm25Retriever({ nodes: entries }),
      targets,
      scope: ['tenant'],
    })
    const found = await retriever.retrieve('word', { scope })
    expect(idsOf(found)).toEqual(['own', 'i-engine', '1'])
    expect(found[1]!.text).toBe('{"tenant":"a"}')
    const follower = new IndexNodeFollower({ store: new MapDocumentStore([table]) })
    const hit = new NodeWithScore({ node: new IndexNode({ text: 'x', indexId: 'table' }), score: 1 })
    expect(await follower.postprocessNodes([hit], { scope })).toEqual([])
    expect(idsOf(await follower.postprocessNodes([hit]))).toEqual(['table'])
  })

  it('takes its scope as an input in a query pipeline', async () => {
    const component = new Bm25Retriever({ nodes, scope: ['tenant'] }).asQueryComponent({ partial: { scope } })
    const { output } = await component.runComponent({ input: 'word' })
    expect(idsOf(output as NodeWithScore[])).toEqual(['1'])
  })
})

describe('scopedStore', () => {
  it('has the nodes of the scope only', async () => {
    const store = scopedStore(new MapDocumentStore(nodes), scope)
    expect((await store.getNode('1'))?.id).toBe('1')
    await expect(store.getNode('2')).rejects.toMatchObject({ code: 'node_not_found' })
    expect(await store.getNode('2', { raiseError: false })).toBeNull()
    expect(idsOf(await store.getNodes(['1', '2', 'x'], { raiseError: false }))).toEqual(['1'])
    await expect(store.getNodes(['1', '2'])).rejects.toMatchObject({ code: 'node_not_found' })
    const { getNode } = new MapDocumentStore(nodes)
    const small = scopedStore({ getNode: getNode.bind(new MapDocumentStore(nodes)) }, scope)
    expect(idsOf(await small.getNodes(['1', '2', 'x'], { raiseError: false }))).toEqual(['1'])
  })
})
