/**
 * @module
 * The body rows of tables in plain text, with the header of a column before each of its cells: CSV with commas, semicolons or tabs, columns
 * that blanks align, and rows with pipes. Markdown tables are read by `tableRows`.
 */
import { headerOf, type LabelledRow } from './labelled-text.ts'
import type { Range } from './plain-signs.ts'
import { cellsOf, contentStart } from './table-rows.ts'

/** Returns the places of the cells in a line. */
type Split = (line: string) => Range[]

/** A line that may be a header, in one way to read it. */
interface Header {
  split: Split
  cells: readonly Range[]
  /** The line in the source. */
  line: Range
}

/** No header is longer. */
const LONGEST_NAME = 60
/** A cell in quotes may contain so many line ends. */
const MOST_LINES = 10

/** A line of a frame, or below a header. */
const rule = /^[\s|+:=\u2500-\u257F-]+$/
const markdownRule = /^[\s|:-]+$/

const delimited =
  (sign: string): Split =>
  (line) => {
    const cells: Range[] = []
    if (!line.includes(sign)) return cells
    let [start, end, isQuoted] = [-1, 0, false]
    for (let at = 0; at <= line.length; at++) {
      const char = line[at] ?? sign
      if (char === sign && (!isQuoted || at === line.length)) {
        const isEnclosed = end - start > 1 && line[start] === '"' && line[end - 1] === '"'
        cells.push(
          start < 0 ? { start: at, end: at } : isEnclosed ? { start: start + 1, end: end - 1 } : { start, end },
        )
        start = -1
        isQuoted = false
      } else if (char.trim() !== '') {
        if (char === '"' && (start < 0 || isQuoted)) isQuoted = !isQuoted
        if (start < 0) start = at
        end = at + 1
      }
    }
    while (cells.at(-1)!.start === cells.at(-1)!.end && cells.length > 1) cells.pop()
    return cells
  }
const pipes: Split = (line) => {
  const row = line.replace(/[\u2502\u2503\u2551]/g, '|')
  return row.includes('|') ? cellsOf(row, row.search(/\S|$/), row.length).map(([start, end]) => ({ start, end })) : []
}
const aligned: Split = (line) =>
  [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: cell, index }) => ({ start: index, end: index + cell.length }))

const splits: readonly Split[] = [pipes, delimited('\t'), delimited(';'), delimited(','), aligned]

/** Returns the rows of the tables in plain text. */
export function* delimitedRows(source: string): Iterable<LabelledRow> {
  let headers: Header[] = []
  let isMarkdown = false
  for (let start = 0; start < source.length; ) {
    const line = { start, end: lineEnd(source, start, headers.length > 0) }
    start = line.end + 1
    const text = contentOf(source, line)
    if (text.trim() === '' || rule.test(text)) {
      const isRule = text.trim() !== ''
      if (isRule && (headers.length === 0 || !text.includes('|') || !markdownRule.test(text))) continue
      isMarkdown = isRule
      headers = []
    } else if (!isMarkdown) {
      const rows = headers.map((header) => ({ header, cells: header.split(text) }))
      const row =
        rows.find(({ header, cells }) => cells.length === header.cells.length) ??
        rows.find(({ header, cells }) => cells.length > 1 && cells.length < header.cells.length)
      if (row) {
        headers = [row.header]
        yield labelled(source, line, row.header, row.cells)
      } else if (headers.length === 0 || rows.some(({ cells }) => cells.length > 1)) headers = headersIn(text, line)
    }
  }
}

/** Returns the end of a line, or of a record whose cell in quotes contains line ends. */
function lineEnd(source: string, start: number, isInTable: boolean): number {
  let isOpen = false
  let first = -1
  for (let lines = 0, at = start; lines < MOST_LINES; lines++) {
    const next = source.indexOf('\n', at)
    const end = next === -1 ? source.length : next
    if (first < 0) first = end
    for (
      let quote = source.indexOf('"', at);
      isInTable && quote >= 0 && quote < end;
      quote = source.indexOf('"', quote + 1)
    )
      isOpen = !isOpen
    if (!isOpen) return end
    if (next === -1) break
    at = end + 1
  }
  return first
}

/** Returns a line with blanks for the marks of quotes before it. */
function contentOf(source: string, { start, end }: Range): string {
  const first = Math.min(contentStart(source, start), end)
  return ' '.repeat(first - start) + source.slice(first, end)
}

/** Returns the ways to read a line as the header of a table. */
function headersIn(text: string, line: Range): Header[] {
  return splits.flatMap((split) => {
    const cells = split(text)
    const names = cells.map(({ start, end }) => text.slice(start, end)).filter((name) => name !== '')
    return cells.length > 1 && names.length > 0 && names.every(isName) ? { split, cells, line } : []
  })
}

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && /\p{L}/u.test(text) && !/[{}<>=]|:.|\d{4}/.test(text)
}

function labelled(source: string, line: Range, header: Header, row: readonly Range[]): LabelledRow {
  const isByPlace = header.split === aligned && row.length !== header.cells.length
  let column = 0
  const cells = row.map(({ start, end }, index) => {
    if (!isByPlace) column = index
    else while (column + 1 < header.cells.length && header.cells[column + 1]!.start < end) column++
    const name = header.cells[column]!
    const at = header.line.start
    return {
      start: line.start + start,
      end: line.start + end,
      header: headerOf(source, at + name.start, at + name.end),
    }
  })
  return { start: line.start, head: header.line, below: '\n', group: '', cells }
}
