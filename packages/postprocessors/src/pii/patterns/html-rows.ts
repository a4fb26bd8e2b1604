/**
 * @module
 * The cells of HTML tables behind the header of their column, and the items of HTML lists behind the words above the list.
 */
import { lazy } from '@x/core/values'
import { headerOf, type LabelledRow } from './labelled-text.ts'
import type { Range } from './plain-signs.ts'

const tag = /* @__PURE__ */ lazy(() => /<(\/?)(table|tr|t[dh]|li|dt|dd|[uod]l)\b([^<>]{0,400})>/gi)

/** No table of a document has more columns. */
const MOST_COLUMNS = 1000

/** The table that is read: the cells of its first row, and in how many further rows each column is taken. */
interface Grid {
  headers: Range[] | undefined
  row: Range[]
  taken: number[]
  start: number
}

/** Returns the rows of HTML tables, and the items of HTML lists. */
export function* htmlRows(source: string): Iterable<LabelledRow> {
  const grids: Grid[] = []
  let open: { name: string; start: number; attributes: string } | undefined
  let label: Range | undefined
  const itemRow = (head: Range, cells: readonly Range[], headers: readonly (Range | undefined)[], start: number) => ({
    start,
    head,
    below: ' ',
    group: '',
    cells: cells.map((cell, column) => {
      const header = headers[column]
      return { ...cell, header: header ? headerOf(source, header.start, header.end) : '' }
    }),
  })
  function* endRow(grid: Grid | undefined): Iterable<LabelledRow> {
    if (!grid || grid.row.length === 0) return
    const { row, headers, start } = grid
    const head = headers?.find((header) => header.end > header.start) ?? { start, end: start }
    yield itemRow(head, row, headers ?? [], start)
    grid.headers ??= row
    grid.row = []
  }
  for (const { 0: mark, 1: slash, 2: tagName, 3: attributes = '', index } of source.matchAll(tag())) {
    const name = tagName!.toLowerCase()
    const grid = grids.at(-1)
    if (open) {
      const content = textOf(source, open.start, index)
      if (open.name === 'dt') label = content
      else if (!/^t/.test(open.name)) {
        if (label && content.end > content.start) yield itemRow(label, [content], [label], content.start)
      } else if (grid) addCell(grid, content, open.attributes)
      open = undefined
    }
    if (name === 'tr' || (name === 'table' && slash)) yield* endRow(grid)
    if (name === 'tr' && grid) grid.start = index
    else if (name === 'table') {
      if (slash) grids.pop()
      else grids.push({ headers: undefined, row: [], taken: [], start: index })
    } else if (name.endsWith('l')) label = slash ? undefined : labelAbove(source, index)
    else if (!slash) open = { name, start: index + mark.length, attributes }
  }
  while (grids.length > 0) yield* endRow(grids.pop())
}

/** Adds a cell behind the columns that cells of rows above take. */
function addCell({ row, taken }: Grid, cell: Range, attributes: string): void {
  const span = (what: string) =>
    Math.min(Number(new RegExp(`${what}\\s*=\\s*["']?(\\d{1,3})`, 'i').exec(attributes)?.[1] ?? 1), 999) || 1
  const free = () => {
    while (taken[row.length]! > 0) {
      taken[row.length]!--
      row.push({ start: cell.start, end: cell.start })
    }
  }
  free()
  for (let column = span('colspan'), at = cell; column > 0 && row.length < MOST_COLUMNS; column--) {
    taken[row.length] = span('rowspan') - 1
    row.push(at)
    at = { start: cell.end, end: cell.end }
  }
}

/** Returns the last words before a list, without the tags between them. */
function labelAbove(source: string, index: number): Range | undefined {
  const from = Math.max(0, index - 120)
  let before = source.slice(from, index).trimEnd()
  while (before.endsWith('>') && before.includes('<')) before = before.slice(0, before.lastIndexOf('<')).trimEnd()
  const start = Math.max(before.lastIndexOf('\n') + 1, before.lastIndexOf('>') + 1, before.length - 40)
  return start < before.length ? textOf(source, from + start, from + before.length) : undefined
}

/** Returns a range without white space around it. */
function textOf(source: string, start: number, end: number): Range {
  const text = source.slice(start, end)
  const first = start + text.length - text.trimStart().length
  return { start: first, end: Math.max(first, start + text.trimEnd().length) }
}
