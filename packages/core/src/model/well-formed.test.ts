import { expect, it } from 'vitest'
import { wellFormed } from '../values.ts'

it('replaces lone surrogates in strings, keys and JSON, at any depth', () => {
  expect(wellFormed('a\ud83d')).toBe('a\uFFFD')
  expect(wellFormed('\ude00\ud83d!')).toBe('\uFFFD\uFFFD!')
  expect(wellFormed({ a: ['x', { '\ud800': '\udc00' }] })).toEqual({ a: ['x', { '\uFFFD': '\uFFFD' }] })
  expect(wellFormed('{"a":"\\ud83d","n":12345678901234567890}')).toBe('{"a":"\uFFFD","n":12345678901234567890}')
  const json = JSON.stringify({ a: JSON.stringify({ b: 'c\ud800' }) })
  expect(JSON.parse(JSON.parse(wellFormed(json)).a)).toEqual({ b: 'c\uFFFD' })
})

it('returns what has none as it is', () => {
  const date = new Date(0)
  const tool = { name: '😀', fn: () => 1, date, big: 5n, list: [null, undefined, 1, '{"a":"\\ud83d\\ude00"}'] }
  expect(wellFormed(tool)).toBe(tool)
  for (const text of ['', '{\\ud83d', '{"a":"\\\\ud83d"}', '\\ud83d']) expect(wellFormed(text)).toBe(text)
  const own = JSON.parse('{"__proto__":{"a":"\\ud800"}}')
  expect(Object.keys(wellFormed(own))).toEqual(['__proto__'])
})
