import { describe, expect, it } from 'vitest'
import type { EmbeddingModel, EmbedOptions } from '../contracts/embedding.ts'
import { QueryBundle } from '../nodes/query-bundle.ts'
import { embedQueries, embedQuery, type ModelCall } from './embed-query.ts'

const signal = new AbortController().signal
const call: ModelCall = (work) => work({ signal })
const table = { a: [1, 0], b: [0, 1], '': [0.5, 0.5] }

/** A model that embeds one query at a time. */
class Single implements EmbeddingModel {
  readonly seen: [string, EmbedOptions | undefined][] = []
  async getQueryEmbedding(query: string, options?: EmbedOptions) {
    this.seen.push([query, options])
    return table[query as keyof typeof table]
  }
  async getTextEmbedding(): Promise<number[]> {
    throw new Error('not a query')
  }
  async getTextEmbeddingBatch(): Promise<number[][]> {
    throw new Error('not a query')
  }
}

describe('embedQuery', () => {
  it('returns the vector of the query, without a call', async () => {
    const model = new Single()
    expect(await embedQuery(model, new QueryBundle({ queryStr: 'a', embedding: [3] }), call)).toEqual([3])
    expect(model.seen).toEqual([])
  })

  it('returns the mean of the vectors of its strings', async () => {
    const query = new QueryBundle({ queryStr: 'x', customEmbeddingStrs: ['a', 'b'] })
    const model = new Single()
    expect(await embedQuery(model, query, call)).toEqual([0.5, 0.5])
    expect(model.seen).toEqual([
      ['a', { signal }],
      ['b', { signal }],
    ])
    expect(await embedQuery(model, new QueryBundle({ queryStr: 'b' }), call)).toEqual([0, 1])
  })

  it('embeds an empty query as an empty string', async () => {
    expect(await embedQuery(new Single(), new QueryBundle({ queryStr: '' }), call)).toEqual([0.5, 0.5])
  })
})

describe('embedQueries', () => {
  it('makes one call if the model can embed several queries at once', async () => {
    const getQueryEmbeddingBatch = async (queries: readonly string[]) =>
      queries.map((query) => table[query as keyof typeof table])
    const model = Object.assign(new Single(), { getQueryEmbeddingBatch })
    let calls = 0
    const counting: ModelCall = (work) => {
      calls++
      return work({})
    }
    expect(await embedQueries(model, ['a', 'b'], counting)).toEqual([table.a, table.b])
    expect(calls).toBe(1)
    expect(await embedQueries(model, ['a'], counting)).toEqual([table.a])
    expect(await embedQueries(model, [], counting)).toEqual([])
    expect(calls).toBe(2)
  })

  it('throws if the model returns a different number of vectors', async () => {
    const model = Object.assign(new Single(), { getQueryEmbeddingBatch: async () => [[1]] })
    await expect(embedQueries(model, ['a', 'b'], call)).rejects.toMatchObject({ code: 'embedding_dimension' })
  })
})
