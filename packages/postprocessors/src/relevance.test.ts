import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byRelevance, isMoreRelevant, scoreScale, shortNumber } from './relevance.ts'

const { NaN: none, POSITIVE_INFINITY: infinite } = Number
const entries = (...scores: (number | null)[]) => scores.map((score, place) => ({ score, place }))
const anyScore = fc.option(
  fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(none, infinite, -infinite, -0, 1e308, -1e308)),
)

describe('byRelevance', () => {
  it('ranks the earlier of equal scores higher and a missing score lowest', () => {
    const ordered = byRelevance(entries(null, -1, 0, -1, null, 0, none, infinite))
    expect(ordered.map(({ place }) => place)).toEqual([7, 2, 5, 1, 3, 0, 4, 6])
  })

  it('sorts any scores and keeps every entry', () => {
    fc.assert(
      fc.property(fc.array(anyScore, { maxLength: 12 }), (scores) => {
        const input = entries(...scores)
        const ordered = byRelevance(input)
        expect(ordered.map(({ place }) => place).sort((a, b) => a - b)).toEqual(input.map(({ place }) => place))
        for (let i = 1; i < ordered.length; i++) {
          const [before, after] = [ordered[i - 1]!, ordered[i]!]
          expect(isMoreRelevant(after.score, before.score)).toBe(false)
          if (!isMoreRelevant(before.score, after.score)) expect(before.place).toBeLessThan(after.place)
        }
      }),
    )
  })
})

describe('scoreScale', () => {
  it('scales from the lowest score to the highest', () => {
    const scale = scoreScale(entries(2, 4, 3, null))
    expect([2, 3, 4, null].map(scale)).toEqual([0, 0.5, 1, 0])
    expect([5, null].map(scoreScale(entries(5, 5)))).toEqual([1, 0])
  })

  it('handles NaN and infinite scores', () => {
    const scale = scoreScale(entries(none, 0, infinite, 1, -infinite))
    expect([none, 0, infinite, 0.5, 1, -infinite].map(scale)).toEqual([0, 0, 1, 0.5, 1, 0])
    expect([infinite, none, -infinite].map(scoreScale(entries(infinite, none)))).toEqual([1, 0, 0])
  })

  it('stays between 0 and 1 for any scores', () => {
    fc.assert(
      fc.property(fc.array(anyScore, { maxLength: 6 }), (scores) => {
        for (const scaled of scores.map(scoreScale(entries(...scores)))) {
          expect(scaled).toBeGreaterThanOrEqual(0)
          expect(scaled).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})

it('shortens a number, unless it would look like the one beside it', () => {
  expect(shortNumber(1.8674417500602871)).toBe('1.8674')
  expect(shortNumber(1.8674417500602871, 0.5)).toBe('1.8674')
  expect(shortNumber(0.49999999, 0.5)).toBe('0.49999999')
  expect(shortNumber(0.5, 0.5)).toBe('0.5')
})
