import { describe, expect, it } from 'vitest'
import { differences, expectThrows, Mismatch, showDifferences } from './compare.ts'
import { CaseError } from './given.ts'

const paths = (...input: Parameters<typeof differences>) => differences(...input).map(({ path }) => path)

describe('differences', () => {
  it('finds none between equal values, with keys in any order', () => {
    expect(differences({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toEqual([])
  })

  it('names every place that differs', () => {
    expect(differences({ a: 1, b: [1, 2], c: { d: 'x' } }, { a: 2, b: [1, 3], c: { d: 'y' } })).toEqual([
      { path: 'value.a', expected: 2, received: 1 },
      { path: 'value.b[1]', expected: 3, received: 2 },
      { path: 'value.c.d', expected: 'y', received: 'x' },
    ])
  })

  it('names elements and keys that one side lacks', () => {
    expect(differences({ list: [1, 2], more: true }, { list: [1], less: true })).toEqual([
      { path: 'value.list[1]', expected: undefined, received: 2 },
      { path: 'value.less', expected: true, received: undefined },
      { path: 'value.more', expected: undefined, received: true },
    ])
  })

  it('treats an element that is missing as different from one that is undefined', () => {
    expect(paths([undefined], [])).toEqual(['value[0]'])
  })

  it('accepts numbers within 1e-9 relative, and -0 for 0', () => {
    expect(differences([1e6 + 1e-4, -0], [1e6, 0])).toEqual([])
    expect(paths(1e6 + 1e-2, 1e6)).toEqual(['value'])
  })

  it('treats undefined as absent, and null as a value', () => {
    expect(differences({ a: undefined }, {})).toEqual([])
    expect(paths({}, { a: null })).toEqual(['value.a'])
    expect(paths({ a: null }, {})).toEqual(['value.a'])
  })

  it('accepts an absent value for null where the area says so, but not null for an absent value', () => {
    expect(differences({}, { a: null }, { nullIsAbsent: true })).toEqual([])
    expect(paths({ a: null }, {}, { nullIsAbsent: true })).toEqual(['value.a'])
  })

  it('distinguishes lists, objects and strings', () => {
    expect(paths([], {})).toEqual(['value'])
    expect(paths({}, [])).toEqual(['value'])
    expect(paths('1', 1)).toEqual(['value'])
  })
})

describe('matchers', () => {
  const matchers = { matchers: true }

  it('accept anything for $any, also an absent value', () => {
    expect(differences({ a: 1 }, { a: { $any: true }, b: { $any: true } }, matchers)).toEqual([])
  })

  it('match strings by start and parts', () => {
    const pattern = { $match: { starts_with: 'Error', contains: ['tool', 'add'] } }
    expect(differences('Error: the tool add failed', pattern, matchers)).toEqual([])
    expect(paths('Error: the tool failed', pattern, matchers)).toEqual(['value'])
    expect(paths('An Error: tool add', pattern, matchers)).toEqual(['value'])
    expect(paths(1, pattern, matchers)).toEqual(['value'])
  })

  it('compare JSON text by its value', () => {
    expect(differences('{"a": [1.0]}', { $json: { a: [1] } }, matchers)).toEqual([])
    expect(paths('{"a": 2}', { $json: { a: 1 } }, matchers)).toEqual(['value (as JSON).a'])
    expect(paths('{', { $json: {} }, matchers)).toEqual(['value'])
  })

  it('are plain values in other areas', () => {
    expect(paths(1, { $any: true })).toEqual(['value'])
  })
})

describe('expectThrows', () => {
  const fail = () => {
    throw new RangeError('too long')
  }

  it('accepts the named error, and any error for *', async () => {
    await expectThrows(fail, 'RangeError')
    await expectThrows(fail, '*')
    await expectThrows(async () => fail())
  })

  it('refuses another error with its message', async () => {
    await expect(expectThrows(fail, 'TypeError')).rejects.toMatchObject({
      differences: [{ path: 'thrown error', expected: 'TypeError', received: 'RangeError: too long' }],
    })
  })

  it('refuses a value', async () => {
    await expect(expectThrows(() => 5)).rejects.toBeInstanceOf(Mismatch)
  })

  it('never counts a fault of the case as the expected error', async () => {
    const fault = new CaseError('expected a string')
    await expect(
      expectThrows(() => {
        throw fault
      }),
    ).rejects.toBe(fault)
  })
})

const show = (received: unknown, expected: unknown) => showDifferences(differences(received, expected)).join('\n')

describe('showDifferences', () => {
  it('shows path, expected and received value, and nothing that is equal', () => {
    expect(
      show({ text: 'a', score: 1, tags: ['x'] }, { text: 'b', score: 1, tags: ['x', 'y'] }),
    ).toMatchInlineSnapshot(`
      "value.text
        expected "b"
        received "a"
      value.tags[1]
        expected "y"
        received (nothing)"
    `)
  })

  it('is at most 20 lines long', () => {
    const many = Array.from({ length: 50 }, (_, index) => index)
    const lines = showDifferences(
      differences(
        many,
        many.map((each) => each + 1),
      ),
    )
    expect(lines).toHaveLength(19)
    expect(lines.at(-1)).toBe('… and 44 more differences')
  })

  it('shows long strings from just before the first difference', () => {
    const start = 'x'.repeat(500)
    expect(show(`${start} received${start}`, `${start} expected${start}`)).toMatchInlineSnapshot(`
      "value
        expected … "xxxxxxxxxxxxxxxxxxx expectedxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        received … "xxxxxxxxxxxxxxxxxxx receivedxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"
    `)
  })

  it('shows values without JSON form', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    expect(showDifferences([{ path: 'value', expected: 5n, received: cyclic }])).toEqual([
      'value',
      '  expected 5',
      '  received [object Object]',
    ])
  })
})
