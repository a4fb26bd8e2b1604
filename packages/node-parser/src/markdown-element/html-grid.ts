/**
 * @module
 * The rows of an HTML table as they are read.
 */
import type { TableData } from './element.ts'

/** A row holds at most this many cells, so that a `colspan` cannot ask for a million. */
const MOST_CELLS = 1000

/** A grid has at most this many places for each cell that is written, and for some more, so that small ones may be sparse. */
const MOST_PLACES = 32
const MORE_CELLS = 16

/** Takes the cells of a table in order; a cell that spans columns or rows is repeated in each. */
export class HtmlGrid {
  /** Texts that belong to no cell. */
  readonly outside: string[] = []
  private readonly rows: string[][] = []
  private width = 0
  private cells = 0
  /** Cells of the open row, or null between rows, and how many of them were written in it. */
  private row: string[] | null = null
  private written = 0
  /** For each column its last cell, and how many rows that takes from the one on that it was last put into. */
  private readonly last: { text: string; rows: number }[] = []

  startRow(): void {
    this.endRow()
    this.row = []
  }

  addCell(text: string, columns: number, rows: number): void {
    this.row ??= []
    const { row, last } = this
    while ((last[row.length]?.rows ?? 0) > 1) this.repeat(row)
    for (let count = 0; count < columns && row.length < MOST_CELLS; count++) {
      last[row.length] = { text, rows }
      row.push(text)
    }
    this.written++
    this.cells++
  }

  /** The table, its first row being the header. Null without cells, and when it would be far larger than what is written. */
  table(): TableData | null {
    this.endRow()
    const { rows, width } = this
    const [columns, ...body] = rows
    if (columns === undefined || this.isTooLarge()) return null
    for (const row of rows) while (row.length < width) row.push('')
    const caption = this.outside.join(' ')
    return { columns, rows: body, align: columns.map(() => null), ...(caption !== '' && { caption }) }
  }

  private endRow(): void {
    const { row, last } = this
    if (row === null || this.isTooLarge()) return
    const end = last.findLastIndex(({ rows }, column) => column >= row.length && rows > 1)
    while (row.length <= end) this.repeat(row)
    this.width = Math.max(this.width, row.length)
    if (this.written > 0) this.rows.push(row)
    this.row = null
    this.written = 0
  }

  /** Puts the cell above into the next column when it reaches down to this row, else an empty one. */
  private repeat(row: string[]): void {
    const cell = this.last[row.length] as { text: string; rows: number }
    row.push(cell.rows > 1 ? cell.text : '')
    cell.rows--
  }

  private isTooLarge(): boolean {
    return this.width * this.rows.length > MOST_PLACES * (this.cells + MORE_CELLS)
  }
}
