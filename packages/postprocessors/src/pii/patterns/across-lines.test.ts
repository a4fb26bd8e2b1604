import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../../tools/extent.ts'
import { growthOf } from '../../../../../tools/growth.ts'
import { findPatterns } from '../find-patterns.ts'
import { numberingPlans } from './numbering-plans.ts'

const german = findPatterns({ regions: numberingPlans('DE', 'US') })
const words = (text: string) =>
  german(text).map(({ word, start, end }) => (text.slice(start!, end!) === word ? word : 'another place'))

describe('a number across a line break', () => {
  it.each([
    ['Call +49 30\n901820 now', ['+49 30\n901820']],
    ['+1 415\n555 2671', ['+1 415\n555 2671']],
    ['Call +44 20 7946\n0958 or +49 30 901820\nfrom 9.', ['+44 20 7946\n0958', '+49 30 901820']],
    ['Write or call +49 30 9018\n2067.', ['+49 30 9018\n2067']],
    ['Tel. 030\n901820, Mon', ['030\n901820']],
    ['Telefon: (030)\n90 18 20', ['(030)\n90 18 20']],
    ['phone 415\n555 2671', ['415\n555 2671']],
    ['Phone: 415-555-\n2671', ['415-555-\n2671']],
    ['- Call 0049 30\n  901820 now', ['0049 30\n  901820']],
    ['> Morgen erreichen Sie sie auf 030\n> 90182067.', ['030\n> 90182067']],
    ['Call \\+49 30\n901820\\.', ['\\+49 30\n901820']],
    ['Card 4111 1111\n1111 1111 was', ['4111 1111\n1111 1111']],
    ['Pay to DE89 3704 0044\n0532 0130 00.', ['DE89 3704 0044\n0532 0130 00']],
  ])('is found if it is clearly one: %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it.each([
    ['Call +49 30\n\n901820 now', []],
    ['- Call +49 30\n- 901820 pieces', []],
    ['Call +49 30\n1. Item 2\n2. Item', []],
    ['Call +49 30  \n901820 now', []],
    ['Call +49 30 901820\n30 people came', ['+49 30 901820']],
    ['Tel. 030 901820\n12345 Berlin', ['030 901820']],
    ['+49 30 901820\n+49 30 901821\n030 901822', ['+49 30 901820', '+49 30 901821', '030 901822']],
    ['Call +49 30\n2024-12-24 is', []],
    ['We sold 120\n345678 pieces, at 030\n12:30 o’clock', []],
    ['we paid 0\n1234567 EUR and 050\n1234,50', []],
    ['prices 4111 1111\n1111 1112', []],
    ['Sum 12 345\n1234 4567 8901\n0123 4567', []],
    ['Room 030\nPhone: 12345678', ['12345678']],
    ['# Call +49 30\n\n# 901820', []],
  ])('is nothing but two numbers otherwise: %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it.each(someOf(['Tel. 030\n', 'a 0\n', '+4\n', '1111 1111\n', '\n> ', 'AA11\n'], 3))(
    'takes linear time on many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => german(unit.repeat(size)), 500)).toBeLessThan(1.75)
    },
  )
})
