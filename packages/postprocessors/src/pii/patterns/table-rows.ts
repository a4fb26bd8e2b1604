/**
 * @module
 * The body rows of the Markdown tables in a string, with the header of a column before each of its cells, because a header says what a cell
 * contains: `phone: 030 901820`.
 */
import { headerOf, type LabelledRow } from './labelled-text.ts'

/** A table: the offsets of its header row without the line end, and of its body rows. */
export interface TablePlace {
  head: number
  headEnd: number
  columns: number
  body: number
  end: number
}

/** The marks of block quotes and the indentation of lists; the first row of a table may be behind the marker of its item. */
const container = /[ \t>]*/y
const itemStart = /(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}(?=[>|]))*/y
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
      if (columns === cellsOf(text, contentStart(text, head, itemStart), headEnd).length) {
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

/** Returns the body rows of the tables in a string, with the header of each cell. */
export function* tableRows(source: string): Iterable<LabelledRow> {
  for (const { head, headEnd, body, end } of tablePlaces(source)) {
    const headers = cellsOf(source, contentStart(source, head, itemStart), headEnd).map((place) =>
      headerOf(source, ...place),
    )
    for (let start = body; start < end; ) {
      const next = source.indexOf('\n', start)
      const lineEnd = next === -1 ? end : Math.min(next, end)
      const cells = cellsOf(source, contentStart(source, start), lineEnd).slice(0, headers.length)
      yield {
        start,
        head: { start: head, end: headEnd },
        below: `\n${'|-'.repeat(headers.length)}|\n`,
        group: '',
        cells: cells.map(([from, until], index) => ({ start: from, end: until, header: headers[index]! })),
      }
      start = lineEnd + 1
    }
  }
}

/** Returns the offset behind the marks of quotes and the indentation with which a line begins. */
export function contentStart(text: string, start: number, marks = container): number {
  marks.lastIndex = start
  marks.test(text)
  return marks.lastIndex
}

function isDelimiter(text: string, start: number, end: number): boolean {
  if (!/[|:-]/.test(text[start] ?? '')) return false
  const line = text.slice(start, end)
  if (!line.includes('|') || !/^[|:\-\s]+$/.test(line)) return false
  return cellsOf(text, start, end).every(([from, until]) => /^:?-+:?$/.test(text.slice(from, until)))
}

/** Returns the places of the cells of a row without blanks around them; `\|` does not separate cells. */
export function cellsOf(text: string, first: number, end: number): [number, number][] {
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
