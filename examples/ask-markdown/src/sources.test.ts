import { ToolOutput } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { citedSources, shownSources } from './sources.ts'

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
