import { APICallError } from '@ai-sdk/provider'
import { MockEmbeddingModelV4, MockRerankingModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { AiSdkEmbedding, aiSdkCrossEncoder } from './ai-sdk-embedding.ts'

const busy = new APICallError({ message: 'busy', url: 'u', requestBodyValues: {}, statusCode: 503 })

describe('AiSdkEmbedding', () => {
  it('embeds in requests that the provider allows, in order', async () => {
    const sizes: number[] = []
    const model = new MockEmbeddingModelV4({
      modelId: 'm',
      maxEmbeddingsPerCall: 2,
      doEmbed: async ({ values }) => {
        sizes.push(values.length)
        return { embeddings: values.map((value) => [value.length]), usage: { tokens: values.length }, warnings: [] }
      },
    })
    const embedding = new AiSdkEmbedding({ model, embedBatchSize: 3 })
    const tokens: number[] = []
    const onUsage = (count: number) => tokens.push(count)
    expect(await embedding.getTextEmbeddingBatch(['a', 'bb', 'ccc', 'dddd'], { onUsage })).toEqual([[1], [2], [3], [4]])
    expect(tokens).toEqual([2, 1, 1])
    expect(await embedding.getQueryEmbedding('ab')).toEqual([2])
    expect(sizes).toEqual([2, 1, 1, 1])
    expect(embedding.modelName).toBe('m')
  })

  it('reports errors of the provider, and the reason of an abort', async () => {
    const embedding = new AiSdkEmbedding({ model: new MockEmbeddingModelV4({ doEmbed: () => Promise.reject(busy) }) })
    await expect(embedding.getTextEmbedding('a')).rejects.toMatchObject({ kind: 'overloaded', cause: busy })
    const controller = new AbortController()
    const reason = new Error('enough')
    const aborting = new AiSdkEmbedding({
      model: new MockEmbeddingModelV4({
        doEmbed: () => {
          controller.abort(reason)
          return Promise.reject(busy)
        },
      }),
    })
    await expect(aborting.getTextEmbedding('a', { signal: controller.signal })).rejects.toBe(reason)
  })
})

describe('aiSdkCrossEncoder', () => {
  it('scores pairs, one request per query, in the order of the pairs', async () => {
    let requests = 0
    const model = new MockRerankingModelV4({
      doRerank: async ({ documents, query }) => {
        requests++
        return {
          ranking: documents.values
            .map((value, index) => ({ index, relevanceScore: `${query}${value}`.length }))
            .reverse(),
        }
      },
    })
    const pairs = [
      ['q', 'a'],
      ['other', 'a'],
      ['q', 'long'],
    ] as const
    expect(await aiSdkCrossEncoder(model).predict(pairs)).toEqual([2, 6, 5])
    expect(requests).toBe(2)
  })

  it('reports a document without a score, and errors of the provider', async () => {
    const silent = new MockRerankingModelV4({ doRerank: async () => ({ ranking: [] }) })
    await expect(aiSdkCrossEncoder(silent).predict([['q', 'a']])).rejects.toMatchObject({ kind: 'bad_response' })
    const failing = new MockRerankingModelV4({ doRerank: () => Promise.reject(busy) })
    await expect(aiSdkCrossEncoder(failing).predict([['q', 'a']])).rejects.toMatchObject({ kind: 'overloaded' })
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(aiSdkCrossEncoder(failing).predict([['q', 'a']], { signal })).rejects.toBe(reason)
  })
})
