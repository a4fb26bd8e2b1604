import { describe, expect, it } from 'vitest'
import { RichPromptTemplate } from './rich-prompt-template.ts'

const open = (templateStr: string, onMissing?: 'throw' | 'empty'): RichPromptTemplate =>
  new RichPromptTemplate({ templateStr, onMissing })

/** Each with the text of Jinja2 3.1.6. */
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
    ['{{ "a-b-c" | replace("-", "_") }} {{ "a-b-c".replace("-", "$&") }}', 'a_b_c a$&b$&c'],
    [
      '{{ 3.15 | round(1) }} {{ 2.675 | round(2) }} {{ 1234 | round(-2) }} {{ 1250 | round(-2) }} {{ -2.5 | round }} {{ 0.5 | round(20) }}',
      '3.1 2.67 1200 1200 -2.0 0.5',
    ],
    ['{{ 1250 | round(-2, "ceil") }} {{ 1250 | round(-2, "floor") }}', '1300.0 1200.0'],
    [
      '{{ "12abc" | int }} {{ true | int }} {{ " -3.9 " | int }} {{ "0x1A" | int }} {{ "" | float(1.5) }} {{ "1e2" | float }}',
      '0 1 -3 0 1.5 100.0',
    ],
    [
      '{{ ["b", "A"] | sort }} {{ ["b", "A", "a"] | sort(case_sensitive=true) }} {{ ["a", "A"] | unique(true) | list }}',
      "['A', 'b'] ['A', 'a', 'b'] ['a', 'A']",
    ],
    ['{{ ["b", "A"] | min }} {{ ["a", "B"] | min(true) }} {{ [1, "1"] | unique | list }}', "A B [1, '1']"],
    ['{% for k, v in {"b": 1, "a": 2} | dictsort(by="value", reverse=true) %}{{ k }}{{ v }}{% endfor %}', 'a2b1'],
    ['{{ {2: "b", 1: "a"} }} {{ {2: "b"}[2] }} {{ {} is sequence }}', "{2: 'b', 1: 'a'} b True"],
    ['{{ 7.5 // 2 }} {{ -7 % 3 }} {{ 2 ** -1 }}', '3.0 2 0.5'],
    [
      '{{ id | int }} {{ id | round }} {{ id | round(1) }} {{ id | round(1, "floor") }} {{ id | abs }} {{ minus | abs }} {{ id | float }}',
      '123456789012345678 123456789012345678 123456789012345678 1.2345678901234568e+17 123456789012345678 123456789012345678 1.2345678901234568e+17',
    ],
    [
      '{{ "123456789012345678" | int }} {{ "-123456789012345678" | int }} {{ "+12" | int }} {{ "123456789012345678.5" | int }} {{ 1e21 | int }} {{ "1e21" | int }}',
      '123456789012345678 -123456789012345678 12 123456789012345680 1000000000000000000000 1000000000000000000000',
    ],
    ['{{ "1e400" | int(5) }} {{ nan | int(7) }} {{ "x" | int(2.5) }} {{ "x" | int(none) }}', '5 7 2.5 None'],
    [
      '{{ id == next }} {{ next in [id] }} {{ id is eq next }} {{ [id] == [next] }} {{ id < next }} {{ id == id }} {{ inf <= inf }} {{ nan == nan }}',
      'False False False False True True True False',
    ],
    [
      '{{ list[0] }} {{ list[0] is none }} {{ list[0] is defined }} {{ list[0] | default("D") }} {{ list[-2] ~ "" }} {{ list[2] | default("D") }}',
      'None True True None None D',
    ],
    [
      '{{ [list] | map(attribute=0, default=5) | list }} {{ [list] | map(attribute=2, default=5) | list }}',
      '[None] [5]',
    ],
  ])('%s', (template, expected) => {
    const id = 123456789012345678n
    const vars = { d: { k: 1 }, id, next: id + 1n, minus: -id, list: [null, true], inf: 1 / 0, nan: Number.NaN }
    expect(open(template).format(vars)).toBe(expected)
  })

  it.each([
    [
      "{{ '<' | e | e }} {{ '<' | escape | upper | e }} {{ d | tojson | e }} {{ '<b>' | safe | e }} {{ ('<' | e) ~ '<' }}",
      '&lt; &LT; {"k": "\\u003c"} <b> &lt;<',
    ],
    [
      "{{ ['<' | e] }} {{ ['<'] | map('e') | join(' ') | e }} {{ '&lt;' == '<' | e }} {{ ('<' | e) is string }} {{ '<' | e | length }}",
      "[Markup('&lt;')] &amp;lt; True True 4",
    ],
    [
      "{{ '<' | e | replace('&', '<') | e }} {{ '<' | e | title | e }} {{ '<' | e | reverse | e }} {{ '<' | e | list | first | e }}",
      '&lt;lt; &amp;lt; ;tl& &amp;',
    ],
    [
      "{{ 4 / 2 }} {{ 2.0 }} {{ 1e3 }} {{ 1e22 }} {{ 7.5 // 2 }} {{ 1 // 0.1 }} {{ 5.1 % 3 }} {{ 2 ** 2 }} {{ 1 ** -1 }} {{ 0.5 + 0.5 }} {{ 2 * 1.5 }} {{ -(1.0) }} {{ [1.0] }} {{ 4.0 | tojson }} {{ '3' | float }} {{ 'x' | float }} {{ 2.0 | int }} {{ -2.0 | abs }} {{ [0.5, 0.5] | sum }} {{ 2.0 == 2 }} {{ {1: 'a'}[1] }} {{ 0.0 or 'zero' }}",
      '2.0 2.0 1000.0 1e+22 3.0 9.0 2.0999999999999996 4 1.0 1.0 3.0 -1.0 [1.0] 4.0 3.0 0.0 2 2.0 1.0 True a zero',
    ],
    [
      '{{ (1, 2) }} {{ (1,) }} {{ () }} {{ (1, 2) == [1, 2] }} {{ (1, 2) == (1, 2) }} {{ d | dictsort }} {{ d | items | list }} {{ (1, 2) | tojson }} {{ range(3)[1] }}{{ range(3) | length }}',
      "(1, 2) (1,) () False True [('k', '<')] [('k', '<')] [1, 2] 13",
    ],
    [
      "{% set q = [1] | map('string') %}{{ q | join }}{{ q | join }}|{% if [] | select %}yes{% endif %}|{{ ([1, 2] | map('string'))[0] }}|{{ [1, 2] | reverse | reverse }}|{{ d.items() | length }}",
      '1|yes||[1, 2]|1',
    ],
    ['{% raw %}\n a{% endraw %}\nb{% raw -%}\n c{% endraw %}', '\n abc'],
    [
      "{{ 'abc'['1'] }}|{{ 'abc'[true] }}|{{ ['a'][1.0] }}|{{ [missing] }}|{{ 5 is lower }}|{{ 'ǆ' | title }} {{ 'ǆ'.title() }} {{ 'ßa'.capitalize() }} {{ '😀😀x' | truncate(1, true, '', 0) }} {{ '\ufeffa\x1c\x85' | trim }}{{ ' 1.5\x1c' | float }}{{ 'banana' | int }}",
      '|b||[Undefined]|False|Ǆ ǅ Ssa 😀 \ufeffa1.50',
    ],
    [
      '{% for x in [1] %}{% for y in [1] %}{{ loop.depth }}{{ loop.depth0 }}{% endfor %}{% endfor %}{% if namespace() %}n{% endif %}',
      '10n',
    ],
    [
      '{% set q %}{% set n = 2 %}{{ n }}{% endset %}{{ q }}{% for x in [1] %}{% set n = 3 %}{% endfor %}{{ n is defined }}',
      '2False',
    ],
  ])('escaped text, floats, tuples, iterators and names: %s', (template, expected) => {
    expect(open(template, 'empty').format({ d: { k: '<' } })).toBe(expected)
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
    ['{{ ("9" * 4301) | int }}', 'the filter int: such a number is not read', 18],
    ['{{ 1e999 | int }}', 'the filter int: infinity is no whole number', 11],
    ['{{ ("9" * 20) | int | round(-2) }}', 'the filter round', 22],
    ['{{ ("9" * 20) | int is odd }}', 'the test odd', 23],
    ['{{ range("9" * 20 | int) }}', 'the function range', 3],
    ['{{ 5 is divisibleby 0 }}', 'the test divisibleby', 8],
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
    ['{{ 9007199254740993 }}', 'A number beyond', 3],
    ['{{ [1] | map("string") }}', 'the value: Python writes no items of it; add | list', 0],
    ['{{ [1] | select | tojson }}', 'the filter tojson: Python writes no items of it', 18],
    ['{{ [1] | select | length }}', 'the filter length: add | list before it', 18],
    ['{{ "<>" | e | truncate(6, true, "<", 0) }}', 'the filter truncate: expected an end', 14],
    ['{{ range(3) }}', 'the value: Python writes no items', 0],
    ['{{ ("<" | e) + "<" }}', 'the operator + of a string and a string', 13],
    ['{{ ("<" | e) * 2 }}', 'the operator * of a string and 2', 13],
    ['{{ ("<" | e)[0] }}', 'an item: take items before escaping', 12],
    ['{{ ("<" | e).upper() }}', 'the method upper cannot be called', 13],
    ['{{ (1, 2)[:1] }}', 'a slice of an array', 9],
    ['{{ (1,) + (2,) }}', 'the operator + of an array and an array', 8],
    ['{{ "1_0" | int }}', 'the filter int: such a number is not read', 11],
    ['{{ "nan" | float }}', 'the filter float: such a number is not read', 11],
    ['{{ [1] + (2,) }}', 'the operator + of an array and an array', 7],
    ['{{ [1] < (2,) }}', 'the operator <', 7],
    ['{{ [1] in {"a": 1} }}', 'the operator in', 7],
    ['{{ 5[1:] }}', 'a slice of 5', 4],
    ['{{ {"a": 1}.b.c }}', 'the attribute c: a missing value has no attributes', 14],
    ['{{ {"a": 1}.b[0] }}', 'an item: a missing value has no attributes', 13],
    ['{{ {"a": 1}.b.strip() }}', 'the method strip cannot be called on a missing value', 14],
    ['{{ {"a": 1}.b | tojson }}', 'the filter tojson: a missing value has no JSON form', 16],
    ['{{ {"a": 1}.b | int }}', 'the filter int: a missing value is no number', 16],
    ['{{ {"items": 1}.items }}', 'is a method in Python; call it, or write ["items"]', 16],
    ['{{ "a".upper }}', 'the attribute upper is a method in Python', 7],
    ['{{ 5 | indent }}', 'the filter indent: expected a string, received 5', 7],
    ['{{ 5 | truncate }}', 'the filter truncate: expected a string, received 5', 7],
    ['{{ [{}] | unique | list }}', 'the filter unique', 10],
    ['{{ "a" | replace("", "b") }}', 'the filter replace', 9],
    ['{{ 2.0 | length }}', 'the filter length', 9],
    ['{{ 1 in 2.0 }}', 'the operator in', 5],
    ['{{ "a" * 2.0 }}', 'the operator * of a string and 2.0', 7],
    ['{{ range(2.0) }}', 'the function range: expected a whole number, received 2.0', 3],
    ['{{ namespace(a=1) }}', 'the value: an instance of Namespace is no data', 0],
    ['{% for x in [1] %}{{ loop }}{% endfor %}', 'loop has no text', 18],
    ['{{ self }}', 'The name self is the template', 8],
    ['{{ 1 + not 2 }}', 'Unexpected not', 7],
    ['{% if 1 if 2 else 3 %}{% endif %}', 'Unexpected text in a tag', 8],
    ['{{ 1 is odd is true }}', 'A test with more behind it', 12],
    ['{% for x in [1] %}{{ n }}{% endfor %}{% set n = 1 %}', 'The name n is read in a block before it is set', 37],
    ['{% set n %}{{ n }}{% endset %}', 'The name n is read in a block before it is set', 0],
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
      '{% for k in d %}{{ k }}{% endfor %}{{ d | length }}{{ d.keys() | list }}{{ d.values() | list }}',
      "ab33['a', 'b', 3][1, None, {}]",
    ],
    ['{{ d.get("a", 2) }}{{ d.get("z", 2) }}{{ "a" in d }}{{ "z" in d }}{{ d is mapping }}', '12TrueFalseTrue'],
    ['{{ {"a": 1} | tojson }}{{ m | items | list }}{{ m | dictsort }}', "{\"a\": 1}[('k', 'v')][('k', 'v')]"],
    ['{% if d[3] %}full{% else %}empty{% endif %}{{ m == {"k": "v"} }}', 'emptyTrue'],
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
