/**
 * @module
 * A second reading of a string: each cell of a table and each item of a list behind the words that name it, such as `phone: 030 901820`.
 */
import { countWhile } from '@x/core/values'
import type { Range } from './plain-signs.ts'

/** Cells or items that are read together, each behind its header. */
export interface LabelledRow {
  /** The offset where the row begins: of its line, or of its item. */
  start: number
  /** The header or label in the source, and what stands between it and a row. */
  head: Range
  below: string
  /** What names all of them, if it is not their header. */
  group: string
  cells: readonly (Range & { header: string })[]
}

/** A cell: its offset in the text of the rows and in the source, its length, and its header. */
interface CellPlace {
  at: number
  from: number
  length: number
  header: string
}

/** The text of all rows, and the places of their cells in the order of the text and in that of the source: a table may be in a cell. */
export interface LabelledText {
  text: string
  cells: readonly CellPlace[]
  bySource: readonly CellPlace[]
}

/** Only the words before a cell are read, so that a long header is not repeated for each row. */
const LONGEST_HEADER = 40
/** No label reaches from a row into the next one. */
const BETWEEN = '\n'.repeat(12)

/** Returns the text of rows; undefined if there are none. */
export function labelledText(source: string, rows: Iterable<LabelledRow>): LabelledText | undefined {
  const parts: string[] = []
  const cells: CellPlace[] = []
  let length = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const row of rows) {
    if (row.group !== '') add(`list: ${row.group}\n`)
    for (const { start, end, header } of row.cells) {
      if (start === end) continue
      add(header === '' ? '' : `${header}: `)
      cells.push({ at: length, from: start, length: end - start, header })
      add(`${source.slice(start, end)}\n`)
    }
    add(BETWEEN)
  }
  if (cells.length === 0) return undefined
  return { text: parts.join(''), cells, bySource: [...cells].sort((a, b) => a.from - b.from) }
}

/** Returns the end of a header, beginning at a word. */
export function headerOf(text: string, start: number, end: number): string {
  if (end - start <= LONGEST_HEADER) return text.slice(start, end)
  return text.slice(end - LONGEST_HEADER, end).replace(/^[\p{L}\p{N}]+/u, '')
}

/** Returns the cell that contains a range: of the text of the rows by `at`, of the source by `from`. */
export function cellAround(
  cells: readonly CellPlace[],
  by: 'at' | 'from',
  start: number,
  end: number,
): CellPlace | undefined {
  const cell = cells[countWhile(cells.length, (index) => cells[index]![by] <= start) - 1]
  return cell && end <= cell[by] + cell.length ? cell : undefined
}
