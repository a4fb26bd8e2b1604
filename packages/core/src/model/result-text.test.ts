import { describe, expect, it } from 'vitest'
import { resultText } from './result-text.ts'

class Point {
  #x = 1
  toString() {
    return `(${this.#x})`
  }
}

describe('resultText', () => {
  it.each<[string, unknown, string]>([
    ['a string', 'text', 'text'],
    ['nothing', undefined, 'null'],
    ['an object', { a: [1, null] }, '{"a":[1,null]}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a bigint', { n: 2n ** 64n }, '{"n":18446744073709551616}'],
    ['a map', new Map([['a', new Map([['b', 1]])]]), '{"a":{"b":1}}'],
    ['a map with other keys', new Map([[1, 'x']]), '[[1,"x"]]'],
    ['a set', { tags: new Set(['a', 'b']) }, '{"tags":["a","b"]}'],
    ['an error in an object', { failed: new TypeError('no') }, '{"failed":"TypeError: no"}'],
    ['bytes', { data: new Uint8Array(5) }, '{"data":"[5 bytes]"}'],
    ['search parameters', new URLSearchParams({ a: '1' }), 'a=1'],
    ['an object with hidden fields', new Point(), '(1)'],
    ['an empty object', {}, '{}'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
  ])('writes %s', (_, value, text) => {
    expect(resultText(value)).toBe(text)
  })

  it('writes a value that contains itself as [Circular], and repeated values in full', () => {
    const self: unknown[] = [1]
    self.push(self, new Map([['me', self]]))
    expect(resultText(self)).toBe('[1,"[Circular]",{"me":"[Circular]"}]')
    const twice = { a: 1 }
    expect(resultText([twice, twice])).toBe('[{"a":1},{"a":1}]')
  })

  it('writes 200 levels around a bigint', () => {
    const nested = (levels: number) => {
      let value: unknown = 1n
      for (let i = 0; i < levels; i++) value = [value]
      return resultText(value)
    }
    expect([nested(201).includes('1'), nested(202).includes('[…]')]).toEqual([true, true])
    expect(nested(201)).not.toContain('…')
  })

  it('never throws', () => {
    const throwing = {
      get a(): never {
        throw new Error('no')
      },
    }
    expect(resultText(throwing)).toBe('[a result that cannot be written as JSON: no]')
    let deep: unknown = 1n
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(resultText(deep)).toContain('[…]')
  })
})
