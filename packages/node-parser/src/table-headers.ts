/**
 * @module
 * The headers of split tables, which are repeated in further chunks.
 */
import type { InputText } from './input-text.ts'
import type { TableSpan } from './markdown/block.ts'
import { countUpTo } from './markdown/places.ts'
import { cellRanges, columnAligns } from './markdown/table-row.ts'
import { isLineEnd } from './markdown/white-space.ts'

/**
 * Returns a function that returns the header and the delimiter row of the table with a body row at an offset, in a compact form; an empty
 * string for other offsets.
 */
export function tableHeaders(input: InputText): (offset: number) => string {
  let last: { table: TableSpan; header: string } | undefined
  return (offset) => {
    const { text, structure } = input
    const { tables } = structure
    // A row that is larger than a chunk is cut. Only its first piece gets a header.
    if (!isLineEnd(text, offset - 1)) return ''
    const table = tables[countUpTo(tables, offset, ({ rowEnds }) => rowEnds[1] as number) - 1]
    if (table === undefined || offset >= (table.rowEnds.at(-1) as number)) return ''
    if (last?.table !== table) last = { table, header: compactHeader(text, table) }
    return last.header
  }
}

/** Returns the first two rows of a table without the blanks and dashes that only align its columns. Marks of lists and quotes are kept. */
function compactHeader(text: string, { rowStarts, rowEnds }: TableSpan): string {
  const line = (row: 0 | 1, cells: string) => {
    const start = rowStarts[row] as number
    let lineStart = start
    while (lineStart > 0 && !isLineEnd(text, lineStart - 1)) lineStart--
    return `${text.slice(lineStart, start)}|${cells}|\n`
  }
  const ranges = cellRanges(text, rowStarts[0] as number, rowEnds[0] as number)
  const cells: string[] = []
  for (let index = 0; index < ranges.length; index += 2) cells.push(` ${text.slice(ranges[index], ranges[index + 1])} `)
  const marks = { left: ':--', right: '--:', center: ':-:' }
  const aligns = columnAligns(text, rowStarts[1] as number, rowEnds[1] as number)
  return line(0, cells.join('|')) + line(1, aligns.map((align) => (align === null ? '---' : marks[align])).join('|'))
}
