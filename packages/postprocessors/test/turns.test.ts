import { type EmbeddingModel, NodeWithScore, TextNode } from '@x/core-model'
import {
  KeywordNodePostprocessor,
  MaximalMarginalRelevance,
  NERPIINodePostprocessor,
  SentenceEmbeddingOptimizer,
  TokenBudget,
} from '@x/postprocessors'
import { describe, expect, it } from 'vitest'

const angles = (i: number) => Array.from({ length: 16 }, (_, at) => Math.cos(i * (at + 1)))
const nodes = Array.from({ length: 1200 }, (_, i) => {
  const text = `Note ${i}. ${'It is about words. '.repeat(20)}`
  return new NodeWithScore({ node: new TextNode({ id: `n${i}`, text, embedding: angles(i) }), score: 1 })
})
/** Returns the result after 0.1 ms of computing. */
function busy<T>(result: T): T {
  for (const end = performance.now() + 0.1; performance.now() < end; );
  return result
}
const embedModel = {
  getQueryEmbedding: async () => angles(1),
  getTextEmbeddingBatch: async (texts: readonly string[]) => texts.map((_, i) => angles(i)),
} as unknown as EmbeddingModel

describe('a postprocessor that computes for long lets other work run, so that it can be cancelled:', () => {
  it.each([
    new MaximalMarginalRelevance({ topN: 1200 }),
    new KeywordNodePostprocessor({ requiredKeywords: ['about', 'Note'], match: 'all' }),
    new TokenBudget({ maxTokens: 1e9, countTokens: () => busy(1) }),
    new SentenceEmbeddingOptimizer({ embedModel, percentileCutoff: 0.5, tokenizerFn: () => busy(['a']) }),
    new NERPIINodePostprocessor({ ner: () => busy([]) }),
  ])('$constructor.name', async (postprocessor) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'))
    const options = { queryStr: 'words', signal: controller.signal }
    await expect(postprocessor.postprocessNodes(nodes, options)).rejects.toBe('enough')
  })
})
