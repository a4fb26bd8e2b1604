import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { extractMarkdownElements } from './extract-elements.ts'
import { markdownTable, tableOfCells } from './markdown-table.ts'

const cell = fc
  .array(fc.constantFrom('a', '1', '|', '\\', '`', '*', '京', ' ', '-', '\\|'), { maxLength: 6 })
  .map((parts) => parts.join('').trim())

it('writes any table so that the same cells are read from it', () => {
  const table = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 1, max: 3 })).chain(([width, height]) =>
    fc.record({
      columns: fc.array(cell, { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: height, maxLength: height }),
      align: fc.array(fc.constantFrom('left' as const, 'right' as const, 'center' as const, null), {
        minLength: width,
        maxLength: width,
      }),
    }),
  )
  // A backslash before a pipe means the same with and without it.
  const plain = (cells: readonly string[]) =>
    cells.map((text) => text.replace(/(\\*)\|/g, (_, escapes: string) => `${escapes.slice(escapes.length % 2)}|`))
  fc.assert(
    fc.property(table, (written) => {
      const [read] = extractMarkdownElements(`${markdownTable(written)}\n`)
      expect(read?.table?.columns).toEqual(plain(written.columns))
      expect(read?.table?.rows).toEqual(written.rows.map(plain))
      expect(read?.table?.align).toEqual(written.align)
    }),
    { numRuns: rounds(150, 500) },
  )
})

it('forms the table of cells like that of HTML', () => {
  const html =
    '<table><caption>T</caption><tfoot><tr><td>sum<td>3<td>3</tfoot><thead><tr><th rowspan=2>n<th colspan=2>q<tr><th>1<th>2</thead><tr><td>a<td>x<td>y</table>'
  const [element] = extractMarkdownElements(html, { htmlTables: 'table' })
  const text = (...texts: string[]) => texts.map((one) => ({ text: one }))
  const head = (value: string, spans: object = {}) => ({ text: value, isHeader: true, ...spans })
  const table = tableOfCells(
    [
      { kind: 'foot', rows: [text('sum', '3', '3')] },
      {
        kind: 'head',
        rows: [
          [head('n', { rows: 2 }), head('q', { columns: 2 })],
          [head('1'), head('2')],
        ],
      },
      { kind: 'body', rows: [text('a', 'x', 'y')] },
    ],
    ['T'],
  )
  expect(table).toEqual(element?.table)
  expect(table?.columns).toEqual(['n', 'q 1', 'q 2'])
  expect(markdownTable(table!)).toBe('T\n\n| n | q 1 | q 2 |\n| - | - | - |\n| a | x | y |\n| sum | 3 | 3 |')
})

it('returns null without text, and cells that span nothing in a table that would be far too large', () => {
  expect(tableOfCells([])).toBeNull()
  expect(tableOfCells([{ kind: 'body', rows: [[{ text: '' }]] }])).toBeNull()
  const wide = Array.from({ length: 400 }, () => [{ text: 'x', columns: 1000, rows: 1000 }])
  expect(tableOfCells([{ kind: 'body', rows: wide }])?.columns).toEqual(['x'])
})
