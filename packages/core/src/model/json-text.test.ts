import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { thrownBy } from '../../../../tools/thrown.ts'
import { fields, freeForm, number } from '../fields.ts'
import { JsonTextError, readJsonText } from './json-reader.ts'
import { compactJson, jsonEnd, jsonOr, parseExactly, writeJsonText } from './json-text.ts'
import { Model } from './model.ts'
import { deepCopy, mapItems } from './plain.ts'

/** Parses a string with `parseExactly` and with `readJsonText`, which must return the same. */
function exactly(text: string): unknown {
  const [parsed] = parseExactly(`[${text}, 12345678901234567890]`) as unknown[]
  const [read] = readJsonText(`[${text}, NaN]`, { nonFinite: true }) as unknown[]
  expect(read).toEqual(parsed)
  return parsed
}

describe('reading integers', () => {
  it.each<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740992', -9007199254740992n],
    ['1234567890123456789', 1234567890123456789n],
    ['-18446744073709551616', -18446744073709551616n],
    ['1700000000000000', 1700000000000000],
    [`1${'0'.repeat(400)}`, 10n ** 400n],
  ])('%s is exact', (text, value) => {
    expect(readJsonText(text)).toBe(value)
    expect(readJsonText(` {"a":\n [1,${text} ] } `)).toEqual({ a: [1, value] })
  })

  it.each<[string, number]>([
    ['9007199254740993.0', 9007199254740992],
    ['1e+16', 1e16],
    ['1E22', 1e22],
    ['0.12345678901234567', 0.12345678901234566],
    ['12345678901234567.5', 12345678901234568],
    ['1e-400', 0],
    ['-1.5e308', -1.5e308],
  ])('%s is a number', (text, value) => {
    expect(readJsonText(text)).toBe(value)
    expect(exactly(text)).toBe(value)
  })

  it('does not change digits in strings and keys', () => {
    const text =
      '{"12345678901234567890": "12345678901234567890", "b": "[1234567890123456789\\"", "c": 12345678901234567890}'
    expect(readJsonText(text)).toEqual({
      '12345678901234567890': '12345678901234567890',
      b: '[1234567890123456789"',
      c: 12345678901234567890n,
    })
  })

  it.each([1, 499, 500, 501, 1_000])('is exact %i levels deep', (levels) => {
    let value = parseExactly(`${'[{"a":'.repeat(levels)}12345678901234567890${'}]'.repeat(levels)}`)
    for (let level = 0; level < levels; level++) value = (value as [{ a: unknown }])[0].a
    expect(value).toBe(12345678901234567890n)
  })

  it.each(['1e400', '-1E+309', `${'9'.repeat(310)}.5`, '9'.repeat(4301)])('rejects %s with its position', (text) => {
    expect(() => readJsonText(`{"a": ${text}}`)).toThrow(
      `position 6 (line 1, column 7): expected a finite number of at most 4300 digits, received ${text.slice(0, 20)}`,
    )
  })

  it('accepts as many digits as Python', () => {
    expect(readJsonText('9'.repeat(4300))).toBe(10n ** 4300n - 1n)
  })
})

