import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { character } from '../test/arbitrary-model.ts'
import { estimateTokens } from './count-tokens.ts'

describe('estimateTokens', () => {
  it.each([
    ['', 0],
    ['The quick brown fox', 6],
    ['北京', 2],
    ['1234567', 3],
    ['a, b', 3],
  ])('counts %j as %i', (text, expected) => {
    expect(estimateTokens(text)).toBe(expected)
  })

  // The counts of o200k_base.
  it.each([
    ['Amharic', 'የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።', 79],
    ['Lao', 'ມະນຸດເກີດມາມີສິດເສລີພາບ ແລະ ສະເໝີໜ້າກັນໃນທາງກຽດຕິສັກ', 95],
    ['Thai', 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์', 29],
    ['Vietnamese', 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền', 20],
    ['Hebrew', 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם', 19],
    ['Russian', 'Все люди рождаются свободными и равными в своем достоинстве и правах', 16],
    ['emoji', '😀🚀🍕👩‍💻👍🏽', 13],
    ['digits', '7 1 0 42 9 3', 11],
    ['English', 'All human beings are born free and equal in dignity and rights.', 13],
  ])('is about the count of a tokenizer for %s', (_, text, counted) => {
    expect(estimateTokens(text)).toBeGreaterThan(counted * 0.75)
    expect(estimateTokens(text)).toBeLessThan(counted * 1.7)
  })

  it('is at most twice the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(2 * text.length)
      }),
    )
  })
})
