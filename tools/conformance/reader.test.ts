import { describe, expect, it } from 'vitest'
import {
  boolean,
  CaseFormError,
  dictionary,
  either,
  list,
  literal,
  named,
  nullable,
  number,
  optional,
  Place,
  pair,
  shape,
  string,
  variants,
} from './reader.ts'

const at = () => new Place('given')

describe('a value of another form', () => {
  const step = shape({ name: string, count: optional(number), tags: list(string) })

  it.each([
    [{ name: 1, tags: [] }, 'given.name: expected a string, received 1'],
    [{ tags: [] }, 'given.name: expected a string, received nothing'],
    [{ name: 'a', tags: ['x', 2] }, 'given.tags[1]: expected a string, received 2'],
    [{ name: 'a', tags: {} }, 'given.tags: expected a list, received {}'],
    [{ name: 'a', tags: [], count: null }, 'given.count: expected a number, received null'],
    [[], 'given: expected an object, received []'],
  ])('is refused with its place: %j', (value, message) => {
    expect(() => step(value, at())).toThrow(
      expect.toSatisfy((error) => error instanceof CaseFormError && error.message === message),
    )
  })

  it('is shown in short', () => {
    expect(() => number('x'.repeat(500), at())).toThrow(`received "${'x'.repeat(79)}…`)
  })
})

describe('shape', () => {
  it('returns only the keys that are there', () => {
    const read = shape({ a: optional(string), b: optional(string) })({ a: 'x' }, at())
    expect(Object.keys(read)).toEqual(['a'])
  })

  it('notes the keys that it does not know, also in nested objects', () => {
    const place = at()
    shape({ a: list(shape({ b: string })) })({ a: [{ b: 'x', c: 1 }], d: 2 }, place)
    expect(place.unread).toEqual(['given.a[0].c', 'given.d'])
  })
})

describe('variants', () => {
  const prompt = variants('type', { text: { template: string }, chat: { messages: list(string) } }, 'text')

  it('reads by the tag, or the default one', () => {
    expect(prompt({ type: 'chat', messages: ['a'] }, at())).toEqual({ type: 'chat', messages: ['a'] })
    expect(prompt({ template: 'x' }, at())).toEqual({ type: 'text', template: 'x' })
  })

  it('refuses an unknown tag', () => {
    expect(() => prompt({ type: 'image' }, at())).toThrow('given.type: expected one of text, chat, received "image"')
  })
})

describe('the other readers', () => {
  it('read pairs, dictionaries, null, literals and names', () => {
    expect(pair(string, boolean)(['a', true], at())).toEqual(['a', true])
    expect(() => pair(string, boolean)(['a'], at())).toThrow('given: expected a pair, received ["a"]')
    expect(dictionary(number)({ a: 1 }, at())).toEqual({ a: 1 })
    expect(() => dictionary(number)({ a: 'x' }, at())).toThrow('given.a: expected a number')
    expect(nullable(string)(null, at())).toBeNull()
    expect(() => literal('a', 'b')('c', at())).toThrow('given: expected one of a, b, received "c"')
    expect(named({ one: 1 })('one', at())).toBe(1)
    expect(() => named({ one: 1 })('toString', at())).toThrow('given: expected one of one, received "toString"')
  })

  it('read one of two forms', () => {
    const text = either('a string or a list', string, list(string))
    expect(text(['a'], at())).toEqual(['a'])
    expect(() => text(1, at())).toThrow('given: expected a string or a list, received 1')
  })
})
