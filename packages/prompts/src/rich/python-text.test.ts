import { describe, expect, it } from 'vitest'
import { RichPromptTemplate } from './rich-prompt-template.ts'

const shown = (templateStr: string, x: unknown): string => new RichPromptTemplate({ templateStr }).format({ x })

describe('a value in a text', () => {
  it.each([
    [[null, true, false, 2.5], '[None, True, False, 2.5]'],
    [{ a: "it's", b: ['"', '\\\n\t\u0001'] }, `{'a': "it's", 'b': ['"', '\\\\\\n\\t\\x01']}`],
    [[`'"`], `['\\'"']`],
    [[0.00001, 1e21, 12345678901234567890n], '[1e-05, 1e+21, 12345678901234567890]'],
  ])('%o is written as Python writes it', (value, text) => expect(shown('{{ x }}', value)).toBe(text))
})

describe('tojson', () => {
  it.each([
    [{ b: [], a: { c: null } }, '{"a": {"c": null}, "b": []}'],
    [{}, '{}'],
    [[12345678901234567890n, 'é<'], '[12345678901234567890, "\\u00e9\\u003c"]'],
  ])('writes %o with sorted keys', (value, text) => expect(shown('{{ x | tojson }}', value)).toBe(text))

  it('indents', () => expect(shown('{{ x | tojson(indent=2) }}', { a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}'))
})

describe('tests of values', () => {
  it.each([
    ['x is gt 3', 4, 'yes'],
    ['x is ge 4', 4, 'yes'],
    ['x is lt 4', 4, 'no'],
    ['x is le 4', 4, 'yes'],
    ['x is odd', 4, 'no'],
    ['x is divisibleby 2', 4, 'yes'],
    ['x is ne 4', 4, 'no'],
    ['x is equalto 4', 4, 'yes'],
    ['x is in [1, 4]', 4, 'yes'],
  ])('%s', (test, value, text) => expect(shown(`{% if ${test} %}yes{% else %}no{% endif %}`, value)).toBe(text))

  it('an unknown filter in map is refused', () =>
    expect(() => shown('{{ x | map("nope") | join }}', [1])).toThrow('the filter nope is not known'))
})
