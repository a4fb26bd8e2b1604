/**
 * @module
 * Builds the rows of an HTML table.
 */
import type { TableData } from './element.ts'

/** The maximum number of cells in a row, so that a `colspan` cannot create a million cells. */
const MOST_CELLS = 1000

/** The maximum number of grid positions per written cell. `MORE_CELLS` are added, so that small tables may be sparse. */
const MOST_PLACES = 32
const MORE_CELLS = 16

/** Receives the cells of a table in order. A cell that spans columns or rows is repeated in each. */
export class HtmlGrid {
  /** The text outside all cells. */
  readonly outside: string[] = []
  private readonly rows: string[][] = []
  private width = 0
  private cells = 0
  /** The cells of the open row, or null between rows; `written` counts those that are not repeated from above. */
  private row: string[] | null = null
  private written = 0
  /** The last cell of each column, and the number of rows that it still spans, including the last one. */
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

  /** Returns the table with the first row as its header. Null without cells, and if spans would make it far too large. */
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

  /** Adds the cell above to the next column if it spans this row, otherwise an empty cell. */
  private repeat(row: string[]): void {
    const cell = this.last[row.length] as { text: string; rows: number }
    row.push(cell.rows > 1 ? cell.text : '')
    cell.rows--
  }

  private isTooLarge(): boolean {
    return this.width * this.rows.length > MOST_PLACES * (this.cells + MORE_CELLS)
  }
}
