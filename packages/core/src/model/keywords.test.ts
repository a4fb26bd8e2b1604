import { describe, expect, it } from 'vitest'
import { arrayKeywords, keyOf, numberKeywords, stringKeywords, testsOf } from './keywords.ts'

const valid = (keywords: typeof stringKeywords, schema: Record<string, unknown>, value: unknown) =>
  testsOf(schema, keywords).every(([, test]) => test(value) === undefined)

describe('the keywords of strings', () => {
  it('count code points', () => {
    expect(valid(stringKeywords, { minLength: 2 }, '🙂')).toBe(false)
    expect(valid(stringKeywords, { minLength: 2, maxLength: 2 }, '🙂🙂')).toBe(true)
    expect(valid(stringKeywords, { maxLength: 1 }, 'ab')).toBe(false)
  })

  it('check the length before the pattern, and ignore other types', () => {
    expect(testsOf({ pattern: '^a', maxLength: 3 }, stringKeywords).map(([keyword]) => keyword)).toEqual([
      'maxLength',
      'pattern',
    ])
    expect(valid(stringKeywords, { pattern: '^\\p{Lu}' }, 'Ä')).toBe(true)
    expect(valid(stringKeywords, { pattern: '^\\p{Lu}' }, 'ä')).toBe(false)
    expect(valid(stringKeywords, { pattern: '^a', minLength: 9 }, 5)).toBe(true)
  })
})

it('multipleOf tolerates rounding errors of fractions', () => {
  expect([0.3, 1.1, 0.35].map((value) => valid(numberKeywords, { multipleOf: 0.1 }, value))).toEqual([
    true,
    true,
    false,
  ])
})

it('the keywords of arrays count items, and compare items by value', () => {
  expect([[1], [1, 2, 3]].map((value) => valid(arrayKeywords, { minItems: 2 }, value))).toEqual([false, true])
  expect([[1], [1, 2, 3]].map((value) => valid(arrayKeywords, { maxItems: 2 }, value))).toEqual([true, false])
  const unique = (value: unknown) => valid(arrayKeywords, { uniqueItems: true }, value)
  expect(
    unique([
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]),
  ).toBe(false)
  expect(unique([1, '1', null, 'null', [1], { 0: 1 }])).toBe(true)
})

it('keyOf returns equal strings only for equal values', () => {
  expect(keyOf({ b: 1, a: [undefined] })).toBe(keyOf({ a: [undefined], b: 1, c: undefined }))
  expect(keyOf('1')).not.toBe(keyOf(1))
})
