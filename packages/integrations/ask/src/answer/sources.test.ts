import { ToolOutput } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../../tools/growth.ts'
import { citedPlaces, shownSources } from './sources.ts'

const outputs = [
  new ToolOutput({
    content: '',
    toolName: 'search_text',
    rawInput: {},
    rawOutput: [
      { place: 'a b.md:3-9', heading: 'One', text: 'x' },
      { place: 'b.md:20-30', heading: 'Two', rows: [{ row: 1, place: 'b.md:22', cells: [] }] },
    ],
  }),
  new ToolOutput({ content: 'Error: no', toolName: 'search_text', rawInput: {}, rawOutput: null, isError: true }),
]

const folder = { root: '/project/docs', files: ['notes.txt', 'lib.md'] }
const cited = (answer: string) =>
  citedPlaces(answer, outputs, folder).map(({ file, line, endLine, heading, state, start, end }) => [
    answer.slice(start, end),
    `${file}:${line}-${endLine}`,
    heading,
    state,
  ])

describe('citedPlaces', () => {
  it('returns each citation, with its heading, in the order of the answer', () => {
    expect(cited('So it is (b.md:22), as “a b.md:4-5” says; (b.md:22) again.')).toEqual([
      ['b.md:22', 'b.md:22-22', 'Two', 'read'],
      ['a b.md:4-5', 'a b.md:4-5', 'One', 'read'],
      ['b.md:22', 'b.md:22-22', 'Two', 'read'],
    ])
  })

  it('reads the ranges and line marks that models write', () => {
    const places = cited('b.md:21–23, b.md#L22, b.md#L24-L26, b.md:1-2-3').map(([text, place]) => [text, place])
    expect(places).toEqual([
      ['b.md:21–23', 'b.md:21-23'],
      ['b.md#L22', 'b.md:22-22'],
      ['b.md#L24-L26', 'b.md:24-26'],
    ])
  })

  it('tells places from others that begin alike', () => {
    expect(
      cited('a b.md:3, a b.md:30, docs/b.md:22, other/b.md:22, lib.md:22 和b.md:22').map(([, ...rest]) => rest),
    ).toEqual([
      ['a b.md:3-3', 'One', 'read'],
      ['a b.md:30-30', '', 'unread'],
      ['b.md:22-22', 'Two', 'read'],
      ['other/b.md:22-22', '', 'unknown'],
      ['lib.md:22-22', '', 'unread'],
      ['b.md:22-22', 'Two', 'read'],
    ])
  })

  it('returns places that no tool has returned, and leaves out what is no place', () => {
    const answer =
      'It is so (nowhere.md:12), see `docs/other.mdx:3-4`, a b.md:99, notes.txt:7 and other.txt:7, at 10:30, http://x.md:80.'
    expect(cited(answer).map(([, place, , state]) => [place, state])).toEqual([
      ['nowhere.md:12-12', 'unknown'],
      ['docs/other.mdx:3-4', 'unknown'],
      ['a b.md:99-99', 'unread'],
      ['notes.txt:7-7', 'unread'],
    ])
  })

  it.each(['a.md:1 ', ':1', 'b.md', '/b.md:22'])('takes linear time for many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => citedPlaces(unit.repeat(size), outputs, folder), 500)).toBeLessThan(1.75)
  })
})

describe('shownSources', () => {
  it('returns all places, each once', () => {
    expect(shownSources([...outputs, ...outputs]).map(({ file, line, heading }) => [file, line, heading])).toEqual([
      ['a b.md', 3, 'One'],
      ['b.md', 22, 'Two'],
      ['b.md', 20, 'Two'],
    ])
  })
})
