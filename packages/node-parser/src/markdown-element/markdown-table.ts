import { checkOption, listOf, required } from '@x/core/options'
import type { ColumnAlign } from '../markdown/table-row.ts'
import type { TableData } from './element.ts'
import { HtmlGrid } from './html-grid.ts'
import { tableData } from './html-table-data.ts'

const MARKS = { none: '-', left: ':-', right: '-:', center: ':-:' }

/**
 * Returns a table as Markdown, below its caption: what reads Markdown finds the same cells. A cell is one line; a pipe in it is escaped.
 * @example
 * markdownTable({ columns: ['name', 'price'], rows: [['pear', '3']], align: [null, 'right'] })
 * // => '| name | price |\n| - | -: |\n| pear | 3 |'
 */
export function markdownTable(table: TableData): string {
  checkOption('markdownTable', 'table', table, required('a table', 'columns', 'rows', 'align'))
  const { columns, rows, align, caption } = table
  const line = (cells: readonly string[]) => `|${columns.map((_, index) => cellText(cells[index] ?? '')).join('|')}|`
  const marks = columns.map((_, index) => MARKS[align[index] ?? 'none'])
  const above = caption === undefined ? [] : [caption, '']
  return [...above, line(columns), line(marks), ...rows.map(line)].join('\n')
}

/** A blank before the next pipe, so that a backslash at the end of a cell does not escape it. */
function cellText(cell: string): string {
  const text = cell.trim().replace(/[\r\n]+/g, ' ')
  // A backslash before a pipe would need one of its own, which a table does not have: it escapes the pipe either way.
  return text === '' ? ' ' : ` ${text.replace(/\\[\\|]|\|/g, (pair) => (pair === '\\\\' ? pair : '\\|'))} `
}

/** A cell of a table. */
export interface TableCell {
  /** The content as Markdown, on one line. */
  text: string
  /** Whether it names a column or a row. @defaultValue false */
  isHeader?: boolean | undefined
  /** @defaultValue null */
  align?: ColumnAlign | undefined
  /** The number of columns that it spans. @defaultValue 1 */
  columns?: number | undefined
  /** The number of rows that it spans; 0 means up to the end of its group. @defaultValue 1 */
  rows?: number | undefined
}

/** Rows of a table that belong together. */
export interface TableGroup {
  /** Rows of a `head` name the columns; those of a `foot` are last. */
  kind: 'head' | 'body' | 'foot'
  rows: readonly (readonly TableCell[])[]
}

const KINDS = { head: 'thead', body: 'tbody', foot: 'tfoot' }

/**
 * Returns the table of cells, as the HTML standard forms it: a cell that spans rows or columns is repeated in each. Several header rows are
 * joined column by column; a row of one cell above all columns is part of the caption. Without a header row, the first row names the
 * columns unless it contains a number. Null without text in any cell. Cells span nothing if that makes a table far too large.
 * @example
 * const head = { kind: 'head', rows: [[{ text: 'name' }, { text: 'price', columns: 2 }]] } as const
 * const body = { kind: 'body', rows: [[{ text: 'pear', rows: 2 }, { text: '1' }, { text: '2' }], [{ text: '3' }, { text: '4' }]] } as const
 * tableOfCells([head, body])?.rows // => [['pear', '1', '2'], ['pear', '3', '4']]
 */
export function tableOfCells(groups: readonly TableGroup[], captions: readonly string[] = []): TableData | null {
  checkOption('tableOfCells', 'groups', groups, listOf('a group of rows', 'kind', 'rows'))
  const rows = gridOf(groups, true).rows() ?? gridOf(groups, false).rows() ?? []
  return rows.some(({ own }) => own.some(({ text }) => text !== '')) ? tableData(rows, captions) : null
}

function gridOf(groups: readonly TableGroup[], withSpans: boolean): HtmlGrid {
  const grid = new HtmlGrid()
  for (const { kind, rows } of groups) {
    grid.startGroup(KINDS[kind])
    for (const row of rows) {
      grid.startRow()
      for (const { text, isHeader = false, align = null, columns = 1, rows: height = 1 } of row)
        grid.addCell({ text, isHeader, align, columns: withSpans ? columns : 1, rows: withSpans ? height : 1 })
    }
  }
  return grid
}
