import { expect, it } from 'vitest'
import { safeName } from './safe-name.ts'

it.each(['a', 'images', 'ä 漢.json', '...', '.hidden', 'x'.repeat(200)])('the name %j is safe', (name) => {
  expect(safeName('A.b', name)).toBe(name)
})

it.each([
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  'C:x',
  'a\0',
  'a\nb',
  'a\u0085',
  '\ud800',
  'x'.repeat(201),
  '漢'.repeat(67),
  5,
  null,
  ['a'],
])('the name %j is refused, with its place', (name) => {
  expect(() => safeName('A.b', name)).toThrow(
    expect.objectContaining({ code: 'model_validation', message: expect.stringContaining('A.b: expected a name') }),
  )
})

it('a hash has its digits only', () => {
  expect(safeName('blob', '0af9', { as: 'hash' })).toBe('0af9')
  for (const name of ['', 'AF', '../x', '0g', '.'])
    expect(() => safeName('blob', name, { as: 'hash' })).toThrow('expected the digits of a hash')
})

it('an identifier may contain separators, and nothing that a database does not store', () => {
  expect(safeName('table', 'a/b "c"', { as: 'identifier' })).toBe('a/b "c"')
  for (const name of ['', 'a\0', '\ud800', 'x'.repeat(11)])
    expect(() => safeName('table', name, { as: 'identifier', maxBytes: 10 })).toThrow('of 1 to 10 bytes')
})
