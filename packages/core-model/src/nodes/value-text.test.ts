import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'
import { TextNode } from './text-node.ts'
import { quotedText, valueText } from './value-text.ts'

describe('valueText', () => {
  it.each<[unknown, string]>([
    ['as it is \n "x"', 'as it is \n "x"'],
    [null, 'None'],
    [[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], '[nan, inf, -inf]'],
    [undefined, 'None'],
    [true, 'True'],
    [false, 'False'],
    [0, '0'],
    [-0, '0'],
    [42, '42'],
    [-7, '-7'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [1234567890123456789n, '1234567890123456789'],
    [[-(2n ** 63n), 1e16], '[-9223372036854775808, 1e+16]'],
    [2 ** 53, '9007199254740992.0'],
    [9.5e15, '9500000000000000.0'],
    [1e16, '1e+16'],
    [1e20, '1e+20'],
    [1.5e300, '1.5e+300'],
    [-1.5e300, '-1.5e+300'],
    [123456789012345680000, '1.2345678901234568e+20'],
    [0.5, '0.5'],
    [0.1, '0.1'],
    [-2.75, '-2.75'],
    [0.0001, '0.0001'],
    [0.00012, '0.00012'],
    [0.00001, '1e-05'],
    [0.000025, '2.5e-05'],
    [1e-7, '1e-07'],
    [-1.25e-7, '-1.25e-07'],
    [5e-324, '5e-324'],
    [1.7976931348623157e308, '1.7976931348623157e+308'],
    [[], '[]'],
    [{}, '{}'],
    [['a', 1, null, true, [0.5]], "['a', 1, None, True, [0.5]]"],
    [{ b: 'x', a: { c: [] } }, "{'b': 'x', 'a': {'c': []}}"],
    [{ "it's": 1 }, '{"it\'s": 1}'],
  ])('%s is %s', (value, text) => {
    expect(valueText(value)).toBe(text)
  })
})

describe('a string inside an array or object', () => {
  it.each([
    ['', "''"],
    ['plain', "'plain'"],
    ["it's", '"it\'s"'],
    ['say "hi"', `'say "hi"'`],
    [`it's "x"`, `'it\\'s "x"'`],
    ['back\\slash', "'back\\\\slash'"],
    ["'\\", `"'\\\\"`],
    ['a\nb\rc\td', "'a\\nb\\rc\\td'"],
    ['\u0000\u001b\u007f', "'\\x00\\x1b\\x7f'"],
    ['\u0085\u00a0\u00ad', "'\\x85\\xa0\\xad'"],
    ['\u200b\u2028\u3000\ufeff', "'\\u200b\\u2028\\u3000\\ufeff'"],
    ['\u{e0001}\u{10ffff}', "'\\U000e0001\\U0010ffff'"],
    ['\ud800', "'\\ud800'"],
    ['ä北京 \u{1f600} e\u0301', "'ä北京 \u{1f600} e\u0301'"],
  ])('%j is quoted as %s', (value, text) => {
    expect(quotedText(value)).toBe(text)
  })
})

describe('numbers', () => {
  it('are read back unchanged', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => Number(valueText(value)) === value),
    )
  })

  it('are floats if they were read from the text of one', () => {
    const metadata = '{"a": 1.0, "b": [1e+16, -0.0, 2], "c": {"d": 1e5}, "e": 1}'
    const node = TextNode.fromJson(`{"text": "t", "metadata": ${metadata}}`)
    const shown = "a: 1.0\nb: [1e+16, -0.0, 2]\nc: {'d': 100000.0}\ne: 1"
    expect(node.getMetadataStr()).toBe(shown)
    expect(node.hash).toBe(sha256("t{'a': 1.0, 'b': [1e+16, -0.0, 2], 'c': {'d': 100000.0}, 'e': 1}"))
    expect(TextNode.fromDict(node.toDict()).hash).toBe(node.hash)
    expect(new TextNode({ text: 't', metadata: { a: 1 } }).getMetadataStr()).toBe('a: 1')
    node.metadata['a'] = 2
    expect(node.getMetadataStr()).toContain('a: 2\n')
  })

  it('have an exponent of at least two digits below 1e-4 and from 1e16, and no exponent otherwise', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const size = Math.abs(value)
        const text = valueText(value)
        if (value === 0 || Number.isSafeInteger(value)) expect(text).toMatch(/^-?\d+$/)
        else if (size < 1e-4 || size >= 1e16) expect(text).toMatch(/^-?\d(\.\d+)?e[+-]\d{2,}$/)
        else expect(text).toMatch(/^-?\d+\.\d+$/)
      }),
    )
  })
})
