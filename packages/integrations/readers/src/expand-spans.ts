/**
 * @module
 * Repeats the cells of HTML tables that span rows or columns.
 */
import type { Element, Root, RootContent } from 'hast'

/** The most rows and columns that a cell spans, as in browsers: 1,000 columns. */
const MOST = 1000

/** Replaces each cell that spans rows or columns by one copy for each place, as the tables of `@x/node-parser` have them. */
export function expandSpans(root: Root | Element): void {
  for (const child of root.children) {
    if (child.type !== 'element') continue
    expandSpans(child)
    if (child.tagName === 'table') expandTable(child)
  }
}

function expandTable(table: Element): void {
  /** For each column, the cell that continues into the next rows, and for how many. */
  let open: ({ cell: Element; rows: number } | undefined)[] = []
  for (const row of rowsOf(table)) {
    const cells = row.children.filter(isCell)
    const next: typeof open = []
    const made: Element[] = []
    for (let column = 0, at = 0; at < cells.length || column < open.length; ) {
      const above = open[column]
      if (above !== undefined) {
        made.push(structuredClone(above.cell))
        if (above.rows > 1) next[column] = { cell: above.cell, rows: above.rows - 1 }
        column++
        continue
      }
      const cell = cells[at++]
      if (cell === undefined) {
        if (open.slice(column).every((each) => each === undefined)) break
        made.push({ type: 'element', tagName: 'td', properties: {}, children: [] })
        column++
        continue
      }
      const [columns, rows] = [spanOf(cell, 'colSpan'), spanOf(cell, 'rowSpan')]
      const single = { ...cell, properties: {} }
      for (let each = 0; each < columns; each++, column++) {
        made.push(each === 0 ? single : structuredClone(single))
        if (rows > 1) next[column] = { cell: single, rows: rows - 1 }
      }
    }
    row.children = made
    open = next
  }
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
