import { Document, TextNode } from '@x/core-model'
import { fromContent, MarkdownNodeParser } from '@x/node-parser'
import { SimpleDocumentStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { IngestionPipeline } from './ingestion-pipeline.ts'
import { ObjectIndex, ToolNodeMapping } from './object-index.ts'
import { VectorRetriever } from './vector-retriever.ts'

/** An embedding model that can break. */
class BreakableEmbedding {
  answer: (texts: readonly string[]) => unknown = (texts) => texts.map((text) => [text.length, 1])
  async getQueryEmbedding() {
    return [1, 1]
  }
  async getTextEmbedding(text: string) {
    return [text.length, 1]
  }
  async getTextEmbeddingBatch(texts: readonly string[]) {
    return this.answer(texts) as number[][]
  }
}

const tool = (name: string) => ({
  metadata: { description: name, fnSchema: null, fnSchemaStr: '', getName: () => name },
})
const documentOf = (...sections: string[]) =>
  new Document({ id: 'd', text: sections.map((section) => `# ${section}\n\nAbout it.`).join('\n\n') })

function targetOf(embedModel: BreakableEmbedding) {
  const store = new SimpleDocumentStore()
  const index = new VectorRetriever({ embedModel, similarityTopK: 9 })
  const transformations = [new MarkdownNodeParser({ idFunc: fromContent() })]
  return { store, index, pipeline: new IngestionPipeline({ transformations, store, indexes: [index], embedModel }) }
}

describe('vectors of an embedding model', () => {
  const bad = (vector: unknown) => (texts: readonly string[]) => texts.map(() => vector)
  it.each<[string, BreakableEmbedding['answer']]>([
    ['fewer', (texts) => texts.slice(1).map(() => [1, 1])],
    ['null', () => null],
    ['null vectors', bad(null)],
    ['empty vectors', bad([])],
    ['strings', bad('abc')],
    ['arrays of strings', bad(['1', '2'])],
  ])('are refused if they are %s, by an index and by a run', async (_, answer) => {
    const embedModel = new BreakableEmbedding()
    const { store, index, pipeline } = targetOf(embedModel)
    embedModel.answer = answer
    const error = {
      code: 'component_output',
      message: expect.stringMatching(/^The embedding model: expected .+, received /),
    }
    await expect(index.add([new TextNode({ text: 'a' }), new TextNode({ text: 'b' })])).rejects.toMatchObject(error)
    await expect(pipeline.run([documentOf('one', 'two')])).rejects.toMatchObject(error)
    const objects = ObjectIndex.fromObjects([tool('a'), tool('b')], new ToolNodeMapping(), { embedModel })
    await expect(objects).rejects.toMatchObject(error)
    expect([index.size, await store.docs()]).toEqual([0, {}])
  })

  it('may be typed arrays: nodes get arrays', async () => {
    const embedModel = new BreakableEmbedding()
    embedModel.answer = (texts) => texts.map(() => Float32Array.of(1, 0.5))
    const { store, pipeline } = targetOf(embedModel)
    await pipeline.run([documentOf('one')])
    expect(Object.values(await store.docs()).map(({ embedding }) => embedding)).toEqual([[1, 0.5]])
  })

  it('are made again if an index has refused them', async () => {
    const embedModel = new BreakableEmbedding()
    const { index, pipeline } = targetOf(embedModel)
    const { answer } = embedModel
    await pipeline.run([documentOf('one')])
    embedModel.answer = bad([1, 1, 1])
    const changed = [documentOf('one', 'two')]
    await expect(pipeline.run(changed)).rejects.toMatchObject({ code: 'embedding_dimension' })
    embedModel.answer = answer
    expect(await pipeline.run(changed)).toMatchObject({ changed: 1 })
    expect(index.size).toBe(2)
  })
})
