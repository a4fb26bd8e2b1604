import { CallbackManager, QueryBundle, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { RetrieverQueryEngine } from './answer/retriever-query-engine.ts'
import { Bm25Retriever, ObjectIndex, Retriever, ToolNodeMapping, VectorRetriever } from './index.ts'
import { IndexObjectRetriever } from './object-index.ts'

const node = (id: string, text: string, options = {}) => new TextNode({ id, text, ...options })

describe('Bm25Retriever', () => {
  it('rejects unknown options, such as misspelt filters', async () => {
    const retriever = new Bm25Retriever({ nodes: [node('a', 'pears', { metadata: { tenant: 'a' } })] })
    const misspelt = { filter: [{ key: 'tenant', value: 'b' }] } as object
    await expect(retriever.retrieve('pears', misspelt)).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringContaining('retrieve.filter: unknown option'),
    })
    await expect(retriever.retrieve('pears', { callbackManager: {} as never })).rejects.toMatchObject({
      message: expect.stringContaining('retrieve.callbackManager: expected a callback manager'),
    })
  })

  it('refuses options of a query component that it does not have, like a query engine and an index of objects', () => {
    const retriever = new Bm25Retriever({ nodes: [] })
    const engine = new RetrieverQueryEngine({ retriever, llm: new ScriptedLLM() })
    for (const component of [retriever, engine, new IndexObjectRetriever(async () => [])])
      expect(() => component.asQueryComponent({ partials: {} } as never)).toThrow(
        'asQueryComponent.partials: unknown option; did you mean partial?',
      )
  })

  it('rejects malformed filters before the search of any retriever', async () => {
    class Found extends Retriever {
      protected search() {
        return []
      }
    }
    for (const filters of [null, 5, 'abc', {}, { filters: 5 }, [null], [5], [{ key: 5, value: 1 }], [{ filters: 3 }]])
      await expect(new Found(null).retrieve('x', { filters: filters as never })).rejects.toMatchObject({
        code: 'model_validation',
      })
  })

  it('returns no nodes for an empty index and for an empty query', async () => {
    expect(await new Bm25Retriever().retrieve('x')).toEqual([])
    expect(await new Bm25Retriever({ nodes: [node('a', 'word')] }).retrieve('')).toEqual([])
  })

  it('searches text and the metadata that embedding models see', async () => {
    const metadata = { title: 'Gardens', secret: 'hidden' }
    const retriever = new Bm25Retriever({
      nodes: [node('a', 'apples'), node('b', 'pears', { metadata, excludedEmbedMetadataKeys: ['secret'] })],
    })
    expect((await retriever.retrieve('garden')).map(({ id }) => id)).toEqual(['b'])
    expect(await retriever.retrieve('hidden')).toEqual([])
  })

  it('accepts query bundles, emits a retrieve event, and rejects when aborted', async () => {
    const handler = new RecordingCallbackHandler()
    const retriever = new Bm25Retriever({
      nodes: [node('a', 'apples')],
      callbackManager: new CallbackManager([handler]),
    })
    await retriever.retrieve(new QueryBundle({ queryStr: 'apple' }))
    expect(handler.summary()).toEqual([
      ['start', 'retrieve', ['query_str']],
      ['end', 'retrieve', ['nodes']],
    ])
    await expect(retriever.retrieve('apple', { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  })

  it('rejects at once when it is aborted, also while a part of it hangs', async () => {
    const never = () => new Promise<never>(() => {})
    const embedModel = { getQueryEmbedding: never, getTextEmbedding: never, getTextEmbeddingBatch: never }
    const found = new VectorRetriever({ embedModel }).retrieve('apple', { signal: AbortSignal.timeout(5) })
    await expect(found).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('emits its events to the callback manager of the call, as children of the parent event', async () => {
    const [own, other] = [new RecordingCallbackHandler(), new RecordingCallbackHandler()]
    const retriever = new Bm25Retriever({ callbackManager: new CallbackManager([own]) })
    const callbackManager = new CallbackManager([other])
    await retriever.asQueryComponent().runComponent({ input: 'apple' }, { callbackManager, parentId: 'outer' })
    expect(own.events).toEqual([])
    expect(other.events).toContainEqual(expect.objectContaining({ type: 'retrieve', parent: 'outer' }))
  })

  it('replaces a node with the same id, and removes nodes', async () => {
    const retriever = new Bm25Retriever({ nodes: [node('a', 'apples'), node('b', 'apples'), node('c', 'apples')] })
    retriever.add([node('a', 'pears')])
    expect(retriever.size).toBe(3)
    expect((await retriever.retrieve('pear')).map(({ text }) => text)).toEqual(['pears'])
    expect((await retriever.retrieve('apple')).map(({ id }) => id)).toEqual(['b', 'c'])
    retriever.add([node('a', 'apples')])
    expect((await retriever.retrieve('apple')).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(retriever.remove(['b', 'b', 'unknown'])).toBe(1)
    expect([retriever.has('a'), retriever.has('b')]).toEqual([true, false])
    expect((await retriever.retrieve('apple')).map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it.each([-1, Number.NaN, 1.5, Number.POSITIVE_INFINITY])('rejects similarityTopK %s', async (similarityTopK) => {
    const invalid = { code: 'model_validation' }
    expect(() => new Bm25Retriever({ similarityTopK })).toThrow(expect.objectContaining(invalid))
    const retriever = new Bm25Retriever()
    retriever.similarityTopK = similarityTopK
    await expect(retriever.retrieve('x')).rejects.toMatchObject(invalid)
  })

  it('can be used as a component of a query pipeline', async () => {
    const component = new Bm25Retriever({ nodes: [node('a', 'apples')] }).asQueryComponent()
    const { output } = await component.runComponent({ input: 'apple' })
    expect((output as { id: string }[]).map(({ id }) => id)).toEqual(['a'])
  })
})

describe('VectorRetriever', () => {
  it('embeds nodes that have no embedding and does not change them', async () => {
    const embedModel = new TableEmbedding({ texts: { red: [1, 0], blue: [0, 1], warm: [1, 0.1] } })
    const nodes = [node('r', 'red'), node('b', 'blue'), node('g', 'green', { embedding: [1, 1] })]
    const retriever = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 2 })
    expect((await retriever.retrieve('warm')).map(({ id }) => id)).toEqual(['r', 'g'])
    expect(nodes[0]!.embedding).toBeNull()
  })
})

describe('VectorRetriever after changes', () => {
  const embedModel = new TableEmbedding({ texts: { red: [1, 0], blue: [0, 1], warm: [1, 0.1] } })

  it('replaces a node with the same id, and removes nodes', async () => {
    const options = { embedModel, similarityTopK: 5 }
    const retriever = await VectorRetriever.fromNodes([node('a', 'red'), node('b', 'blue')], options)
    await retriever.add([node('a', 'blue'), node('c', 'red')])
    const found = await retriever.retrieve('warm')
    expect(found.map(({ id, text }) => [id, text])).toEqual([
      ['c', 'red'],
      ['a', 'blue'],
      ['b', 'blue'],
    ])
    expect([retriever.remove(['a', 'unknown']), retriever.size, retriever.has('a')]).toEqual([1, 2, false])
    expect((await retriever.retrieve('warm')).map(({ id }) => id)).toEqual(['c', 'b'])
  })

  it.each([-1, Number.NaN, 0.5])('rejects similarityTopK %s', async (similarityTopK) => {
    const invalid = expect.objectContaining({ code: 'model_validation' })
    expect(() => new VectorRetriever({ embedModel, similarityTopK })).toThrow(invalid)
    const objects = new ObjectIndex(new ToolNodeMapping(), { embedModel })
    expect(() => objects.asRetriever({ similarityTopK })).toThrow(invalid)
  })
})

describe('ObjectIndex', () => {
  const tool = (name: string, description: string) => ({
    metadata: { description, fnSchema: null, fnSchemaStr: '', getName: () => name },
  })

  it('replaces a tool by a second tool with the same name', async () => {
    const texts = {
      'Tool name: a\nTool description: one\n': [1, 0],
      'Tool name: a\nTool description: two\n': [0, 1],
      q: [0, 1],
    }
    const embedModel = new TableEmbedding({ texts })
    const index = await ObjectIndex.fromObjects([tool('a', 'one')], new ToolNodeMapping(), { embedModel })
    await index.insertObject(tool('a', 'two'))
    const found = await index.asRetriever().retrieve('q')
    expect(found.map(({ metadata }) => metadata.description)).toEqual(['two'])
  })
})
