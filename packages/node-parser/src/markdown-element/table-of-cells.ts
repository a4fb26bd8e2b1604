import { checkOption, listOf } from '@x/core/options'
import type { ColumnAlign } from '../markdown/table-row.ts'
import type { TableData } from './element.ts'
import { HtmlGrid } from './html-grid.ts'
import { tableData } from './html-table-data.ts'

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
