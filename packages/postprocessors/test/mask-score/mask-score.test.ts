import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { falseAlarms, inDocuments, recalls } from './score.ts'

it('finds at least 97 % of each kind that needs no label, and of national telephone numbers with their region or a label', () => {
  const low = recalls().filter(({ what, found, of }) => !what.endsWith('national without a label') && found / of < 0.97)
  expect(low).toEqual([])
})

it('finds next to nothing in harmless text', () => {
  const alarms = falseAlarms(rounds(100, 300))
  expect(alarms.filter(({ usual, of }) => usual / of > 0.01)).toEqual([])
  expect(alarms.filter(({ everything, of }) => everything / of > 0.02)).toEqual([])
  const exact = alarms.filter(({ what }) => /prices|versions|Markdown|years|vector|dates/.test(what))
  expect(exact.map(({ everything }) => everything)).toEqual(exact.map(() => 0))
})

it('finds at most two cards and telephone numbers in the documents of this repository', () => {
  expect(inDocuments().found.length).toBeLessThanOrEqual(2)
})
