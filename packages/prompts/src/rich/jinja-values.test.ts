import { describe, expect, it } from 'vitest'
import { RichPromptTemplate } from './rich-prompt-template.ts'

const open = (templateStr: string, onMissing?: 'throw' | 'empty'): RichPromptTemplate =>
  new RichPromptTemplate({ templateStr, onMissing })

/** Each with the text of Jinja2 3.1.6, apart from `.0` of whole numbers. */
describe('expressions have the text of Python', () => {
  it.each([
    ['{{ "a\nb" | indent(-1) }}{{ "a\nb" | indent(2) }}', 'a\nba\n  b'],
    ['{{ "-" * 5 }}{{ 2 * "ab" }}{{ "a" * 0 }}{{ "a" * -1 }}', '-----abab'],
    ['{{ [0] * 3 }}{{ 2 * [1, 2] }}', '[0, 0, 0][1, 2, 1, 2]'],
    ['{{ true + true }} {{ true * "ab" }} {{ -true }}', '2 ab -1'],
    [
      '{{ 1 == true }} {{ 0 == false }} {{ 1 == "1" }} {{ none == 0 }} {{ [1] == [true] }}',
      'True True False False True',
    ],
    ['{{ {"a": 1, "b": 2} == {"b": 2, "a": 1} }} {{ [1, 2] == [2, 1] }} {{ d == {"k": 1} }}', 'True False True'],
    ['{{ [1, 10] < [1, 9] }} {{ "b" > "a" }} {{ [1] < [1, 2] }} {{ "🎉" > "￿" }}', 'False True True True'],
    ['{{ ["🎉", "￿", "a"] | sort }}', "['a', '\\uffff', '🎉']"],
    ['{{ [[1], [2]] | sum(start=[]) }} {{ [1, 2] | sum(start=10) }}', '[1, 2] 13'],
    [
      '{{ "a,b,c".split(",", 1) }} {{ "a,b".split(",", 5) }} {{ "a,b".split(",", 0) }}',
      "['a', 'b,c'] ['a', 'b'] ['a,b']",
    ],
    ['{{ "a-b-c" | replace("-", "_", 1) }} {{ "a-b-c".replace("-", "_", 1) }}', 'a_b-c a_b-c'],
    [
      '{{ {"a": "x y", "b/": 1} | urlencode }} {{ [["a", "é"]] | urlencode }} {{ "a b/c!" | urlencode }}',
      'a=x+y&b%2F=1 a=%C3%A9 a%20b/c%21',
    ],
    [
      '{{ 3.15 | round(1) }} {{ 2.675 | round(2) }} {{ 1234 | round(-2) }} {{ 1250 | round(-2) }} {{ -2.5 | round }} {{ 0.5 | round(20) }}',
      '3.1 2.67 1200 1200 -2 0.5',
    ],
    ['{{ 1250 | round(-2, "ceil") }} {{ 1250 | round(-2, "floor") }}', '1300 1200'],
    [
      '{{ "12abc" | int }} {{ true | int }} {{ " -3.9 " | int }} {{ "0x1A" | int }} {{ "" | float(1.5) }} {{ "1e2" | float }}',
      '0 1 -3 0 1.5 100',
    ],
    [
      '{{ ["b", "A"] | sort }} {{ ["b", "A", "a"] | sort(case_sensitive=true) }} {{ ["a", "A"] | unique(true) | list }}',
      "['A', 'b'] ['A', 'a', 'b'] ['a', 'A']",
    ],
    ['{{ ["b", "A"] | min }} {{ ["a", "B"] | min(true) }} {{ [1, "1"] | unique | list }}', "A B [1, '1']"],
    ['{% for k, v in {"b": 1, "a": 2} | dictsort(by="value", reverse=true) %}{{ k }}{{ v }}{% endfor %}', 'a2b1'],
    ['{{ {2: "b", 1: "a"} }} {{ {2: "b"}[2] }} {{ {} is sequence }}', "{2: 'b', 1: 'a'} b True"],
    ['{{ "a\\r\\nb\\n".splitlines() }}{{ "".splitlines() }}', "['a', 'b'][]"],
    ['{{ 7.5 // 2 }} {{ -7 % 3 }} {{ 2 ** -1 }}', '3 2 0.5'],
  ])('%s', (template, expected) => {
    expect(open(template).format({ d: { k: 1 } })).toBe(expected)
  })
})

