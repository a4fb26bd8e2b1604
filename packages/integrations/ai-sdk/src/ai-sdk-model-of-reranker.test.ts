import { type NodesPostprocessor, NodeWithScore, TextNode } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { rerank } from 'ai'
import { rerank as rerankV6 } from 'ai-v6'
import { describe, expect, it } from 'vitest'
import { aiSdkCrossEncoder } from './ai-sdk-embedding.ts'
import { toAiSdkRerankingModel } from './ai-sdk-model-of-reranker.ts'

const documents = ['fig', 'banana', 'pear']
/** Longer texts are more relevant. */
const byLength = {
  modelName: 'by-length',
  predict: async (pairs: readonly (readonly [string, string])[]) => pairs.map(([, text]) => text.length),
}

/** A postprocessor that returns these nodes. */
const returning = (...nodes: [id: string, score: number | null][]): NodesPostprocessor => ({
  postprocessNodes: async () => nodes.map(([id, score]) => new NodeWithScore({ node: new TextNode({ id }), score })),
})

describe('toAiSdkRerankingModel', () => {
  it('ranks by a cross-encoder, for ai 7 and ai 6', async () => {
    const seven = await rerank({ model: toAiSdkRerankingModel(byLength), query: 'fruit', documents })
    expect(seven.ranking.map(({ originalIndex, score }) => [originalIndex, score])).toEqual([
      [1, 6],
      [2, 4],
      [0, 3],
    ])
    const model = toAiSdkRerankingModel(byLength, { specificationVersion: 'v3', provider: 'own' })
    const six = await rerankV6({ model, query: 'fruit', documents, topN: 1 })
    expect(six.rerankedDocuments).toEqual(['banana'])
    expect([model.provider, model.modelId, model.specificationVersion]).toEqual(['own', 'by-length', 'v3'])
  })

  it('is the reverse of aiSdkCrossEncoder', async () => {
    const scores = await aiSdkCrossEncoder(toAiSdkRerankingModel(byLength)).predict(
      documents.map((text) => ['fruit', text] as const),
    )
    expect(scores).toEqual([3, 6, 4])
  })

  it('sorts by score, and ranks objects as JSON with a warning', async () => {
    const model = toAiSdkRerankingModel(returning(['0', 0], ['1', -1], ['2', 5]))
    const { ranking, warnings } = await model.doRerank({
      documents: { type: 'object', values: [{ a: 1 }, { b: 2 }, { c: 3 }] },
      query: 'q',
      topN: 2,
    })
    expect(ranking).toEqual([
      { index: 2, relevanceScore: 5 },
      { index: 0, relevanceScore: 0 },
    ])
    expect(warnings).toEqual([
      { type: 'compatibility', feature: 'object documents', details: 'They are ranked as JSON.' },
    ])
    const seen: string[] = []
    const recording = {
      predict: async (pairs: readonly (readonly [string, string])[]) =>
        pairs.map(([, text]) => {
          seen.push(text)
          return 1
        }),
    }
    await rerank({ model: toAiSdkRerankingModel(recording), query: 'q', documents: [{ a: 1 }] })
    expect(seen).toEqual(['{"a":1}'])
  })

  it.each<[string, NodesPostprocessor, RegExp]>([
    ['nodes without scores', returning(['0', null]), /such as LLMRerank; document 0 has no score/],
    ['nodes that are not documents', returning(['9', 1]), /received the node 9/],
  ])('refuses %s', async (_, postprocessor, message) => {
    const failed = rerank({ model: toAiSdkRerankingModel(postprocessor), query: 'q', documents, maxRetries: 0 })
    await expect(failed).rejects.toMatchObject({ code: 'configuration', message: expect.stringMatching(message) })
  })

  it('is repeated after a retryable error, and rejects with the reason of an abort', async () => {
    let calls = 0
    const flaky = {
      predict: async (pairs: readonly unknown[]) => {
        if (++calls === 1) throw new ModelCallError('busy', { kind: 'overloaded', retryAfterMs: 1 })
        return pairs.map(() => 1)
      },
    }
    const { ranking } = await rerank({ model: toAiSdkRerankingModel(flaky), query: 'q', documents })
    expect([ranking.length, calls]).toEqual([3, 2])
    const reason = new Error('enough')
    const stop = new AbortController()
    const stopped = {
      predict: async (_: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) => {
        stop.abort(reason)
        signal?.throwIfAborted()
        return [1, 1, 1]
      },
    }
    const model = toAiSdkRerankingModel(stopped)
    const aborted = rerank({ model, query: 'q', documents, abortSignal: stop.signal, maxRetries: 0 })
    await expect(aborted).rejects.toBe(reason)
  })
})
