import { expect, it } from 'vitest'
import { digitGroups, mayBegin, withPlainSigns } from './plain-signs.ts'

it('replaces variants of characters without changing an offset', () => {
  const text = '１２\u00A0٣۴\u2011५·\u2019ａ\n'
  expect(withPlainSigns(text)).toBe("12 34-5.'a\n")
  expect(withPlainSigns(text)).toHaveLength(text.length)
})

it('returns sequences of digits with up to eight characters before them', () => {
  expect(digitGroups('a 12-34 and so on 5')).toEqual([
    { digits: '12', start: 2, end: 4, before: 'a ' },
    { digits: '34', start: 5, end: 7, before: '-' },
    { digits: '5', start: 18, end: 19, before: 'd so on ' },
  ])
})

it.each([
  ['at the start', '', true],
  ['after a sign', 'a-', true],
  ['after a word', 'Visa', true],
  ['after a single letter', 'V', false],
  ['after a digit', 'a1', false],
  ['after a word that is part of an identifier', 'a_visa', false],
])('a number may begin %s: %s', (_, before, expected) => {
  expect(mayBegin(`${before}4111`, before.length)).toBe(expected)
})