describe('what cannot be calculated is refused with its place', () => {
  it.each([
    ['{{ "%d items" % 3 }}', 'the operator % of a string and 3', 14],
    ['{{ none + 1 }}', 'the operator + of null and 1', 8],
    ['{{ "a" + 1 }}', 'the operator + of a string and 1', 7],
    ['{{ [1] + "ab" }}', 'the operator + of an array and a string', 7],
    ['{{ 1 / 0 }}', 'the operator / of 1 and 0', 5],
    ['{{ 1 // 0 }}', 'the operator // of 1 and 0', 5],
    ['{{ 0 ** -1 }}', 'the operator ** of 0 and -1', 5],
    ['{{ 2 ** 64 }}', 'the operator ** of 2 and 64', 5],
    ['{{ "a" * 1.5 }}', 'the operator * of a string and 1.5', 7],
    ['{{ "a" * 10000000 }}', 'the operator *', 7],
    ['{{ "a" | indent(1000000000) }}', 'the filter indent: 1000000000 spaces are too many', 9],
    ['{{ [1] | tojson(1000000000) }}', 'the filter tojson: 1000000000 spaces are too many', 9],
    ['{{ ("a" * 900000) | replace("a", "b" * 900000) }}', 'the filter replace: the result is too long', 20],
    ['{{ (range(1000) | list) | join("y" * 900000) }}', 'the filter join: the result is too long', 26],
    ['{{ -"a" }}', 'the operator - of a string', 3],
    ['{{ 1 < "2" }}', 'the operator < of 1 and a string', 5],
    ['{{ none < 1 }}', 'the operator < of null and 1', 8],
    ['{{ 1 in "123" }}', 'the operator in', 5],
    ['{{ 1 in 2 }}', 'the operator in', 5],
    ['{{ ["a", 1] | sort }}', 'the filter sort', 14],
    ['{{ ["a"] | sum }}', 'the filter sum', 11],
    ['{{ "a" | round }}', 'the filter round', 9],
    ['{{ 1 | round(1.5) }}', 'the filter round', 7],
    ['{{ 1 | round(1, "up") }}', 'the filter round', 7],
    ['{{ "a" | abs }}', 'the filter abs', 9],
    ['{{ 3 | length }}', 'the filter length', 7],
    ['{{ "ab" | center(3) }}', 'An unknown filter', 10],
    ['{{ "0x1A" | int(0, 16) }}', 'the filter int: expected at most 1 argument', 12],
    ['{{ [1] | join(sep="") }}', 'the filter join has no argument sep', 9],
    ['{{ "a".split("") }}', 'the method split', 7],
    ['{{ "a b c".split(none, 1) }}', 'the method split', 11],
    ['{{ "a".startswith(["a"]) }}', 'the method startswith', 7],
    ['{{ "".join([1]) }}', 'the method join', 6],
    ['{{ "a".upper(1) }}', 'the method upper', 7],
    ['{{ [1].items() }}', 'the method items', 7],
    ['{{ "a" is odd }}', 'the test odd', 10],
    ['{{ 1 is gt "a" }}', 'the test gt', 8],
    ['{{ range("x") }}', 'the function range', 3],
    ['{{ range(1.5) | list }}', 'the function range', 3],
    ['{{ "abc"["a":] }}', 'a slice', 8],
    ['{% for x in 5 %}{% endfor %}', 'the loop', 0],
    ['{% for a, b in [[1, 2, 3]] %}{% endfor %}', 'the loop: expected 2 values, received 3', 0],
    ['{{ "{" | to_xml }}', 'the filter to_xml', 9],
    ['{{ 9007199254740993 }}', 'A number beyond', 3],
  ])('%s', (template, problem, offset) => {
    const run = () => open(template).format()
    expect(run).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(?:not_supported|template_syntax)$/) }))
    expect(run).toThrow(problem)
    expect(run).toThrow(`at offset ${offset}\n`)
  })

  it('names missing variables first, and refuses missing attributes', () => {
    expect(() => open('{{ a + 1 }}{% if b > 2 %}{% endif %}{{ -c }}').format()).toThrow(
      expect.objectContaining({ code: 'missing_variable', variables: ['a', 'b', 'c'] }),
    )
    expect(() => open('{{ a + 1 }}', 'empty').format()).toThrow('the operator + of a missing value and 1')
    expect(() => open('{{ d.x + 1 }}').format({ d: {} })).toThrow('the operator + of a missing value and 1')
  })

  it('throws the errors of values unchanged', () => {
    const node = {
      getContent() {
        throw new TypeError('no content')
      },
    }
    expect(() => open('{{ n.get_content() }}').format({ n: node })).toThrow(new TypeError('no content'))
  })
})

