import { ToolOutput } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { citedSources, shownSources, unreadPlaces } from './sources.ts'

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

describe('citedSources', () => {
  it('returns the places that the answer cites, with their headings, in the order of the answer', () => {
    const answer = 'So it is (b.md:22), as “a b.md:4-5” says; (b.md:22) again.'
    expect(citedSources(answer, outputs)).toEqual([
      { file: 'b.md', line: 22, endLine: 22, heading: 'Two' },
      { file: 'a b.md', line: 4, endLine: 5, heading: 'One' },
    ])
  })

  it('omits places that no tool has returned', () => {
    expect(citedSources('See a b.md:99, b.md and c.md:1.', outputs)).toEqual([])
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

describe('unreadPlaces', () => {
  it('returns the places that an answer cites and that no tool has returned', () => {
    const answer =
      'It is so (b.md:22; nowhere.md:12), see `docs/other.mdx:3-4`, a b.md:99, notes.txt:7 and other.txt:7, at 10:30, http://x.md:80.'
    expect(unreadPlaces(answer, outputs, ['notes.txt'])).toEqual([
      { file: 'nowhere.md', line: 12, endLine: 12 },
      { file: 'docs/other.mdx', line: 3, endLine: 4 },
      { file: 'b.md', line: 99, endLine: 99 },
      { file: 'notes.txt', line: 7, endLine: 7 },
    ])
  })
})
