import { describe, expect, it } from 'vitest'
import { firstOf, invalid, kindOf, mismatch, pathText, Report } from './report.ts'

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

describe('mismatch', () => {
  it.each<[string, unknown, string, string]>([
    ['a number', 'secret', '', 'expected a number, received a string'],
    ['one of "a"', 'b', 'mode', 'expected one of "a", received "b"'],
    ['"a" or "b"', 'c', 'mode', 'expected "a" or "b", received "c"'],
    ['one of "a"', 'x'.repeat(20), 'mode', `expected one of "a", received "${'x'.repeat(20)}"`],
    ['one of "a"', `${'x'.repeat(20)}y`, 'mode', `expected one of "a", received "${'x'.repeat(20)}…"`],
    ['one of "a"', `0${'x'.repeat(25)}`, 'mode', `expected one of "a", received "0${'x'.repeat(19)}…"`],
    ['one of "a"', 'b', 'apiKey', 'expected one of "a", received a string'],
    ['one of "a"', 5, 'mode', 'expected one of "a", received 5'],
  ])('of %s and %j at %j', (expected, value, path, message) => {
    expect(mismatch(expected, value, path)).toBe(message)
  })
})

it('firstOf names twelve at most', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)
  expect([firstOf([]), firstOf(names(2))]).toEqual(['', ' (n0, n1)'])
  expect([firstOf(names(12)), firstOf(names(13))]).toEqual([
    ` (${names(12).join(', ')})`,
    ` (${names(12).join(', ')}, …)`,
  ])
})

it('a report has the issues at its path, with advice', () => {
  const report = new Report(['a', 0])
  report.add('a string', 5).add('one of "x"', 'y', 'enum', 'use x')
  report.addAll([{ path: 'b', message: 'm', code: 'c' }])
  expect(report.issues).toEqual([
    { path: 'a[0]', message: 'expected a string, received 5', code: 'type' },
    { path: 'a[0]', message: 'expected one of "x", received "y"; use x', code: 'enum' },
    { path: 'b', message: 'm', code: 'c' },
  ])
  expect(invalid('Book', 'an object', 5)).toMatchObject({ issues: [{ path: '', code: 'type' }] })
  expect(invalid('Book', 'a string', 5, ['title']).message).toBe('Book.title: expected a string, received 5.')
})

it('pathText writes indexes in brackets', () => {
  expect(pathText(['nodes', 0, 'metadata', 'a'])).toBe('nodes[0].metadata.a')
  expect(pathText([])).toBe('')
})