describe('a Map', () => {
  const d = new Map<unknown, unknown>([
    ['a', 1],
    ['b', null],
    [3, new Map()],
  ])
  it.each([
    ['{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}', 'a=1;b=None;3={};'],
    ['{{ d.a }}{{ d["b"] }}{{ d[3] }}{{ d.c }}', '1None{}'],
    ['{{ d }}', "{'a': 1, 'b': None, 3: {}}"],
    [
      '{% for k in d %}{{ k }}{% endfor %}{{ d | length }}{{ d.keys() }}{{ d.values() }}',
      "ab33['a', 'b', 3][1, None, {}]",
    ],
    ['{{ d.get("a", 2) }}{{ d.get("z", 2) }}{{ "a" in d }}{{ "z" in d }}{{ d is mapping }}', '12TrueFalseTrue'],
    ['{{ {"a": 1} | tojson }}{{ m | items | list }}{{ m | dictsort }}', "{\"a\": 1}[['k', 'v']][['k', 'v']]"],
    ['{% if d[3] %}full{% else %}empty{% endif %}{{ m == {"k": "v"} }}{{ m | urlencode }}', 'emptyTruek=v'],
  ])('is read as a dict: %s', (template, expected) => {
    expect(open(template).format({ d, m: new Map([['k', 'v']]) })).toBe(expected)
  })
})

describe('values that can be read once or not at once', () => {
  it('are counted while they are read', () => {
    for (const template of ['{% for x in xs %}{% endfor %}', '{{ xs | first }}', '{{ xs | join }}']) {
      let pulled = 0
      const endless = {
        *[Symbol.iterator]() {
          for (;;) {
            if (++pulled > 1_100_000) throw new Error('read too far')
            yield 1
          }
        },
      }
      expect(() => open(template).format({ xs: endless })).toThrow('expected at most 1000000 items')
    }
  })

  it.each([
    ['a promise', Promise.resolve(1)],
    ['a stream', new ReadableStream()],
    ['a set', new Set([1])],
    ['a generator', [1].values()],
  ])('%s is not printed as an empty object', (_, x) => {
    expect(() => open('{{ x }}').format({ x })).toThrow(expect.objectContaining({ code: 'not_supported' }))
    expect(() => open('{{ [x] }}').format({ x })).toThrow(expect.objectContaining({ code: 'not_supported' }))
  })

  it('are no empty lists', () => {
    for (const x of [Promise.resolve([1]), new ReadableStream(), (async function* () {})()])
      expect(() => open('{% for y in x %}{% endfor %}').format({ x })).toThrow(
        expect.objectContaining({ code: 'not_supported' }),
      )
    expect(open('{% for y in x %}{{ y }}{% endfor %}').format({ x: new Set([1, 2]) })).toBe('12')
  })
})
