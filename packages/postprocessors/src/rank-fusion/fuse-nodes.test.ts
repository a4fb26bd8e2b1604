import { NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FixedRecencyPostprocessor } from '../recency/fixed-recency-postprocessor.ts'
import { SimilarityPostprocessor } from '../similarity-postprocessor.ts'
import { fuseNodes } from './fuse-nodes.ts'
import { RankFusion } from './rank-fusion.ts'

const entry = (id: string, score: number | null = null) => new NodeWithScore({ node: new TextNode({ id }), score })
const view = (entries: readonly NodeWithScore[]) => entries.map(({ id, score }) => [id, score])

describe('fuseNodes', () => {
  it('sums weighted reciprocal ranks', () => {
    expect(
      view(
        fuseNodes([
          [entry('a'), entry('b')],
          [entry('b'), entry('c')],
        ]),
      ),
    ).toEqual([
      ['b', 1 / 62 + 1 / 61],
      ['a', 1 / 61],
      ['c', 1 / 62],
    ])
    expect(view(fuseNodes([[entry('a')], [entry('b')]], { weights: [1, 2], k: 0 }))).toEqual([
      ['b', 2],
      ['a', 1],
    ])
  })

  it('returns the first entry of a node', () => {
    const lists = ['first', 'second'].map((text) => [new NodeWithScore({ node: new TextNode({ id: 'a', text }) })])
    for (const mode of ['reciprocal_rank', 'relative_score', 'best_score'] as const)
      expect(fuseNodes(lists, { mode }).map(({ text }) => text)).toEqual(['first'])
  })

  it('scales scores, or uses the best score', () => {
    const lists = [
      [entry('a', 100), entry('b', 50)],
      [entry('b', 0.9), entry('c', 0.1), entry('d')],
    ]
    expect(view(fuseNodes(lists, { mode: 'relative_score' }))).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
      ['d', 0],
    ])
    expect(view(fuseNodes(lists, { mode: 'best_score' }))).toEqual([
      ['a', 100],
      ['b', 50],
      ['c', 0.1],
      ['d', null],
    ])
  })

  it('refuses what are not lists, and options that are unknown or out of range', () => {
    for (const [lists, options, message] of [
      [5, {}, 'fuseNodes.lists: expected an array, received 5.'],
      [[[], null], {}, 'fuseNodes.lists[1]: expected an array, received null.'],
      [[], { k: -1 }, 'fuseNodes.k: expected a finite number of at least 0, received -1.'],
      [[], { mode: 'sum' }, 'fuseNodes.mode: expected "reciprocal_rank" or "relative_score" or "best_score"'],
    ] as const)
      expect(() => fuseNodes(lists as never, options as never)).toThrow(message)
    expect(fuseNodes([])).toEqual([])
  })

  it('handles NaN scores', () => {
    const broken = (id: string, score: number) => NodeWithScore.construct({ node: new TextNode({ id }), score })
    const lists = [[broken('a', Number.NaN), entry('b', 1), entry('c', 0)], [entry('a', 0.5)]]
    expect(view(fuseNodes(lists, { mode: 'relative_score' }))).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ])
    expect(view(fuseNodes(lists, { mode: 'best_score' }))).toEqual([
      ['b', 1],
      ['a', 0.5],
      ['c', 0],
    ])
  })

  it('uses the first rank of a node that a list contains twice', () => {
    expect(view(fuseNodes([[entry('a'), entry('a'), entry('b')]], { k: 0 }))).toEqual([
      ['a', 1],
      ['b', 1 / 2],
    ])
  })

  it('returns every node once, and does not depend on the order of equal lists', () => {
    const list = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 })
      .map((ids) => ids.map((id) => entry(id)))
    fc.assert(
      fc.property(list, list, (one, two) => {
        const fused = fuseNodes([one, two])
        expect(fused.map(({ id }) => id).sort()).toEqual([...new Set([...one, ...two].map(({ id }) => id))].sort())
        const scores = new Map(fuseNodes([two, one]).map(({ id, score }) => [id, score]))
        for (const { id, score } of fused) expect(scores.get(id)).toBeCloseTo(score!, 12)
      }),
    )
  })
})

describe('RankFusion', () => {
  it('adds nothing to the score of a node that a ranker drops', async () => {
    const nodes = [0.9, 0.1].map(
      (score, i) => new NodeWithScore({ node: new TextNode({ id: `n${i}`, metadata: { date: `202${i}` } }), score }),
    )
    const fusion = new RankFusion({
      rankers: [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), new FixedRecencyPostprocessor({ topK: 2 })],
      k: 0,
    })
    expect(view(await fusion.postprocessNodes(nodes))).toEqual([
      ['n0', 1.5],
      ['n1', 1],
    ])
  })
})
