import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TopMatches } from './top-matches.ts'

it('returns the first matches of a full sort, with ties in the order of their sequence', () => {
  const entry = fc.record({ score: fc.integer({ min: -20, max: 20 }), sequence: fc.nat(1e6), accepted: fc.boolean() })
  const entries = fc.uniqueArray(entry, { selector: ({ sequence }) => sequence, maxLength: 100, size: 'max' })
  fc.assert(
    fc.property(entries, fc.nat(40), (all, limit) => {
      const sequences = all.map(({ sequence }) => sequence)
      const top = new TopMatches(limit, sequences, (index) => all[index]!.accepted)
      for (const [index, { score }] of all.entries()) top.offer(index, score)
      const sorted = all
        .map(({ score, accepted }, index) => ({ index, score, accepted }))
        .filter(({ accepted }) => accepted)
        .sort((one, other) => other.score - one.score || sequences[one.index]! - sequences[other.index]!)
      expect(top.sorted()).toEqual(sorted.slice(0, limit).map(({ index, score }) => ({ index, score })))
    }),
  )
})
