import { Model } from '@x/core'
import { anything, fields, freeForm, record } from '@x/core/fields'
import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf, thrownBy } from '../../../tools/thrown.ts'
import { ChatMessage, TextNode, ToolOutput } from '../src/index.ts'

class Point {
  x = 1
}

const metadata = (value: unknown) => () => new TextNode({ metadata: { a: { b: [0, value] } } })

describe('free-form data', () => {
  it.each<[string, unknown, string]>([
    ['a date', new Date(0), 'an instance of Date; use an ISO string (toISOString)'],
    ['a map', new Map(), 'an instance of Map; use an object (Object.fromEntries)'],
    ['a set', new Set(), 'an instance of Set; use an array'],
    ['an instance', new Point(), 'an instance of Point; use a plain object or a string, or omit it'],
    ['a regular expression', /a/, 'an instance of RegExp; use a plain object or a string, or omit it'],
    ['bytes', new Uint8Array(2), 'an instance of Uint8Array; use a plain object or a string, or omit it'],
    ['a model', new ChatMessage({}), 'an instance of ChatMessage; use a plain object or a string, or omit it'],
    ['a function', () => {}, 'a function; use a plain object or a string, or omit it'],
    ['a symbol', Symbol('a'), 'a symbol; use a plain object or a string, or omit it'],
  ])('rejects %s, with its path and advice', (_, value, words) => {
    const [issue, ...others] = issuesOf(metadata(value))
    expect(others).toEqual([])
    expect(issue).toMatchObject({ path: 'metadata.a.b[1]', code: 'json' })
    expect(issue?.message).toContain('expected JSON data, ')
    expect(issue?.message).toContain(words)
    expect(metadata(value)).toThrow(/^TextNode\.metadata\.a\.b\[1\]: expected JSON data, /)
  })

  it('rejects circular data, in linear time', () => {
    const self: Record<string, unknown> = {}
    Object.assign(self, { a: self, b: self, c: [self] })
    const [issue] = issuesOf(() => new TextNode({ metadata: { self } }))
    expect(issue).toMatchObject({ path: 'metadata.self', code: 'json' })
    expect(issue?.message).toContain('it is circular, or nested too deeply')
  })

  it('rejects a hole of an array', () => {
    const a = new Array(3).fill(1, 2)
    expect(issuesOf(() => new TextNode({ metadata: { a } }))).toMatchObject([
      { path: 'metadata.a[0]', message: 'expected JSON data, received undefined; use null' },
    ])
  })

  it('has at most as many levels as can be written, hashed, copied and read', () => {
    const nested = (levels: number) => {
      let value: unknown = 1
      for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
      return value
    }
    expect(pathsOf(() => new TextNode({ metadata: { a: nested(1_100) } }))).toEqual(['metadata.a'])
    const node = new TextNode({ metadata: { a: nested(990) } })
    const again = TextNode.fromJson(node.toJson())
    expect(again.equals(node.copy({ deep: true }))).toBe(true)
    expect([again.hash, again.getContent('all')]).toEqual([node.hash, node.getContent('all')])
  })

  it('accepts JSON values, bigint, numbers that are not finite, and absent keys', () => {
    const value = { a: [1, 'b', true, null, { c: 2n ** 64n }], d: undefined, e: Number.NaN, f: Object.create(null) }
    expect(new TextNode({ metadata: value }).metadata).toEqual(value)
  })

  it('accepts a key "constructor", and looks at its value', () => {
    const value = { constructor: 'a', inner: { constructor: { constructor: null } } }
    expect(new TextNode({ metadata: { value } }).metadata).toEqual({ value })
    expect(pathsOf(metadata({ constructor: Object }))).toEqual(['metadata.a.b[1].constructor'])
    expect(pathsOf(metadata({ constructor: new Date(0) }))).toEqual(['metadata.a.b[1].constructor'])
  })

  it('is checked in every class', () => {
    const date = new Date(0)
    class Own extends fields(Model, 'Own', {
      notes: freeForm({ default: {} }),
      extra: anything({ default: null }),
      table: record(anything(), { default: {} }),
    }) {}
    expect(pathsOf(() => new Own({ notes: { date }, extra: [date], table: { a: { date } } }))).toEqual([
      'notes.date',
      'extra[0]',
      'table.a.date',
    ])
    expect(pathsOf(() => new ChatMessage({ content: [{ date } as never], additionalKwargs: { date } }))).toEqual([
      'content[0].date',
      'additionalKwargs.date',
    ])
    expect(pathsOf(() => new TextNode({ relationships: { 1: { nodeId: 'a', metadata: { date } } } }))).toEqual([
      'relationships.1.metadata.date',
    ])
  })

  it('is not required in the input and output of a tool, which may be live values', () => {
    const output = new ToolOutput({
      content: 'c',
      toolName: 't',
      rawInput: { at: new Date(0) },
      rawOutput: new Point(),
    })
    expect([output.rawInput, output.rawOutput]).toEqual([{ at: new Date(0) }, new Point()])
  })
})

describe('an absent key', () => {
  const node = new TextNode({
    id: 'a',
    text: 't',
    metadata: { a: 1, gone: undefined, deep: { gone: undefined, b: 2 } },
  })
  const without = new TextNode({ id: 'a', text: 't', metadata: { a: 1, deep: { b: 2 } } })

  it('is absent in the text and the hash, as after a round trip', () => {
    expect(node.getContent('all')).toBe(without.getContent('all'))
    expect(node.hash).toBe(without.hash)
    const again = TextNode.fromJson(node.toJson())
    expect([again.getContent('all'), again.hash]).toEqual([node.getContent('all'), node.hash])
  })

  it('is null in an array, as in JSON', () => {
    const node = new TextNode({ id: 'a', metadata: { list: [undefined, 1] } })
    expect(node.getContent('all')).toBe('list: [None, 1]')
    const again = TextNode.fromJson(node.toJson())
    expect([again.metadata, again.hash]).toEqual([{ list: [null, 1] }, node.hash])
  })
})

describe('a value that was assigned', () => {
  const self: Record<string, unknown> = {}
  self['self'] = self
  it.each<[string, unknown, string]>([
    [
      'a date',
      new Date(0),
      'node n.metadata.a.b[1]: an instance of Date has no JSON form; use an ISO string (toISOString).',
    ],
    [
      'a map',
      new Map(),
      'node n.metadata.a.b[1]: an instance of Map has no JSON form; use an object (Object.fromEntries).',
    ],
    [
      'a function',
      () => {},
      'node n.metadata.a.b[1]: a function has no JSON form; use a plain object or a string, or omit it.',
    ],
    [
      'a symbol',
      Symbol('a'),
      'node n.metadata.a.b[1]: a symbol has no JSON form; use a plain object or a string, or omit it.',
    ],
    ['circular data', self, 'node n.metadata.a: an object has no JSON form; it is circular, or nested too deeply.'],
  ])('has no hash and no text: %s', (_, value, message) => {
    const node = new TextNode({ id: 'n', text: 't' })
    node.metadata['a'] = { b: [0, value] }
    for (const read of [() => node.hash, () => node.getContent('all'), () => node.getMetadataStr()]) {
      expect(thrownBy(read)).toMatchObject({ code: 'serialization' })
      expect(read).toThrow(message)
    }
    expect(node.getContent('none')).toBe('t')
  })
})
