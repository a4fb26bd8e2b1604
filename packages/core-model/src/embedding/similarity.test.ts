import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issuesOf, thrownBy } from '../../../../tools/thrown.ts'
import { meanAgg, similarity, similarityModes } from './similarity.ts'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => (Math.abs(value) < 1e-6 ? 0 : value))
const pair = fc.integer({ min: 1, max: 6 }).chain((length) => {
  const vector = fc.array(number, { minLength: length, maxLength: length })
  return fc.tuple(vector, vector)
})
const close = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

describe('similarity', () => {
  it.each(similarityModes)('%s is symmetric and finite', (mode) => {
    fc.assert(
      fc.property(
        pair,
        ([a, b]) => Number.isFinite(similarity(a, b, mode)) && close(similarity(a, b, mode), similarity(b, a, mode)),
      ),
    )
  })

  it('cosine is between -1 and 1, is 1 for the same direction, and ignores length', () => {
    fc.assert(
      fc.property(pair, fc.double({ min: 0.5, max: 100, noNaN: true }), ([a, b], factor) => {
        expect(Math.abs(similarity(a, b))).toBeLessThanOrEqual(1 + 1e-9)
        if (a.some((value) => value !== 0)) expect(similarity(a, a)).toBeCloseTo(1, 9)
        expect(
          similarity(
            a.map((value) => value * factor),
            b,
          ),
        ).toBeCloseTo(similarity(a, b), 6)
      }),
    )
  })

  it('euclidean is at most 0, and 0 only for equal vectors', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        expect(Object.is(similarity(a, a, 'euclidean'), 0)).toBe(true)
        expect(similarity(a, b, 'euclidean')).toBeLessThanOrEqual(0)
      }),
    )
    expect(similarity([0, 0], [3, 4], 'euclidean')).toBe(-5)
  })

  it('dot_product is linear', () => {
    fc.assert(
      fc.property(pair, ([a, b]) =>
        close(
          similarity(
            a.map((value) => 2 * value),
            b,
            'dot_product',
          ),
          2 * similarity(a, b, 'dot_product'),
        ),
      ),
    )
    expect(similarity([1, 2], [3, 4], 'dot_product')).toBe(11)
  })

  it('cosine is 0 for a zero vector and for empty vectors', () => {
    expect([similarity([0, 0], [1, 2]), similarity([1, 2], [0, 0]), similarity([], [])]).toEqual([0, 0, 0])
  })

  it.each(similarityModes)('%s rejects vectors of different length', (mode) => {
    expect(thrownBy(() => similarity([1], [1, 2], mode))).toMatchObject({
      code: 'embedding_dimension',
      expected: 1,
      received: 2,
    })
  })

  it('throws for an unknown mode', () => {
    for (const mode of ['Cosine', 'toString', ''])
      expect(issuesOf(() => similarity([1], [1], mode as never))).toMatchObject([{ path: 'mode', code: 'enum' }])
  })
})

describe('meanAgg', () => {
  it('is the mean per dimension', () => {
    expect(
      meanAgg([
        [1, 2],
        [3, 6],
      ]),
    ).toEqual([2, 4])
    expect(meanAgg([[1, 2]])).toEqual([1, 2])
  })

  it('throws for an empty array and for vectors of different length', () => {
    expect(thrownBy(() => meanAgg([]))).toMatchObject({ code: 'empty_input' })
    expect(thrownBy(() => meanAgg([[1, 2], [1]]))).toMatchObject({
      code: 'embedding_dimension',
      expected: 2,
      received: 1,
    })
    expect(thrownBy(() => meanAgg([[1], [1, 2]]))).toMatchObject({ code: 'embedding_dimension' })
  })
})