describe('numbers as Python writes them', () => {
  const text =
    '{"a":1.0,"b":[1.50,2,-0.0,{"c":1e-05}],"d":1e+16,"__proto__":2.0,"constructor":1e22,"e":"x 1.0, 2.0","f":[[3.0]],"g":0.1}'

  it('are written again as they were, also from copies', () => {
    const read = parseExactly(text)
    expect(read).toEqual(JSON.parse(text))
    for (const data of [read, deepCopy(read), mapItems(read, deepCopy)]) expect(writeJsonText(data)).toBe(text)
    expect(writeJsonText(read, { sortKeys: true })).toContain(
      '"a":1.0,"b":[1.50,2,-0.0,{"c":1e-05}],"constructor":1e22',
    )
    // The slower reader does the same.
    expect(
      writeJsonText((readJsonText(`[${text}, 1.0, {"n": NaN}]`, { nonFinite: true }) as unknown[]).slice(0, 2)),
    ).toBe(`[${text},1]`)
  })

  it('are numbers: another value has its own text', () => {
    const read = parseExactly('{"a":1.0,"b":[1.0,2.0],"c":0.0}') as { a: unknown; b: number[]; c?: number }
    read.a = 2
    read.b.pop()
    read.b.unshift(5)
    delete read.c
    expect(writeJsonText(read)).toBe('{"a":2,"b":[5,1]}')
    expect(Object.keys(read)).toEqual(['a', 'b'])
    expect(JSON.stringify(parseExactly('[1.0]'))).toBe('[1]')
  })

  it('are those of a model, where they did not change', () => {
    class Scored extends fields(Model, 'Scored', { score: number(), data: freeForm({ default: {} }) }) {}
    const written = '{"score":1.0,"data":{"a":[2.0]},"class_name":"Scored"}'
    const read = Scored.fromJson(written)
    for (const one of [read, read.copy(), read.copy({ deep: true }), Scored.fromDict(read.toDict())])
      expect(one.toJson()).toBe(written)
    expect(read.copy({ update: { score: 3 } }).toJson()).toBe('{"score":3,"data":{"a":[2.0]},"class_name":"Scored"}')
    expect(read.toDict()).toEqual({ score: 1, data: { a: [2] }, class_name: 'Scored' })
  })
})

