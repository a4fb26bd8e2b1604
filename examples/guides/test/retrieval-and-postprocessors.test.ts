import { IndexNode, NodeWithScore, TextNode } from '@x/core-model'
import { fuseNodes, PostprocessorPipeline, SimilarityPostprocessor } from '@x/postprocessors'
import { HybridRetriever, IndexNodeFollower } from '@x/retrieval'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const view = (entries: readonly NodeWithScore[]) => entries.map(({ id, score }) => [id, score])

it('HybridRetriever returns the same as fuseNodes of the postprocessors', async () => {
  const entry = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer({ min: -3, max: 3 })))
  const list = fc
    .array(entry, { maxLength: 8 })
    .map((found) => found.map(([id, score]) => new NodeWithScore({ node: new TextNode({ id }), score })))
  const mode = fc.constantFrom('reciprocal_rank' as const, 'relative_score' as const)
  const weights = fc.array(fc.nat(3), { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(list, list, mode, weights, fc.nat(6), async (one, other, mode, weights, similarityTopK) => {
      const retrievers = [one, other].map((nodes) => ({ retrieve: async () => nodes }))
      const found = await new HybridRetriever({ retrievers, mode, weights, similarityTopK }).retrieve('x')
      expect(view(found)).toEqual(view(fuseNodes([one, other], { mode, weights }).slice(0, similarityTopK)))
    }),
  )
})

it('a pipeline of postprocessors can contain an IndexNodeFollower', async () => {
  const target = new TextNode({ id: 't', text: 'text' })
  const pipeline = new PostprocessorPipeline({
    postprocessors: [
      new IndexNodeFollower({ targets: [target] }),
      new SimilarityPostprocessor({ similarityCutoff: 0.5 }),
    ],
  })
  const index = new IndexNode({ id: '1', text: 'about t', indexId: 't' })
  const entries = [
    new NodeWithScore({ node: index, score: 0.9 }),
    new NodeWithScore({ node: new TextNode({ id: 'a' }), score: 0.1 }),
  ]
  expect(view(await pipeline.postprocessNodes(entries))).toEqual([['t', 0.9]])
})
