import { CallbackManager, type CrossEncoder, NodeWithScore, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from '../explanation/explanation-ledger.ts'
import { SentenceTransformerRerank } from './sentence-transformer-rerank.ts'

const entry = (id: string, text: string, score: number | null = null) =>
  new NodeWithScore({ node: new TextNode({ id, text }), score })
const view = (entries: readonly NodeWithScore[]) => entries.map(({ id, score }) => [id, score])

/** A model that reads at most `maxTokens` words. The score is the number of occurrences of the query. */
const counting = (maxTokens?: number): CrossEncoder => ({
  ...(maxTokens !== undefined && {
    maxTokens,
    countTokens: (text: string) => text.split(/\s+/).filter(Boolean).length,
  }),
  predict: async (pairs) =>
    pairs.map(
      ([query, text]) =>
        text
          .split(/\s+/)
          .slice(0, maxTokens ?? 20)
          .filter((word) => word === query).length,
    ),
})

describe('SentenceTransformerRerank', () => {
  it('scores text beyond the input limit of the model, if the model has maxTokens', async () => {
    const nodes = [entry('near', 'needle'), entry('far', `${'hay '.repeat(50)}needle needle`)]
    const rank = (crossEncoder: CrossEncoder) =>
      new SentenceTransformerRerank({ crossEncoder }).postprocessNodes(nodes, { queryStr: 'needle' })
    expect(view(await rank(counting()))).toEqual([
      ['near', 1],
      ['far', 0],
    ])
    expect(view(await rank(counting(20)))).toEqual([
      ['far', 2],
      ['near', 1],
    ])
  })

  it('throws for a wrong number of scores, and for scores that are not finite numbers', async () => {
    for (const scores of [[], [1, 2], [Number.NaN], [Number.POSITIVE_INFINITY], [[1]], 1, null, undefined]) {
      const rerank = new SentenceTransformerRerank({ crossEncoder: { predict: async () => scores as number[] } })
      await expect(rerank.postprocessNodes([entry('a', 'a')], { queryStr: 'q' })).rejects.toMatchObject({
        code: 'rerank_score',
      })
    }
  })

  it('keeps the order of a model that fails, on request', async () => {
    const nodes = [entry('a', 'a', 0.9), entry('b', 'b', 0.8), entry('c', 'c', 0.7)]
    const error = new Error('HTTP 503')
    const failing: CrossEncoder = { predict: async () => Promise.reject(error) }
    const rank = (options: object, run = {}) =>
      new SentenceTransformerRerank({ crossEncoder: failing, topN: 2, ...options }).postprocessNodes(nodes, {
        queryStr: 'q',
        ...run,
      })
    await expect(rank({})).rejects.toThrow(error)
    const ledger = new ExplanationLedger()
    expect(view(await rank({ onError: 'keep' }, { ledger }))).toEqual([
      ['a', 0.9],
      ['b', 0.8],
    ])
    expect(ledger.of('b')[0]?.reason).toBe('kept in its order, because the model failed: HTTP 503')
    expect(ledger.of('c')[0]?.reason).toBe('not among the first 2; the model failed: HTTP 503')
    expect(view(await rank({ onError: 'keep', crossEncoder: { predict: async () => [1] } }))).toHaveLength(2)
    const stop = new AbortController()
    const aborting = {
      predict: async () => {
        stop.abort(new Error('left'))
        throw error
      },
    }
    await expect(rank({ onError: 'keep', crossEncoder: aborting }, { signal: stop.signal })).rejects.toThrow('left')
    const none = new SentenceTransformerRerank({ onError: 'keep' })
    await expect(none.postprocessNodes(nodes, { queryStr: 'q' })).rejects.toMatchObject({ code: 'missing_dependency' })
  })

  it('makes no model call if topN is 0', async () => {
    const predict = async () => Promise.reject(new Error('asked'))
    const rerank = new SentenceTransformerRerank({ crossEncoder: { predict }, topN: 0 })
    expect(await rerank.postprocessNodes([entry('a', 'a')], { queryStr: 'q' })).toEqual([])
  })

  it('accepts scores without a promise, and a typed array', async () => {
    const crossEncoder = { predict: () => Float32Array.of(0.5, 1) as unknown as Promise<number[]> }
    const { signal } = new AbortController()
    const nodes = [entry('a', 'a'), entry('b', 'b')]
    const rerank = new SentenceTransformerRerank({ crossEncoder })
    expect(view(await rerank.postprocessNodes(nodes, { queryStr: 'q', signal }))).toEqual([
      ['b', 1],
      ['a', 0.5],
    ])
  })

  it('uses the name of the loaded model, in JSON and in events', async () => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    const crossEncoder = { ...counting(), modelName: 'tiny/words' }
    const rerank = new SentenceTransformerRerank({ crossEncoder, callbackManager })
    expect(rerank.toDict()).toMatchObject({ model: 'tiny/words' })
    await rerank.postprocessNodes([entry('a', 'a')], { queryStr: 'q' })
    expect(handler.events[0]).toMatchObject({ payload: { model_name: 'tiny/words' } })
    expect(new SentenceTransformerRerank({ crossEncoder, model: 'mine' }).model).toBe('mine')
  })

  it('uses the device of the loaded model, and throws an error that names the missing option without a model', async () => {
    expect(new SentenceTransformerRerank({ crossEncoder: { ...counting(), device: 'webgpu' } }).device).toBe('webgpu')
    expect(new SentenceTransformerRerank().toDict()).toEqual({
      model: 'cross-encoder/stsb-distilroberta-base',
      top_n: 2,
      device: 'cpu',
      keep_retrieval_score: false,
      class_name: 'SentenceTransformerRerank',
    })
    await expect(
      new SentenceTransformerRerank().postprocessNodes([entry('a', 'a')], { queryStr: 'q' }),
    ).rejects.toThrow('@x/transformers')
  })
})
