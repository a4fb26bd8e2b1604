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
  it('gives the places that the answer names, with their headings, in its order', () => {
    const answer = 'So it is (b.md:22), as “a b.md:4-5” says; (b.md:22) again.'
    expect(citedSources(answer, outputs)).toEqual([
      { file: 'b.md', line: 22, endLine: 22, heading: 'Two' },
      { file: 'a b.md', line: 4, endLine: 5, heading: 'One' },
    ])
  })

  it('leaves out places that no tool has shown', () => {
    expect(citedSources('See a b.md:99, b.md and c.md:1.', outputs)).toEqual([])
  })
})

describe('shownSources', () => {
  it('gives all places, once', () => {
    expect(shownSources([...outputs, ...outputs]).map(({ file, line, heading }) => [file, line, heading])).toEqual([
      ['a b.md', 3, 'One'],
      ['b.md', 22, 'Two'],
      ['b.md', 20, 'Two'],
    ])
  })
})
