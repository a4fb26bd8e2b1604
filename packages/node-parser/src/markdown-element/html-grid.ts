/**
 * @module
 * Assigns the cells of an HTML table to rows and columns, like "forming a table" in the HTML standard.
 */
import type { ColumnAlign } from '../markdown/table-row.ts'

/** A cell in the source. */
export interface HtmlCell {
  text: string
  isHeader: boolean
  align: ColumnAlign
  columns: number
  /** The number of rows; 0 means up to the end of the row group. */
  rows: number
}

/** A row of the grid. */
export interface GridRow {
  /** The cell at each position; null for an empty position. A cell that spans positions is repeated. */
  places: (HtmlCell | null)[]
  /** The cells that start in this row. */
  own: HtmlCell[]
  inHead: boolean
}

/** The maximum number of grid positions per written cell. `MORE_CELLS` are added, so that small tables may be sparse. */
const MAX_POSITIONS = 32
const MORE_CELLS = 16

interface RowGroup {
  kind: string
  rows: HtmlCell[][]
}

/** Receives the row groups, rows and cells of a table in order. */
export class HtmlGrid {
  private readonly groups: RowGroup[] = []
  private cells = 0

  /** Starts a row group: `thead`, `tbody` or `tfoot`. */
  startGroup(kind: string): void {
    this.groups.push({ kind, rows: [] })
  }

  startRow(): void {
    this.groups.at(-1)?.rows.push([])
  }

  addCell(cell: HtmlCell): void {
    this.groups.at(-1)?.rows.at(-1)?.push(cell)
    this.cells++
  }

  /** Returns the rows in which a cell starts, those of `tfoot` last. Returns null if spans make the grid far too large. */
  rows(): GridRow[] | null {
    const isFoot = ({ kind }: RowGroup) => kind === 'tfoot'
    const ordered = [...this.groups.filter((group) => !isFoot(group)), ...this.groups.filter(isFoot)]
    const rows: GridRow[] = []
    let room = MAX_POSITIONS * (this.cells + MORE_CELLS)
    let widest = 0
    for (const group of ordered) {
      const above = new CellsAbove(group.rows.length)
      for (const [index, own] of group.rows.entries()) {
        if (own.length === 0) continue
        const places = above.place(own, index, room)
        if (places === null) return null
        room -= places.length
        widest = Math.max(widest, places.length)
        rows.push({ places, own, inHead: group.kind === 'thead' })
      }
    }
    return widest * rows.length > MAX_POSITIONS * (this.cells + MORE_CELLS) ? null : rows
  }
}

/** A cell that spans rows of a column up to row `until`; `under` is one that it overlaps. */
interface SpanningCell {
  cell: HtmlCell
  until: number
  under: SpanningCell | null
}

/** The cells of a row group that span following rows, by column. */
class CellsAbove {
  private readonly columns: (SpanningCell | null)[] = []
  private readonly rowCount: number

  constructor(rowCount: number) {
    this.rowCount = rowCount
  }

  /** Returns the positions of a row; null if there are more than `room`. Must be called in ascending order of rows. */
  place(own: readonly HtmlCell[], row: number, room: number): (HtmlCell | null)[] | null {
    const places: (HtmlCell | null)[] = []
    for (const cell of own) {
      for (let above = this.at(places.length, row); above !== null; above = this.at(places.length, row))
        places.push(above)
      if (places.length + cell.columns > room) return null
      const until = cell.rows === 0 ? this.rowCount : row + cell.rows
      for (let count = 0; count < cell.columns; count++) {
        if (until > row + 1) this.columns[places.length] = { cell, until, under: this.columns[places.length] ?? null }
        places.push(cell)
      }
    }
    while (places.length < this.columns.length) places.push(this.at(places.length, row))
    while (places.at(-1) === null) places.pop()
    // Columns without a spanning cell at the end would cost time in every further row.
    while (this.columns.length > 0 && (this.columns.at(-1) ?? null) === null) this.columns.pop()
    return places.length > room ? null : places
  }

  /** Returns the cell above that spans a position of a row. */
  private at(column: number, row: number): HtmlCell | null {
    let spanning = this.columns[column] ?? null
    while (spanning !== null && spanning.until <= row) spanning = spanning.under
    if (column < this.columns.length) this.columns[column] = spanning
    return spanning?.cell ?? null
  }
}
