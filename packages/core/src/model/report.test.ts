import { describe, expect, it } from 'vitest'
import { kindOf, pathText } from './report.ts'

describe('kindOf', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [undefined, 'undefined'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    ['secret', 'a string'],
    [[], 'an array'],
    [{}, 'an object'],
    [new Map(), 'an instance of Map'],
    [Object.create({}), 'an instance of Object'],
    [5n, '5 (a bigint)'],
    [() => {}, 'a function'],
  ])('describes %o', (value, words) => {
    expect(kindOf(value)).toBe(words)
  })
})

it('pathText writes indexes in brackets', () => {
  expect(pathText(['nodes', 0, 'metadata', 'a'])).toBe('nodes[0].metadata.a')
  expect(pathText([])).toBe('')
})
