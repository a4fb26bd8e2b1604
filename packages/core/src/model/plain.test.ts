import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withProto } from '../../../../tools/thrown.ts'
import { parseExactly, writeJsonText } from './json-text.ts'
import {
  copyLevel,
  deepCopy,
  deepEqual,
  isPlainObject,
  mapEntries,
  mapItems,
  mapValues,
  merge,
  own,
  type Path,
  pick,
  present,
} from './plain.ts'

describe('isPlainObject', () => {
  it('returns true for object literals, JSON objects and objects without a prototype', () => {
    expect([{}, JSON.parse('{"__proto__": 1}'), Object.create(null)].every(isPlainObject)).toBe(true)
  })

  it('returns false for arrays, functions, instances and scalars', () => {
    expect([[], () => {}, new Date(), new Map(), new (class A {})(), null, undefined, 'a', 1].some(isPlainObject)).toBe(
      false,
    )
  })
})

describe('deepCopy', () => {
  it('copies arrays and objects, and shares everything else', () => {
    const live = new Date(0)
    const value = { a: [{ b: 1 }], live }
    const copy = deepCopy(value)
    expect(copy).toEqual(value)
    expect(copy.a).not.toBe(value.a)
    expect(copy.a[0]).not.toBe(value.a[0])
    expect(copy.live).toBe(live)
  })

  it('returns an equal value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => deepEqual(deepCopy(value), value)))
  })
})

describe('mapValues', () => {
  it('keeps a key __proto__', () => {
    expect(Object.keys(mapValues(withProto(), (value) => value))).toEqual(Object.keys(withProto()))
  })
})

describe('mapEntries', () => {
  it('writes numbers that stay as they were read, also under another key', () => {
    const read = parseExactly('{"a": 1.0, "b": 2.0, "c": [3.0]}') as Record<string, unknown>
    const mapped = mapEntries(read, (key, value) => [key === 'a' ? '__proto__' : key, key === 'b' ? 5 : value])
    expect(writeJsonText(mapped)).toBe('{"__proto__":1.0,"b":5,"c":[3.0]}')
  })
})

describe('merge', () => {
  it('keeps the last value of each key, as it was written', () => {
    const read = (text: string) => parseExactly(text) as Record<string, unknown>
    const merged = merge(read('{"a": 1.0, "b": 1.0, "c": 0.50}'), read('{"b": 1, "d": {"e": 2.0}}'), { c: 3 })
    expect(writeJsonText(merged)).toBe('{"a":1.0,"b":1,"c":3,"d":{"e":2.0}}')
    expect([merge(), merge({ a: 1 })]).toEqual([{}, { a: 1 }])
    expect(Object.keys(merge(withProto(), {}))).toEqual(Object.keys(withProto()))
  })
})

describe('pick', () => {
  it('keeps entries as they were written', () => {
    const picked = pick(
      parseExactly('{"a": 1.0, "b": 2.0, "c": 1.0}') as Record<string, unknown>,
      (key, value) => key !== 'a' && value !== 2,
    )
    expect(writeJsonText(picked)).toBe('{"c":1.0}')
    expect(Object.keys(pick(withProto(), () => true))).toEqual(Object.keys(withProto()))
  })
})

describe('mapItems', () => {
  it('maps items and entries with their path, and returns undefined for other values', () => {
    const path: Path = ['a']
    const paths: string[] = []
    const map = (item: unknown, key: string | number) => {
      paths.push(path.join('.'))
      return `${String(item)}${key}`
    }
    expect([mapItems(['x', 'y'], map, path), mapItems({ b: 'x' }, map, path)]).toEqual([['x0', 'y1'], { b: 'xb' }])
    expect([mapItems('x', map), mapItems(new Map(), map), mapItems(null, map)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([paths, path]).toEqual([['a.0', 'a.1', 'a.b'], ['a']])
  })
})

it('copyLevel copies arrays and plain objects one level deep', () => {
  const [list, object, live] = [[{}], { a: {} }, new Date(0)]
  const [first, second] = [copyLevel(list) as object[], copyLevel(object) as { a: object }]
  expect([first, second]).toEqual([list, object])
  expect([first === list, first[0] === list[0]]).toEqual([false, true])
  expect([second === object, second.a === object.a]).toEqual([false, true])
  expect([copyLevel(live), copyLevel('a'), copyLevel(null)]).toEqual([live, 'a', null])
})

it('own reads no inherited property, and present leaves out null and undefined', () => {
  expect([own({ a: 1 }, 'a'), own({}, 'toString'), own(['x'], 0), own(['x'], 1)]).toEqual([
    1,
    undefined,
    'x',
    undefined,
  ])
  const data = { a: 0, b: null, c: undefined, d: '', e: false }
  expect(Object.keys(present(data))).toEqual(['a', 'd', 'e'])
  expect(Object.keys(data)).toHaveLength(5)
})

describe('deepEqual', () => {
  it.each([
    ['key order does not count', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['an absent key equals undefined', { a: 1, b: undefined }, { a: 1 }, true],
    ['an absent key equals undefined, even if it is named like a method', { toString: undefined }, {}, true],
    ['null is a value', { a: null }, {}, false],
    ['the order of items matters', [1, 2], [2, 1], false],
    ['a longer list differs', [1], [1, undefined], false],
    ['an array differs from an object', [], {}, false],
    ['a key __proto__ counts', withProto({}), {}, false],
    ['a key __proto__ counts from both sides', {}, withProto({}), false],
    ['the same hostile keys are equal', withProto(), withProto(), true],
    ['NaN equals itself', [Number.NaN], [Number.NaN], true],
    ['zeros are equal', 0, -0, true],
  ])('%s', (_, a, b, expected) => {
    expect(deepEqual(a, b)).toBe(expected)
  })

  it('agrees with a comparison of JSON strings with sorted keys', () => {
    const sorted = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(sorted)
        : isPlainObject(value)
          ? Object.fromEntries(Object.entries(mapValues(value, sorted)).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value
    const small = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constantFrom(0, 1, 'a', null),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
      ),
    })).value
    fc.assert(
      fc.property(
        small,
        small,
        (a, b) => deepEqual(a, b) === (JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))),
      ),
      { numRuns: 1000 },
    )
  })
})