describe('writing what JSON.stringify writes', () => {
  it.each<[unknown, string]>([
    [[undefined, -0, { a: undefined, b: [undefined] }], '[null,0,{"b":[null]}]'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [{ a: [2 ** 53 - 1, 2 ** 53, 5n] }, '{"a":[9007199254740991,9.007199254740992e+15,5]}'],
  ])('writes %o as %s', (value, text) => expect(writeJsonText(value)).toBe(text))

  it.each([undefined, () => 1, Symbol('a'), new Date(0), { toJSON: () => 1 }, Number.NaN])(
    'rejects %o, which JSON.stringify omits or converts',
    (value) => {
      expect(thrownBy(() => writeJsonText(value))).toMatchObject({ code: 'serialization' })
      if (value !== undefined)
        expect(thrownBy(() => writeJsonText([{ a: value }]))).toMatchObject({ code: 'serialization' })
    },
  )
})

describe('reading what JSON.parse reads', () => {
  it('returns the same values', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, '\t'), (text, indent) => {
        const spaced = writeJsonText(JSON.parse(text), { indent })
        expect(exactly(spaced)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('keeps __proto__ as an ordinary key, and uses the last of duplicate keys', () => {
    const value = exactly('{"a": 1, "__proto__": {"polluted": true}, "a": 2}')
    expect(value).toEqual(JSON.parse('{"a": 2, "__proto__": {"polluted": true}}'))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('reads escape sequences and lone surrogates', () => {
    expect(exactly(String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800"`)).toBe('"\\/\b\f\n\r\té😀\ud800')
    expect(exactly(String.raw`["\\", "\\\\\""]`)).toEqual(['\\', '\\\\"'])
  })

  it('rejects the same strings as JSON.parse', () => {
    const parts = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'a',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      '01',
      'true',
      ' ',
      '\u0001',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (tokens) => {
        const text = tokens.join('')
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        if (isJson) expect(exactly(text)).toEqual(JSON.parse(text))
        else expect(thrownBy(() => readJsonText(text))).toBeInstanceOf(JsonTextError)
      }),
      { numRuns: 2000 },
    )
  })

  it('accepts any nesting depth', () => {
    const depth = 200_000
    expect(() => readJsonText(`${'['.repeat(depth)}12345678901234567890${']'.repeat(depth)}`)).not.toThrow()
  })
})

describe('the position of a syntax error', () => {
  it.each<[string, number, string]>([
    ['', 0, 'expected a value, received the end of the text'],
    ['{"a": 1', 7, 'expected "," or "}", received the end of the text'],
    ['[1 2]', 3, 'expected "," or "]", received "2"'],
    ['[1,]', 3, 'expected a value, received "]"'],
    ['{"a" 1}', 5, 'expected ":", received "1"'],
    ['{a: 1}', 1, 'expected a key in double quotes, received "a"'],
    ['{"a": 1,}', 8, 'expected a key in double quotes, received "}"'],
    ['[1] 2', 4, 'expected the end of the text, received "2"'],
    ['[01]', 2, 'expected "," or "]", received "1"'],
    ['["a]', 4, 'expected the rest of a string, received the end of the text'],
    [String.raw`["\\ab\x"]`, 6, String.raw`expected the rest of a string, received "\\"`],
    ['["a\tb"]', 3, String.raw`expected the rest of a string, received "\t"`],
    ['[NaN]', 1, 'expected a value, received NaN'],
    ['[-Infinity]', 1, 'expected a value, received -Infinity'],
    ['[😀]', 1, 'expected a value, received "😀"'],
  ])('%j', (text, position, reason) => {
    expect(thrownBy(() => readJsonText(text))).toMatchObject({ position })
    expect(() => readJsonText(text)).toThrow(`: ${reason}`)
  })

  it('is also reported as line and column', () => {
    expect(() => readJsonText('{\n  "a": 1,\n  b: 2\n}')).toThrow(
      'position 14 (line 3, column 3): expected a key in double quotes, received "b"',
    )
  })
})

describe('NaN and infinities', () => {
  it('are accepted with nonFinite: true', () => {
    expect(readJsonText('[NaN, Infinity, -Infinity, "NaN"]', { nonFinite: true })).toEqual([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      'NaN',
    ])
    expect(() => readJsonText('[-NaN]', { nonFinite: true })).toThrow('position 1 ')
    expect(() => readJsonText('[NaN, 1e400]', { nonFinite: true })).toThrow('position 6 ')
  })
})

describe('writeJsonText', () => {
  // The output of json.dumps of Python is in the middle; a float has the same value.
  it.each<[unknown, string]>([
    [12345678901234567890n, '12345678901234567890'],
    [-(2n ** 63n), '-9223372036854775808'],
    [1e16, '1e+16'],
    [-9007199254740994, '-9.007199254740994e+15'],
    [9007199254740991, '9007199254740991'],
    [1e21, '1e+21'],
    [1e300, '1e+300'],
    [1.5e-7, '1.5e-7'],
    [0.1, '0.1'],
    [5n, '5'],
  ])('writes %s as %s', (value, text) => {
    expect(writeJsonText(value)).toBe(text)
    expect(writeJsonText([value, 1n])).toBe(`[${text},1]`)
  })

  it('writes JSON that is read back with the same types', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    const odd = fc.tuple(number, fc.integer({ min: 0, max: 60 })).map(([value, power]) => value * 2 ** power)
    const large = fc.oneof(fc.bigInt({ min: 2n ** 53n }), fc.bigInt({ max: -(2n ** 53n) }))
    const value = fc.oneof(number, odd.filter(Number.isFinite), fc.maxSafeInteger(), large, fc.string())
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(value)), fc.constantFrom(0, 2), (data, indent) => {
        expect(readJsonText(writeJsonText(data, { indent }))).toEqual(data)
      }),
    )
  })

  it('indents and sorts like JSON.stringify', () => {
    const data = { b: [1, { c: 'x', a: [] }], a: {}, d: undefined, e: null }
    for (const indent of [0, 1, 4, 20, '\t', '', ' -- '])
      expect(writeJsonText({ ...data, n: 7n }, { indent })).toBe(JSON.stringify({ ...data, n: 7 }, null, indent))
    expect(writeJsonText({ b: 1n, a: { d: 1, c: 2 } }, { sortKeys: true })).toBe('{"a":{"c":2,"d":1},"b":1}')
  })

  it('refuses data that contain themselves, in linear time', () => {
    const self: Record<string, unknown> = {}
    Object.assign(self, { a: 1n, b: [self], c: self })
    expect(thrownBy(() => writeJsonText(self))).toMatchObject({ code: 'serialization', field: 'b[0].b[0].b' })
    expect(() => compactJson(self)).toThrow('it is circular, or nested too deeply')
  })

  it('writes undefined like JSON.stringify', () => {
    const data = { a: undefined, b: [undefined, [undefined]], n: 7 }
    expect(writeJsonText({ ...data, n: 7n })).toBe(JSON.stringify(data))
  })

  it('names the value that has no JSON form', () => {
    const nan = { notes: { 'a b': [1, { score: Number.NaN }] } }
    expect(thrownBy(() => writeJsonText(nan, {}, ['Store']))).toMatchObject({
      code: 'serialization',
      field: 'Store.notes.a b[1].score',
    })
  })
})

it('returns a value instead of a string that is not JSON', () => {
  expect([jsonOr('null', 1), jsonOr('{"a":1'), jsonOr('so', 'so')]).toEqual([null, undefined, 'so'])
})

describe('jsonEnd', () => {
  it.each([
    ['{"a": {"b": 1}} c', 0, 15],
    ['[[1], "]"] c', 0, 10],
    ['{"a": "}\\"}"} c', 0, 13],
    ['{"a": [}', 0, 8],
    ['{"a": 1', 0, -1],
    ['a {} {', 5, -1],
  ])('finds the end of %s', (text, start, end) => {
    expect(jsonEnd(text, start)).toBe(end)
  })

  it('knows other quotes', () => {
    expect(jsonEnd("{'a': '}'}", 0, `"'`)).toBe(10)
    expect(jsonEnd('{“a”: “}”}', 0, '"“')).toBe(10)
  })
})

describe('time', () => {
  it('reads strings with millions of escapes beside large integers', () => {
    const text = '\n'.repeat(8_000_000)
    const json = `{"id":12345678901234567890,"end":"\\\\","text":${JSON.stringify(text)},"n":-9007199254740993}`
    const read = readJsonText(json) as Record<string, unknown>
    expect([read['id'], read['end'], read['n']]).toEqual([12345678901234567890n, '\\', -9007199254740993n])
    expect(read['text'] === text).toBe(true)
  })

  it.each<[string, (size: number) => string]>([
    ['integers', (size) => `[${'12345678901234567890,'.repeat(size)}1]`],
    ['a string with quotes', (size) => `["${'\\"'.repeat(size)}", 12345678901234567890]`],
    ['a string with backslashes', (size) => `["${'\\\\'.repeat(size)}", 12345678901234567890]`],
    ['a string without an end', (size) => `["${'\\"'.repeat(size)}`],
    ['nested arrays', (size) => '['.repeat(size)],
    ['floats', (size) => `[${'1.0,2.50,1e-05,'.repeat(size)}1]`],
    [
      'a long fraction',
      (size) => `[0.${'0'.repeat(size)}1, 1${'0'.repeat(size)}.${'0'.repeat(size)}5e, 1.${'0'.repeat(size)}]`,
    ],
    ['text with floats', (size) => `["${'1.0, 2.0: '.repeat(size)}"]`],
    ['one long number', (size) => `[${'1'.repeat(size)}.5e`],
    ['digits', (size) => '1234567890'.repeat(size)],
    ['white space', (size) => `[${' '.repeat(size)}`],
  ])('is linear for %s', { tags: 'growth' }, async (_, make) => {
    expect(await growthOf((size) => readJsonText(make(size)), 2_000)).toBeLessThan(1.75)
  })
})
