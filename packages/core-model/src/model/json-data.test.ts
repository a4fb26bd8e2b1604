import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf } from '../../test/sample-models.ts'
import { anything, fields, freeForm, record } from '../fields.ts'
import { ChatMessage, Model, TextNode, ToolOutput } from '../index.ts'

class Point {
  x = 1
}

const metadata = (value: unknown) => () => new TextNode({ metadata: { a: { b: [0, value] } } })

describe('free-form data', () => {
  it.each<[string, unknown, string]>([
    ['a date', new Date(0), 'an instance of Date; use an ISO string (toISOString)'],
    ['a map', new Map(), 'an instance of Map; use an object (Object.fromEntries)'],
    ['a set', new Set(), 'an instance of Set; use an array'],
    ['an instance', new Point(), 'an instance of Point; use a plain object'],
    ['a regular expression', /a/, 'an instance of RegExp; use a plain object'],
    ['bytes', new Uint8Array(2), 'an instance of Uint8Array; use a plain object'],
    ['a model', new ChatMessage({}), 'an instance of ChatMessage; use a plain object'],
    ['a function', () => {}, 'a function; use a string, or omit it'],
    ['a symbol', Symbol('a'), 'a symbol; use a string, or omit it'],
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
    expect(issue).toMatchObject({ path: 'metadata', code: 'json' })
    expect(issue?.message).toContain('it is circular, or nested too deeply')
  })

  it('accepts JSON values, bigint, numbers that are not finite, and absent keys', () => {
    const value = { a: [1, 'b', true, null, { c: 2n ** 64n }], d: undefined, e: Number.NaN, f: Object.create(null) }
    expect(new TextNode({ metadata: value }).metadata).toEqual(value)
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

  it('is not required for the input and output of a tool, which may be live values', () => {
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

  it('is absent in text and hash, as it is after a round trip', () => {
    expect(node.getContent('all')).toBe(without.getContent('all'))
    expect(node.hash).toBe(without.hash)
    const again = TextNode.fromJson(node.toJson())
    expect([again.getContent('all'), again.hash]).toEqual([node.getContent('all'), node.hash])
  })

  it('is null in an array, as in JSON', () => {
    const list = new TextNode({ id: 'a', metadata: { list: [undefined] } })
    expect(list.getContent('all')).toBe('list: [None]')
  })
})
