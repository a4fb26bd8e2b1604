import { describe, expect, it } from 'vitest'
import { growthOf, isFast } from '../../../tools/growth.ts'
import { readFrontMatter } from './read-front-matter.ts'

describe('readFrontMatter', () => {
  it.each<[string, Record<string, unknown>]>([
    ['', {}],
    ['# comment\n\ntitle: A guide # comment\r\nurl: https://x.y/#z', { title: 'A guide', url: 'https://x.y/#z' }],
    [
      'a: 1\nb: -2.5\nc: 1.10\nd: 007\ne: 1e3\nf: 2024-05-01',
      { a: 1, b: -2.5, c: '1.10', d: '007', e: '1e3', f: '2024-05-01' },
    ],
    ['a: true\nb: false\nc: null\nd: ~\ne:\nf: yes', { a: true, b: false, c: null, d: null, e: null, f: 'yes' }],
    [`a: "x: \\"y\\" # z" # c\nb: 'it''s'\n"c d": 1\n'e': 2`, { a: 'x: "y" # z', b: "it's", 'c d': 1, e: 2 }],
    ['tags: [a, "b, c", \'d\', 1, true, null]\nnone: []', { tags: ['a', 'b, c', 'd', 1, true, null], none: [] }],
    ['tags:\n- a\n- "b"\nmore:\n  - 1\n  - 2', { tags: ['a', 'b'], more: [1, 2] }],
    ['tags: [a,\n  b]\nafter: 1', { tags: ['a', 'b'], after: 1 }],
    ['author:\n  name: Ann\n  links: [x, y]\n  age: 3', { author: { name: 'Ann', links: ['x', 'y'], age: 3 } }],
    [
      'a: |\n  one\n    two\n\n  # three\nb: >-\n  one\n  two\n\n  three\n',
      { a: 'one\n  two\n\n# three\n', b: 'one two\nthree' },
    ],
    [
      'authors:\n  - {name: Ann, url: "https://a.example"}\n  - {name: Bob}',
      { authors: [{ name: 'Ann', url: 'https://a.example' }, { name: 'Bob' }] },
    ],
    [
      'authors:\n  - name: Ann\n    url: https://a.example # home\n    tags: [x, y]\n  - name: Bob',
      { authors: [{ name: 'Ann', url: 'https://a.example', tags: ['x', 'y'] }, { name: 'Bob' }] },
    ],
    [
      'nav:\n- Home: index.md\n- "About us": about.md\n- x',
      { nav: [{ Home: 'index.md' }, { 'About us': 'about.md' }, 'x'] },
    ],
    [
      'a: {b: c, "d": 1, e: null, f: }\ng:\n  h: {i: true}',
      { a: { b: 'c', d: 1, e: null, f: null }, g: { h: { i: true } } },
    ],
    ['a: {b: 1,\n  c: 2}\nd: {}', { a: { b: 1, c: 2 }, d: {} }],
    ['a:\n  - [x, y]\n  - ~\n  - "k: v"\n  - http://b.c', { a: [['x', 'y'], null, 'k: v', 'http://b.c'] }],
    ['title: Foo: Bar\nog:title: x', { title: 'Foo: Bar', 'og:title': 'x' }],
  ])('reads %j', (source, expected) => {
    expect(readFrontMatter(source)).toEqual(expected)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a: &b {x: 1}\nc: 2', { a: '&b {x: 1}', c: 2 }],
    ['a:\n  b:\n    c: 1\nd: 2', { a: 'b:\n    c: 1', d: 2 }],
    ['a:\n  - - x', { a: '- - x' }],
    ['a:\n  - b: c\n    d:\n      e: 1', { a: '- b: c\n    d:\n      e: 1' }],
    ['a:\n  - b: &x c', { a: '- b: &x c' }],
    ['a:\n  - {b: {c: d}}', { a: '- {b: {c: d}}' }],
    ['a:\n  - !x y', { a: '- !x y' }],
    ['a:\n  ? x\n  : y', { a: '? x\n  : y' }],
    ['a: {b: c: d}', { a: '{b: c: d}' }],
    ['a: {b}', { a: '{b}' }],
    ['a:\n  - b\n  c: d', { a: '- b\n  c: d' }],
    ['a:\n  -\n    b: c', { a: '-\n    b: c' }],
    ['a: one\n  two', { a: 'one\n  two' }],
    ['a: "\\q"', { a: '"\\q"' }],
    ['a: [b, {c: d}]', { a: '[b, {c: d}]' }],
    ['a: >\n  b\n    c', { a: '>\n  b\n    c' }],
    ['a: 1\nno key', { front_matter: 'a: 1\nno key' }],
    ['? x\n: y', { front_matter: '? x\n: y' }],
    [`a: ${'x'.repeat(1 << 16)}`, { front_matter: `a: ${'x'.repeat(1 << 16)}` }],
  ])('keeps the source of unsupported values: %j', (source, expected) => {
    expect(readFrontMatter(source)).toEqual(expected)
  })

  it('omits the keys of object prototypes, even nested ones', () => {
    const data = readFrontMatter('__proto__: 1\nconstructor: 2\na:\n  __proto__: 3\n  b: 4\n"__proto__":\n  x: 1')
    expect(data).toEqual({ a: { b: 4 } })
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(data['a'])).toBe(Object.prototype)
  })

  it.each([
    'a: b\n',
    '- x\n',
    ' ',
    '\n',
    '[',
    'a, ',
    "'",
    '"',
    '\\',
    ' #',
    ': ',
    'a:\n  b: c\n',
    '\n ',
    '- a: b\n',
    '{a: b, ',
    'a: b, ',
  ])('takes linear time for many %j', { tags: 'growth' }, async (unit) => {
    for (const start of ['', 'a: ', 'a: [', 'a: >\n  x', "a: '", 'a: "', 'a:\n', 'a: {', 'a:\n  - {'])
      for (const end of ['', '[', ']', '\nx']) {
        // 60 kB are nearly the most that is read.
        const read = (size: number) => readFrontMatter(start + unit.repeat(Math.min(size, 6e4) / unit.length) + end)
        if (await isFast(read, 6e4, 400)) continue
        expect(await growthOf(read, 400)).toBeLessThan(1.75)
      }
  })

  it('keeps every digit of a large number', () => {
    const large = '100000000000000000000'
    for (const sign of [': ', ' = ']) expect(readFrontMatter(`a${sign}${large}`)).toEqual({ a: large })
    expect(readFrontMatter(`{"a": ${large}, "b": 9007199254740993, "c": 1.5}`)).toEqual({
      a: 100000000000000000000n,
      b: 9007199254740993n,
      c: 1.5,
    })
    // No number has this value, and JSON has no infinity.
    expect(readFrontMatter('{"a": 1e400}')).toEqual({ front_matter: '{"a": 1e400}' })
  })

  it('reads TOML', () => {
    const source = [
      '# a comment',
      'title = "Fruit \\u0041" # more',
      "path = 'C:\\x'",
      'weight = 1_000',
      'ratio = -0.5',
      'draft = false',
      'date = 2024-05-01T10:00:00Z',
      'tags = ["apple", \'pear\', 3]',
      'long = [',
      '  "a", # first',
      '  "b",',
      ']',
      'text = """',
      'One',
      'two"""',
      '"quoted key" = 1',
      '[author]',
      'name = "Ann"',
      '__proto__ = 1',
    ].join('\n')
    expect(readFrontMatter(source)).toEqual({
      title: 'Fruit A',
      path: 'C:\\x',
      weight: 1000,
      ratio: -0.5,
      draft: false,
      date: '2024-05-01T10:00:00Z',
      tags: ['apple', 'pear', 3],
      long: ['a', 'b'],
      text: 'One\ntwo',
      'quoted key': 1,
      author: expect.objectContaining({ name: 'Ann' }),
    })
  })

  it('reads JSON, and keeps what it cannot read', () => {
    expect(readFrontMatter('{\n  "title": "x",\n  "a": { "b": [1, null] }\n}')).toEqual({
      title: 'x',
      a: { b: [1, null] },
    })
    expect(readFrontMatter('{\n  "title": x\n}')).toEqual({ front_matter: '{\n  "title": x\n}' })
    expect(readFrontMatter('a = {b = 1}')).toEqual({ a: '{b = 1}' })
  })

  it.each(['a = [', 'a = "', 'a = """\n', '[a]\n', 'a = 1\n', '{"a":'])(
    'takes linear time for many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => readFrontMatter(unit.repeat(size)), 200)).toBeLessThan(1.75)
    },
  )
})
