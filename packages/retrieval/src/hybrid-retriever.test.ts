import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { HybridRetriever, type HybridRetrieverOptions } from './hybrid-retriever.ts'
import type { RetrieveOptions, RetrieverLike } from './retriever.ts'

type Found = readonly (readonly [id: string, score: number | null])[]

/** A retriever that always finds the same nodes. */
function finds(found: Found, calls: RetrieveOptions[] = []): RetrieverLike {
  return {
    retrieve: async (_query, options = {}) => {
      calls.push(options)
      return found.map(([id, score]) => new NodeWithScore({ node: new TextNode({ id }), score }))
    },
  }
}

async function search(lists: readonly Found[], options: Partial<HybridRetrieverOptions> = {}) {
  const hybrid = new HybridRetriever({ retrievers: lists.map((list) => finds(list)), ...options })
  return (await hybrid.retrieve('x')).map(({ id, score }) => [id, score])
}

describe('HybridRetriever', () => {
  it('sums weighted reciprocal ranks', async () => {
    const one: Found = [
      ['a', 9],
      ['b', 8],
    ]
    const other: Found = [['b', 0.1]]
    const mode = 'reciprocal_rank'
    expect(await search([one, other], { mode })).toEqual([
      ['b', 1 / 62 + 1 / 61],
      ['a', 1 / 61],
    ])
    expect(await search([one, other], { mode, weights: [1, 0], k: 0 })).toEqual([
      ['a', 1],
      ['b', 0.5],
    ])
  })

  it('sums scores that are scaled per retriever', async () => {
    const words: Found = [
      ['a', 30],
      ['b', 20],
      ['c', 10],
    ]
    const vectors: Found = [
      ['c', 0.9],
      ['b', null],
    ]
    expect(await search([words, vectors], { mode: 'relative_score' })).toEqual([
      ['a', 1],
      ['c', 1],
      ['b', 0.5],
    ])
  })

  it('returns ten nodes by default, or similarityTopK, which may change', async () => {
    const many: Found = Array.from({ length: 12 }, (_, i) => [`n${i}`, 1 - i / 100] as const)
    expect(await search([many])).toHaveLength(10)
    expect(await search([many], { similarityTopK: 0 })).toEqual([])
    const hybrid = new HybridRetriever({ retrievers: [finds(many)] })
    hybrid.similarityTopK = 11
    expect(await hybrid.retrieve('x')).toHaveLength(11)
    hybrid.similarityTopK = -1
    await expect(hybrid.retrieve('x')).rejects.toThrow(
      'HybridRetriever.similarityTopK: expected an integer of at least 0',
    )
  })

  it('returns a node that one retriever finds twice at its first rank', async () => {
    const twice: Found = [
      ['a', 5],
      ['a', 4],
      ['b', 4],
    ]
    expect(await search([twice], { mode: 'reciprocal_rank' })).toEqual([
      ['a', 1 / 61],
      ['b', 1 / 62],
    ])
    expect(
      await search([
        [
          ['a', 5],
          ['b', 5],
        ],
      ]),
    ).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  it.each<[object, string]>([
    [{ retrievers: [] }, 'HybridRetriever.retrievers: expected at least one retriever'],
    [{ weights: [1, 2] }, 'HybridRetriever.weights: expected one number per retriever'],
    [{ weights: [-1] }, 'HybridRetriever.weights[0]: expected a finite number of at least 0, received -1.'],
    [{ k: -1 }, 'HybridRetriever.k: expected a finite number of at least 0, received -1.'],
    [{ similarityTopK: -1 }, 'HybridRetriever.similarityTopK: expected an integer of at least 0, received -1.'],
    [{ mode: 'best_score' }, 'HybridRetriever.mode: expected "reciprocal_rank" or "relative_score"'],
  ])('refuses %j', (options, message) => {
    expect(() => new HybridRetriever({ retrievers: [finds([])], ...options })).toThrow(message)
  })

  it.each([null, [null], 'nodes', {}])('refuses %j from a retriever', async (found) => {
    const retrievers = [finds([]), { retrieve: async () => found as never }]
    const message = expect.stringContaining('retrievers[1].retrieve()')
    for (const mode of ['relative_score', 'reciprocal_rank'] as const)
      await expect(new HybridRetriever({ retrievers, mode }).retrieve('x')).rejects.toMatchObject({
        code: 'model_validation',
        message,
      })
  })

  it('passes signal and filters to each retriever, and fails when one fails', async () => {
    const calls: RetrieveOptions[] = []
    const options = { filters: [{ key: 'a', value: 1 }], signal: new AbortController().signal }
    await new HybridRetriever({ retrievers: [finds([], calls), finds([], calls)] }).retrieve('x', options)
    expect(calls).toEqual([options, options])
    const broken: RetrieverLike = { retrieve: () => Promise.reject(new Error('down')) }
    await expect(new HybridRetriever({ retrievers: [finds([]), broken] }).retrieve('x')).rejects.toThrow('down')
  })

  it.each<Partial<HybridRetrieverOptions>>([
    { retrievers: [] },
    { similarityTopK: -1 },
    { similarityTopK: 0.5 },
    { k: Number.NaN },
    { weights: [-1] },
    { weights: [1, 1] },
    { mode: 'best' as 'reciprocal_rank' },
  ])('rejects %o', (options) => {
    expect(() => new HybridRetriever({ retrievers: [finds([])], ...options })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })
})
