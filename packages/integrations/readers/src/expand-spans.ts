/**
 * @module
 * Repeats the cells of HTML tables that span rows or columns.
 */
import type { Element, Root, RootContent } from 'hast'

/** The most rows and columns that a cell spans, as in browsers: 1,000 columns. */
const MOST = 1000

/** In a table of more places than that for each cell, and for 1,000 more, cells do not span anything. */
const LARGEST = 100
const MORE_CELLS = 1000

/**
 * Replaces each cell that spans rows or columns by one copy for each place, as the tables of `@x/node-parser` have them. Tables inside of
 * tables, which Markdown does not have, stay as they are.
 */
export function expandSpans(root: Root | Element): void {
  for (const child of root.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'table') expandTable(child)
    else expandSpans(child)
  }
}

function expandTable(table: Element): void {
  const rows = rowsOf(table).map((row) => ({ row, cells: row.children.filter(isCell), places: [] as Element[] }))
  const count = rows.reduce((sum, { cells }) => sum + cells.length, MORE_CELLS)
  /** The number of columns in which a cell starts: a cell of `colspan=100` spans as many columns as there are. */
  let width = 0
  let room = count * MOST
  /** For each column, the cell that continues into the next rows, and for how many. */
  let open: ({ cell: Element; rows: number } | undefined)[] = []
  for (const { cells, places } of rows) {
    const next: typeof open = []
    for (let at = 0; at < cells.length || places.length < open.length; ) {
      const column = places.length
      const above = open[column]
      if (above !== undefined) {
        places.push(above.cell)
        if (above.rows > 1) next[column] = { cell: above.cell, rows: above.rows - 1 }
        continue
      }
      const cell = cells[at++]
      if (cell === undefined) {
        places.push({ type: 'element', tagName: 'td', properties: {}, children: [] })
        continue
      }
      width = Math.max(width, column + 1)
      const [columns, rows] = [spanOf(cell, 'colSpan'), spanOf(cell, 'rowSpan')]
      const single = { ...cell, properties: {} }
      for (let each = column; each < column + columns; each++) {
        places.push(single)
        if (rows > 1) next[each] = { cell: single, rows: rows - 1 }
      }
    }
    open = next
    room -= places.length
    if (room < 0) break
  }
  const isLarge = room < 0 || width * rows.length > count * LARGEST
  for (const { row, cells, places } of rows)
    row.children = isLarge
      ? cells.map((cell) => ({ ...cell, properties: {} }))
      : places.slice(0, width).map((cell) => structuredClone(cell))
}

/** Returns the rows of a table, without those of tables inside of it. */
function rowsOf({ children }: Element): Element[] {
  return children.flatMap((child) => {
    if (child.type !== 'element' || child.tagName === 'table') return []
    return child.tagName === 'tr' ? [child] : rowsOf(child)
  })
}

function isCell(node: RootContent): node is Element {
  return node.type === 'element' && (node.tagName === 'td' || node.tagName === 'th')
}

function spanOf({ properties }: Element, name: 'colSpan' | 'rowSpan'): number {
  const value = Number(properties[name] ?? 1)
  return Number.isInteger(value) && value > 1 ? Math.min(value, MOST) : 1
}
