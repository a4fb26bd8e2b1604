/**
 * @module
 * The cells of table rows and of the delimiter row.
 */
import { isBlank, skipBlanks } from './characters.ts'

const DASH = 45
const COLON = 58
const BACKSLASH = 92
const PIPE = 124

/** The alignment of a column by its delimiter cell; null if the cell does not set one. */
export type ColumnAlign = 'left' | 'right' | 'center' | null

/**
 * Returns the source ranges of the cells of a row, as a flat array of start and end offsets. An empty cell has start equal to end.
 * `start` must be the first character of the row that is not blank, `end` the offset after its last one.
 */
export function cellRanges(text: string, start: number, end: number): number[] {
  const ranges: number[] = []
  let position = start
  if (text.charCodeAt(position) === PIPE) position++
  while (position < end) {
    let cellStart = -1
    let cellEnd = -1
    for (; position < end; position++) {
      const code = text.charCodeAt(position)
      if (code === PIPE) break
      if (isBlank(code)) continue
      if (cellStart < 0) cellStart = position
      // In `\\|` the first backslash escapes the second, so the pipe separates.
      if (code === BACKSLASH && position + 1 < end) {
        const next = text.charCodeAt(position + 1)
        if (next === BACKSLASH || next === PIPE) position++
      }
      cellEnd = position + 1
    }
    if (cellStart < 0) ranges.push(position, position)
    else ranges.push(cellStart, cellEnd)
    position++
  }
  // A lone `|` is one empty cell.
  if (ranges.length === 0) ranges.push(end, end)
  return ranges
}

/** Returns the number of cells in a row. */
export function countCells(text: string, start: number, end: number): number {
  let count = 0
  let open = true
  let position = start
  if (text.charCodeAt(position) === PIPE) position++
  for (; position < end; position++) {
    const code = text.charCodeAt(position)
    if (isBlank(code)) continue
    if (open) {
      open = false
      count++
    }
    if (code === PIPE) open = true
    else if (code === BACKSLASH) {
      const next = text.charCodeAt(position + 1)
      if (next === BACKSLASH || next === PIPE) position++
    }
  }
  return count
}

/** Returns the number of cells of a delimiter row such as `|:--|--:|`; 0 if the range is not a delimiter row. */
export function countDelimiterCells(text: string, start: number, end: number): number {
  let position = start
  let count = 0
  let marked = false
  let code = text.charCodeAt(position)
  if (code === PIPE) {
    marked = true
    position = skipBlanks(text, position + 1, end)
  } else if (code !== DASH && code !== COLON) return 0
  while (position < end) {
    code = text.charCodeAt(position)
    if (code === COLON) {
      marked = true
      position++
    }
    const fill = position
    while (position < end && text.charCodeAt(position) === DASH) position++
    if (position === fill) return 0
    if (position < end && text.charCodeAt(position) === COLON) {
      marked = true
      position++
    }
    count++
    position = skipBlanks(text, position, end)
    if (position === end) break
    if (text.charCodeAt(position) !== PIPE) return 0
    marked = true
    position = skipBlanks(text, position + 1, end)
  }
  return marked ? count : 0
}

/** Returns the alignment of each column of a delimiter row. */
export function columnAligns(text: string, start: number, end: number): ColumnAlign[] {
  const ranges = cellRanges(text, start, end)
  const aligns: ColumnAlign[] = []
  for (let index = 0; index < ranges.length; index += 2) {
    const left = text.charCodeAt(ranges[index] as number) === COLON
    const right = text.charCodeAt((ranges[index + 1] as number) - 1) === COLON
    aligns.push(left ? (right ? 'center' : 'left') : right ? 'right' : null)
  }
  return aligns
}

/** Returns the cells of a row as written, trimmed. `\|` is read as `|`; other escapes are kept. */
export function rowCells(text: string, start: number, end: number): string[] {
  const ranges = cellRanges(text, start, end)
  const cells: string[] = []
  for (let index = 0; index < ranges.length; index += 2) {
    const cell = text.slice(ranges[index], ranges[index + 1]).trim()
    cells.push(cell.includes('\\|') ? cell.replace(/\\[\\|]/g, (pair) => (pair === '\\|' ? '|' : pair)) : cell)
  }
  return cells
}

/**
 * Whether two lines are the header and the delimiter row of a table: they have the same number of cells. `head` and `first` are the
 * offsets of their first characters that are not blank.
 *
 *     | a | b |
 *     |---|:-:|
 */
export function isTableStart(text: string, head: number, headEnd: number, first: number, end: number): boolean {
  const columns = countDelimiterCells(text, first, end)
  if (columns === 0 || columns !== countCells(text, head, headEnd)) return false
  return text.charCodeAt(head) !== PIPE || headEnd > head + 1
}
