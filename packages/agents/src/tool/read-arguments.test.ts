import { readJsonText, writeJsonText } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { readArguments, readCallArguments } from './read-arguments.ts'
import { ToolArgumentsError } from './tool-errors.ts'

describe('readArguments', () => {
  it('returns the same as readJsonText for every JSON object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(0, 2),
        fc.string(),
        (value, indent, tail) => {
          const text = JSON.stringify(value, null, indent)
          const read = readArguments(`${text}${tail}`)
          expect(writeJsonText(read.value)).toBe(writeJsonText(readJsonText(text)))
          expect(read.end).toBe(text.length)
        },
      ),
    )
  })

  it('parses the tolerant form like the strict form', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, false),
        fc.integer(),
        fc.stringMatching(/^[a-z ]*$/),
        fc.array(tie('any'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.stringMatching(/^[a-z]+$/), tie('any'), { maxKeys: 3 }),
    })).object as fc.Arbitrary<Record<string, unknown>>
    const loose = (item: unknown): string => {
      if (item === null) return 'None'
      if (typeof item === 'boolean') return item ? 'True' : 'False'
      if (typeof item === 'string') return `'${item}'`
      if (Array.isArray(item)) return `[${item.map((part) => `${loose(part)},`).join('\n')}]`
      if (typeof item === 'object')
        return `{${Object.entries(item)
          .map(([key, part]) => `${key}: ${loose(part)}, // c\n`)
          .join('')}}`
      return `${item}`
    }
    fc.assert(
      fc.property(value, (item) => {
        expect(readArguments(loose(item)).value).toEqual(item)
      }),
    )
  })

  it.each<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-1234567890123456789', -1234567890123456789n],
    ['0x7fffffffffffffff', 2n ** 63n - 1n],
    ['-0xffffffffffffffff', -(2n ** 64n - 1n)],
    ['0xff', 255],
    ['1e22', 1e22],
    ['-0', -0],
    ['1234567890123456789.5', 1234567890123456800],
    ['[1, {"id": 1234567890123456789}]', [1, { id: 1234567890123456789n }]],
  ])('keeps all digits of %s, in JSON and in the tolerant form', (text, value) => {
    if (!text.includes('0x')) expect(readArguments(`{"n": ${text}}`).value).toEqual({ n: value })
    expect(readArguments(`{'n': ${text},}`).value).toEqual({ n: value })
  })

  it('defines own properties for dangerous keys', () => {
    for (const text of ['{"__proto__": {"admin": true}}', "{'__proto__': {'admin': true}}"]) {
      const { value } = readArguments(text)
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(Object.keys(value)).toEqual(['__proto__'])
      expect(({} as { admin?: boolean }).admin).toBeUndefined()
    }
  })

  it.each([
    '{"x": NaN}',
    '{"x": Infinity}',
    '{"x": -Infinity}',
    '{"x": 1e999}',
    `{"x": ${'1'.repeat(250)}e99}`,
    '{"x": 1 + 2}',
    '{"x": 9**9}',
    '{"x": (1)}',
    '{"x": a.b}',
    '{"x"}',
    '{"x":}',
    '{,}',
    '{"x": 1,,}',
    '{"x": [1 2]}',
    '{"x": 01}',
    '{"x": 1.}',
    '{"x": .5}',
    '{"x": 1 /* open}',
    '{"x": /a */ 1}',
    "{'x': 'y}",
    '{{"x": 1}',
    '{"x": `y`}',
    '',
    '[1]',
    `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
  ])('rejects %s', (text) => {
    expect(() => readArguments(text)).toThrow(ToolArgumentsError)
  })

  it.each([
    ['{"x": -0x1F,}', { x: -31 }],
    ['{"path": "C:\\Users\\new"}', { path: 'C:\\Users\new' }],
    ['{"re": "\\d+\\u12"}', { re: '\\d+\\u12' }],
    ['{"x": "a" // why\n, y: 2}', { x: 'a', y: 2 }],
    ["{'x': 'caf\\u00e9'}", { x: 'café' }],
    ['{ $a-b: 1 }', { '$a-b': 1 }],
    ['{{ "x": {"y": 1} } }', { x: { y: 1 } }],
    ['{"x": "say "hi" now", "y": "a" /* b */}', { x: 'say "hi" now', y: 'a' }],
  ])('reads %s', (text, value) => {
    expect(readArguments(text).value).toEqual(value)
  })

  it('starts at the first brace or at the given offset, and returns the end of the object', () => {
    expect(readArguments('call {"a": 1} now')).toEqual({ value: { a: 1 }, end: 13 })
    expect(readArguments('{"a": 1}{"b": 2}', 8)).toEqual({ value: { b: 2 }, end: 16 })
  })

  it('throws an error with the position of the fault and the whole text', () => {
    const error = expect.objectContaining({ code: 'tool_arguments', message: expect.stringContaining('character 6') })
    expect(() => readArguments('x {"a": b}')).toThrow(error)
  })

  it.each([
    ['levels', (n: number) => '{"x":'.repeat(n)],
    ['open strings', (n: number) => `{'x': '${"' ".repeat(n)}`],
    ['backslashes', (n: number) => `{'x': '${'\\'.repeat(n)}`],
  ])('needs time linear in the text: many %s', async (_, make) => {
    const read = (size: number) => {
      try {
        readArguments(make(size))
      } catch {}
    }
    expect(await growthOf(read, 5_000)).toBeLessThan(1.75)
  })
})

describe('readCallArguments', () => {
  const read = (given: unknown) => readCallArguments({ id: 'a', name: 'add', arguments: given } as never)

  it('reads an object or the text of one, at most in a code fence', () => {
    const given = { n: 1 }
    expect(read(given)).toBe(given)
    for (const text of ['{"n": 1}', ' {n: 1} \n', '```json\n{"n": 1}\n```', '```{"n": 1}'])
      expect(read(text)).toEqual({ n: 1 })
    for (const text of ['', ' \n']) expect(read(text)).toEqual({})
  })

  it('refuses what is not one object', () => {
    for (const text of ['{"n": 1} {"n": 2}', '{"n": 1} and', '```json\n{"n": 1}\n``` and'])
      expect(() => read(text)).toThrow('expected one JSON object and nothing after it; the call was not made')
    expect(() => read('n is 1')).toThrow(/found no "{"\. Received "n is 1"\.$/)
    for (const value of [5, null, []]) expect(() => read(value)).toThrow('expected an object, received')
  })
})
