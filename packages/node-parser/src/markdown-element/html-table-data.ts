/**
 * @module
 * Decides which rows of an HTML table are its header.
 */
import type { ColumnAlign } from '../markdown/table-row.ts'
import type { TableData } from './element.ts'
import type { GridRow, HtmlCell } from './html-grid.ts'

/**
 * Returns the table of a grid; null without cells. Rows of one cell above all columns become part of the caption. Several header rows
 * are joined column by column. Columns have empty names if the table has no header row.
 */
export function tableData(grid: readonly GridRow[], captions: readonly string[]): TableData | null {
  if (grid.length === 0) return null
  const titles = countTitles(grid)
  const rows = grid.slice(titles)
  const width = rows.reduce((most, { places }) => Math.max(most, places.length), 0)
  const headers = rows.slice(0, countHeaders(rows))
  const body = rows.slice(headers.length)
  const columns = Array.from({ length: width }, (_, column) => headerText(headers, column))
  const caption = [...captions, ...grid.slice(0, titles).map(({ places }) => places[0]?.text ?? '')]
    .filter((text) => text !== '')
    .join(' ')
  return {
    columns,
    rows: body.map(({ places }) => Array.from({ length: width }, (_, column) => places[column]?.text ?? '')),
    align: columns.map((_, column) => alignOf(body.length > 0 ? body : headers, column)),
    ...(caption !== '' && { caption }),
  }
}

/** Returns the number of rows at the top whose only cell spans all columns of a table with more columns. */
function countTitles(rows: readonly GridRow[]): number {
  const first = rows.findIndex(({ own }) => own.length > 1)
  if (first < 1) return 0
  const width = rows.slice(first).reduce((most, { places }) => Math.max(most, places.length), 0)
  const isTitle = ({ own, places }: GridRow) => own.length === 1 && own[0]?.rows === 1 && places.length >= width
  const titles = rows.slice(0, first).findIndex((row) => !isTitle(row))
  return titles < 0 ? first : titles
}

/**
 * Returns the number of header rows: those of `thead`, otherwise those at the top whose cells are all `th`. In a table without
 * `th` the first row counts, as in Markdown, unless it contains a number.
 */
function countHeaders(rows: readonly GridRow[]): number {
  const count = leading(rows, ({ inHead }) => inHead) || leading(rows, hasOnlyHeaders)
  if (count > 0) return count < rows.length ? count : 1
  const hasHeaders = rows.some(({ own }) => own.some(({ isHeader }) => isHeader))
  return hasHeaders || (rows[0] as GridRow).own.some(isNumber) ? 0 : 1
}

function leading(rows: readonly GridRow[], belongs: (row: GridRow) => boolean): number {
  const end = rows.findIndex((row) => !belongs(row))
  return end < 0 ? rows.length : end
}

/** Whether the cells of a row are headers; an empty corner need not be one. */
function hasOnlyHeaders({ own }: GridRow): boolean {
  return own.some(({ isHeader }) => isHeader) && own.every(({ isHeader, text }) => isHeader || text === '')
}

/** Whether a cell is a number other than a year. */
function isNumber({ text }: HtmlCell): boolean {
  return text.length < 40 && /^[-+]?\d[\d.,]*\s?%?$/.test(text) && !/^(?:1[89]|20)\d\d$/.test(text)
}

/** Returns the header cells of a column, without repetitions. */
function headerText(headers: readonly GridRow[], column: number): string {
  return [...new Set(headers.map(({ places }) => places[column]?.text ?? ''))].filter((text) => text !== '').join(' ')
}

/** Returns the alignment of the cells of a column that have one, if it is the same for all of them. */
function alignOf(rows: readonly GridRow[], column: number): ColumnAlign {
  const aligns = new Set(rows.map(({ places }) => places[column]?.align ?? null).filter((align) => align !== null))
  return aligns.size === 1 ? ([...aligns][0] ?? null) : null
}
