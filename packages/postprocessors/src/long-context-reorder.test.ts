import { NodeWithScore, TextNode } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LongContextReorder, spreadToEnds } from './long-context-reorder.ts'

const entries = (...scores: (number | null)[]) =>
  scores.map((score, i) => NodeWithScore.construct({ node: new TextNode({ id: `n${i}` }), score }))
const ids = (nodes: readonly NodeWithScore[]) => nodes.map(({ id }) => id).join(' ')

describe('LongContextReorder', () => {
  it('moves the best nodes to the ends: the best is first for an odd number and last for an even number', async () => {
    expect(ids(await new LongContextReorder().postprocessNodes(entries(0.9, 0.8, 0.7, 0.6, 0.5)))).toBe(
      'n0 n2 n4 n3 n1',
    )
    expect(ids(await new LongContextReorder().postprocessNodes(entries(0.9, 0.8, 0.7, 0.6)))).toBe('n1 n3 n2 n0')
  })

  it('equals inserting items alternately at the front and the end', () => {
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
