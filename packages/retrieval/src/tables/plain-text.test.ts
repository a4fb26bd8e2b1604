import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { plainText } from './plain-text.ts'

describe('plainText', () => {
  it.each([
    ['[`@x/storage`](packages/storage "the store")', '@x/storage'],
    ['SWR [_(Website)_][swr]', 'SWR (Website)'],
    ['x[0][10] m[row][column] [a][bc] [![npm][badge]][npm-url]', 'x[0][10] m[row][column] [a][bc] npm'],
    ['**bold** and _slanted_, ~~not~~ this', 'bold and slanted, not this'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2  3  4'],
    ['a<br>b <img src="x">', 'a b'],
    ['![logo](a.png)', 'logo'],
    ['x < y > z', 'x < y > z'],
  ])('%j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text)
  })

  it.each(['[', '[a](', '<a ', '**', '_', '![', ']('])(
    'takes linear time on many %j',
    { tags: 'growth' },
    async (piece) => {
      expect(await growthOf((size) => plainText(piece.repeat(size)), 5000)).toBeLessThan(1.75)
    },
  )
})
