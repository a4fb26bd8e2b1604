import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measuresOf } from './measures.ts'

const log2 = Math.log2

describe('measuresOf', () => {
  it('is 1 when the only right place comes first', () => {
    expect(measuresOf([[0]], [1], 10)).toEqual({ ndcg: 1, recall: 1, mrr: 1 })
  })

  it('is 0 when nothing right was found', () => {
    expect(measuresOf([[], []], [1], 10)).toEqual({ ndcg: 0, recall: 0, mrr: 0 })
    expect(measuresOf([], [1, 1], 10)).toEqual({ ndcg: 0, recall: 0, mrr: 0 })
  })

  it('throws without a right place', () => {
    expect(() => measuresOf([[]], [], 10)).toThrow(expect.objectContaining({ code: 'empty_input' }))
  })

  it('counts a place once that a node lists twice', () => {
    expect(measuresOf([[0, 0]], [1, 1], 10)).toEqual(measuresOf([[0]], [1, 1], 10))
  })

  it.each<[Parameters<typeof measuresOf>, string]>([
    [[[[0]], [1], 0], 'k: expected an integer of at least 1'],
    [[[[0]], [1], 1.5], 'k: expected an integer'],
    [[[[0]], [1, 0], 1], 'grades[1]: expected a number above 0, received'],
    [[[[0]], [Number.NaN], 1], 'grades[0]'],
    [[[[0], [0, 2]], [1, 1], 1], 'reached[1][1]: expected the number of a place, 0 to 1, received'],
    [[[[-1]], [1], 1], 'reached[0][0]'],
  ])('refuses %j', (input, message) => {
    expect(() => measuresOf(...input)).toThrow(expect.objectContaining({ message: expect.stringContaining(message) }))
  })

  it('discounts by the logarithm of the rank', () => {
    expect(measuresOf([[], [0], [], [1]], [1, 1], 10)).toEqual({
      ndcg: (1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3)),
      recall: 1,
      mrr: 0.5,
    })
  })

  it('counts a place once, and repeated nodes of it take up ranks', () => {
    expect(measuresOf([[0], [0], [1]], [1, 1], 10).ndcg).toBe((1 + 1 / log2(4)) / (1 + 1 / log2(3)))
  })

  it('is 1 for one node that contains all places', () => {
    expect(measuresOf([[0, 1, 2]], [1, 3, 1], 10)).toEqual({ ndcg: 1, recall: 1, mrr: 1 })
    expect(measuresOf([[0, 1, 2]], [1, 1, 1], 1)).toEqual({ ndcg: 1, recall: 1, mrr: 1 })
  })

  it('ignores what comes after the first k nodes', () => {
    expect(measuresOf([[], [0]], [1], 1)).toEqual({ ndcg: 0, recall: 0, mrr: 0 })
  })

  it('puts higher grades first', () => {
    expect(measuresOf([[0], [1]], [1, 3], 10).ndcg).toBeCloseTo((1 + 3 / log2(3)) / (3 + 1 / log2(3)), 12)
  })

  it('is from 0 to 1, and does not fall when a node before the end becomes right', () => {
    const grades = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 })
    const sample = grades.chain((all) =>
      fc.record({
        grades: fc.constant(all),
        reached: fc.array(fc.uniqueArray(fc.nat(all.length - 1)), { maxLength: 14 }),
        k: fc.integer({ min: 1, max: 12 }),
      }),
    )
    fc.assert(
      fc.property(sample, ({ grades, reached, k }) => {
        const { ndcg, recall, mrr } = measuresOf(reached, grades, k)
        for (const value of [ndcg, recall, mrr]) expect(value >= 0 && value <= 1 + 1e-12).toBe(true)
        expect(ndcg > 0).toBe(recall > 0)
        expect(mrr > 0).toBe(recall > 0)
      }),
    )
  })
})
