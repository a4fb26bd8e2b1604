import { describe, expect, it } from 'vitest'
import { type HtmlCell, HtmlGrid } from './html-grid.ts'

/** A cell as `text` or `text 2x1` (columns and rows). 0 rows: the cell spans to the end of the group. */
const cell = (written: string): HtmlCell => {
  const [text = '', spans = '1x1'] = written.split(' ')
  const [columns, rows] = spans.split('x').map(Number) as [number, number]
  return { text, isHeader: false, align: null, columns, rows }
}

/** The text at each position; `.` without a cell. */
function grid(...groups: [kind: string, rows: string[][]][]): string[] | null {
  const table = new HtmlGrid()
  for (const [kind, rows] of groups) {
    table.startGroup(kind)
    for (const row of rows) {
      table.startRow()
      for (const written of row) table.addCell(cell(written))
    }
  }
  return table.rows()?.map(({ places }) => places.map((place) => place?.text ?? '.').join('')) ?? null
}

describe('HtmlGrid', () => {
  it('repeats cells that span columns and rows', () => {
    expect(
      grid([
        'tbody',
        [
          ['a 2x1', 'b 1x2'],
          ['c', 'd'],
        ],
      ]),
    ).toEqual(['aab', 'cdb'])
  })

  it('ends a cell with its last row', () => {
    expect(grid(['tbody', [['a 1x2', 'b'], ['c'], ['d', 'e']]])).toEqual(['ab', 'ac', 'de'])
  })

  it('leaves the missing positions of a short row empty', () => {
    expect(grid(['tbody', [['a', 'b 1x2'], []]])).toEqual(['ab'])
    expect(grid(['tbody', [['a 1x2', 'b', 'c 1x2'], ['d']]])).toEqual(['abc', 'adc'])
    expect(grid(['tbody', [['a', 'b', 'c 1x2'], ['d']]])).toEqual(['abc', 'd.c'])
  })

  it('ends spans with their row group, even spans of 0 rows', () => {
    expect(grid(['thead', [['a 1x0', 'b']]], ['tbody', [['c'], ['d']]])).toEqual(['ab', 'c', 'd'])
    expect(grid(['tbody', [['a 1x0', 'b'], ['c'], ['d']]])).toEqual(['ab', 'ac', 'ad'])
  })

  it('puts the foot last, regardless of its position in the source', () => {
    expect(grid(['tfoot', [['f']]], ['thead', [['h']]], ['tbody', [['b']]])).toEqual(['h', 'b', 'f'])
  })

  it('returns null if spans make the grid far larger than the source', () => {
    expect(grid(['tbody', [['a 1000x1', 'b 1000x1']]])).toBeNull()
    expect(grid(['tbody', Array.from({ length: 100 }, () => ['a 500x100'])])).toBeNull()
  })
})
