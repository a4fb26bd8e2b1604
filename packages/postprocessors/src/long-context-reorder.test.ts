import { NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byRelevance, LongContextReorder, spreadToEnds } from './long-context-reorder.ts'

const entries = (...scores: (number | null)[]) =>
  scores.map((score, i) => NodeWithScore.construct({ node: new TextNode({ id: `n${i}` }), score }))
const ids = (nodes: readonly NodeWithScore[]) => nodes.map(({ id }) => id).join(' ')

describe('LongContextReorder', () => {
  it('puts the best at the ends: first with an odd number, last with an even one', async () => {
    expect(ids(await new LongContextReorder().postprocessNodes(entries(0.9, 0.8, 0.7, 0.6, 0.5)))).toBe(
      'n0 n2 n4 n3 n1',
    )
    expect(ids(await new LongContextReorder().postprocessNodes(entries(0.9, 0.8, 0.7, 0.6)))).toBe('n1 n3 n2 n0')
  })

  it('takes the earlier of equals as the better one and no score as the worst', () => {
    expect(ids(byRelevance(entries(null, -1, 0, -1, null, 0)))).toBe('n2 n5 n1 n3 n0 n4')
  })

  it('orders whatever scores there are', () => {
    const score = fc.option(
      fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0)),
    )
    fc.assert(
      fc.property(fc.array(score, { maxLength: 12 }), (scores) => {
        const nodes = entries(...scores)
        const ordered = byRelevance(nodes)
        expect(new Set(ordered)).toEqual(new Set(nodes))
        const numbers = ordered
          .map((entry) => entry.score)
          .filter((value): value is number => value !== null && !Number.isNaN(value))
        for (let i = 1; i < numbers.length; i++) expect(numbers[i - 1]! >= numbers[i]!).toBe(true)
      }),
    )
  })

  it('spreads like putting items to the front and the end by turns', () => {
    fc.assert(
      fc.property(fc.nat(30), (count) => {
        const best = Array.from({ length: count }, (_, i) => i)
        const expected: number[] = []
        for (const [i, item] of [...best].reverse().entries()) {
          if (i % 2 === 0) expected.unshift(item)
          else expected.push(item)
        }
        expect(spreadToEnds(best)).toEqual(expected)
      }),
    )
  })
})
