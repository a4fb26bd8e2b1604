/**
 * @module
 * The body rows of the Markdown tables in a string, with the header of a column before each of its cells, because a header says what a cell
 * contains: `phone: 030 901820`.
 */

/** A table: the offsets of its header row without the line end, and of its body rows. */
export interface TablePlace {
  head: number
  headEnd: number
  columns: number
  body: number
  end: number
}

/** A cell: its offset in the text of the rows and in the source, its length, and the header of its column. */
interface CellPlace {
  at: number
  from: number
  length: number
  header: string
}

/** The text of all rows, and the places of their cells in ascending order. */
interface TableRows {
  text: string
  cells: readonly CellPlace[]
}

/** Only the words before a cell are read, so that a long header is not repeated for each row. */
const LONGEST_HEADER = 40
/** No label reaches from a row into the next one. */
const BETWEEN = '\n'.repeat(12)
/** The marks of block quotes and the indentation of lists. */
const container = /[ \t>]*/y
const otherBlock = /(?:#{1,6}\s|`{3}|~{3}|[-*+][ \t]|\d{1,9}[.)][ \t])/y

const isAt = (form: RegExp, text: string, at: number): boolean => {
  form.lastIndex = at
  return form.test(text)
}

/** Returns the places of the tables in a string. */
export function tablePlaces(text: string): TablePlace[] {
  const tables: TablePlace[] = []
  if (!text.includes('|')) return tables
  let head = 0
  let headEnd = -1
  let open: TablePlace | undefined
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    const first = contentStart(text, start)
    if (open && (first >= end || isAt(otherBlock, text, first) || text.slice(start, end).trim() === ''))
      open = undefined
    if (open) open.end = end
    else if (headEnd >= 0 && isDelimiter(text, first, end)) {
      const columns = cellsOf(text, first, end).length
      if (columns === cellsOf(text, contentStart(text, head), headEnd).length) {
        open = { head, headEnd, columns, body: Math.min(end + 1, text.length), end }
        tables.push(open)
      }
    }
    head = start
    headEnd = end
    start = end + 1
  }
  return tables
}

/** Returns the rows of the tables in a string; undefined if it has none. */
export function tableRows(source: string): TableRows | undefined {
  const tables = tablePlaces(source)
  if (tables.length === 0) return undefined
  const parts: string[] = []
  const cells: CellPlace[] = []
  let length = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const { head, headEnd, body, end } of tables) {
    const headers = cellsOf(source, contentStart(source, head), headEnd).map((place) => headerOf(source, place))
    for (let start = body; start < end; ) {
      const next = source.indexOf('\n', start)
      const lineEnd = next === -1 ? end : Math.min(next, end)
      const row = cellsOf(source, contentStart(source, start), lineEnd)
      for (const [index, [from, until]] of row.entries()) {
        if (index === headers.length) break
        if (from === until) continue
        const header = headers[index]!
        add(header === '' ? '' : `${header}: `)
        cells.push({ at: length, from, length: until - from, header })
        add(`${source.slice(from, until)}\n`)
      }
      add(BETWEEN)
      start = lineEnd + 1
    }
  }
  return { text: parts.join(''), cells }
}

/** Returns the cell that contains a range: of the text of the rows by `at`, of the source by `from`. */
export function cellAround(
  cells: readonly CellPlace[],
  by: 'at' | 'from',
  start: number,
  end: number,
): CellPlace | undefined {
  let low = 0
  let high = cells.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (cells[middle]![by] <= start) low = middle + 1
    else high = middle
  }
  const cell = cells[low - 1]
  return cell && end <= cell[by] + cell.length ? cell : undefined
}

function contentStart(text: string, start: number): number {
  container.lastIndex = start
  container.test(text)
  return container.lastIndex
}

function isDelimiter(text: string, start: number, end: number): boolean {
  if (!/[|:-]/.test(text[start] ?? '')) return false
  const line = text.slice(start, end)
  if (!line.includes('|') || !/^[|:\-\s]+$/.test(line)) return false
  return cellsOf(text, start, end).every(([from, until]) => /^:?-+:?$/.test(text.slice(from, until)))
}

function headerOf(text: string, [from, until]: readonly [number, number]): string {
  if (until - from <= LONGEST_HEADER) return text.slice(from, until)
  return text.slice(until - LONGEST_HEADER, until).replace(/^[\p{L}\p{N}]+/u, '')
}

/** Returns the places of the cells of a row without blanks around them; `\|` does not separate cells. */
function cellsOf(text: string, first: number, end: number): [number, number][] {
  const cells: [number, number][] = []
  let start = -1
  let last = first
  const close = (at: number) => {
    cells.push(start < 0 ? [at, at] : [start, last])
    start = -1
  }
  for (let at = text[first] === '|' ? first + 1 : first; at < end; at++) {
    const char = text[at]!
    if (char === '|') close(at)
    else if (!/\s/.test(char)) {
      if (start < 0) start = at
      if (char === '\\' && at + 1 < end && /[\\|]/.test(text[at + 1]!)) at++
      last = at + 1
    }
  }
  if (start >= 0) close(end)
  return cells
}
