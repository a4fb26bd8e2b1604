/**
 * @module
 * Splits a large table between rows; each part repeats the header.
 */
import { lazy } from '@x/core/values'
import type { Tokenizer } from '@x/core-model'
import { chunkText } from '../chunk-text.ts'
import { countTokens, tokenCounter } from '../count-tokens.ts'
import { countDelimiterCells } from '../markdown/table-row.ts'
import type { Element } from './element.ts'
import { rowNames } from './summarize-table.ts'
import { headerLines, rowLine } from './table-text.ts'

/** The offsets of the lines of a table, header and delimiter row first. Only their differences are used, because text may be dropped. */
export interface RowPlaces {
  rowStarts: readonly number[]
  rowEnds: readonly number[]
}

/** A part of a table. */
export interface TablePart {
  /** The part as Markdown; the first part is below the summary if both fit. */
  text: string
  /** The part without the summary. */
  content: string
  /** The text of the index node: the summary, which names the rows of the part if it names those of its table. */
  indexText: string
  /**
   * The part as JSON; its text for a table with surplus cells. If the names of the columns are longer than a part may be, and than the rows
   * of this one, only the first part has them.
   */
  data: string
  startCharIdx: number | null
  endCharIdx: number | null
  /** The rows whose cells are in `data`: from this one to before `endRow`. */
  firstRow: number
  endRow: number
}

const places = new WeakMap<Element, RowPlaces>()

/** Stores the offsets of the rows of a table, for the offsets of its parts. */
export function rememberRows(element: Element, rows: RowPlaces): void {
  places.set(element, rows)
}

/**
 * Returns the parts of a table. No part is larger than `limit` tokens: the summary and repeated headers are omitted if they do not fit,
 * and a row or a header that is larger is cut. Returns one part without a limit.
 */
export function tableParts(
  element: Element,
  limit: number | null,
  tokenizer: Tokenizer | null,
  summary: string,
): TablePart[] {
  const { startCharIdx, endCharIdx } = element
  const { above, header, rows } = linesOf(element)
  const content = above + header + rows.join('')
  const text = `${summary}\n${content}`
  if (limit === null || countTokens(text, tokenizer) <= limit) {
    const data = dataOf(element, 0, rows.length) ?? content
    return [{ text, content, indexText: summary, data, startCharIdx, endCharIdx, firstRow: 0, endRow: rows.length }]
  }
  const parts = splitTable(element, limit, tokenizer, summary)
  const first = fitting(summary, limit, tokenizer)
  const others = fitting(summary.trimEnd(), limit, tokenizer)
  const ofRows = summaryOfRows(element, limit, tokenizer, summary)
  for (const [index, part] of parts.entries()) {
    const own = ofRows?.(part.indexText)
    const fit = (text: string) => fitting(text, limit, tokenizer)
    if (index === 0) part.indexText = (own === undefined ? first : fit(own))('')
    else part.indexText = (own === undefined ? others : fit(own.trimEnd()))(`\n(part ${index + 1} of ${parts.length})`)
  }
  return parts
}

/** Returns a function that returns the summary with the names of other rows; null if the summary does not name the rows of its table. */
function summaryOfRows(
  element: Element,
  limit: number,
  tokenizer: Tokenizer | null,
  summary: string,
): ((names: string) => string) | null {
  const { tableOutput } = element
  const names = rowNames(element)
  const end = tableOutput?.summary.length ?? 0
  if (names === '' || !summary.slice(0, end).endsWith(names)) return null
  // The parts may be as many as the columns, so that only what may fit of the summary is added to each.
  const [before, after] = [summary.slice(0, end - names.length), summary.slice(end)].map((text) =>
    startWithin(text, limit, tokenizer),
  ) as [string, string]
  return (own) => {
    const text = `${own === '' ? before.replace(/; $/, '') : before}${own}${after}`
    return text.trim() === '' ? summary : text
  }
}

/** Returns the rows from `first` to `end` as JSON; null for a table with surplus cells. */
function dataOf(
  { table }: Element,
  first: number,
  end: number,
  without: 'unnamed' | 'none' | false = false,
): string | null {
  if (table === null) return null
  const { columns, rows } = table
  const named = without === false ? columns : without === 'none' ? [] : columns.map(() => '')
  return JSON.stringify({ columns: named, rows: rows.slice(first, end) })
}

function splitTable(element: Element, limit: number, tokenizer: Tokenizer | null, summary: string): TablePart[] {
  const { above, header, rows } = linesOf(element)
  const parts: TablePart[] = []
  const columnsCost = lazy(() => cost(dataOf(element, 0, 0) ?? ''))
  const partData = (first: number, end: number) => {
    const rowsCost = costs.slice(first, end).reduce((sum, each) => sum + each, 0)
    const isShort = parts.length > 0 && columnsCost() > Math.max(limit, rowsCost)
    return dataOf(element, first, end, isShort && (end > first ? 'unnamed' : 'none'))
  }
  /** Adds the rows from `first` to `end`, with the cells of those before `dataEnd`; row -1 is the header. */
  const add = (before: string, content: string, first: number, end: number, dataEnd = end) =>
    parts.push({
      text: before + content,
      content,
      indexText: rowNames(element, Math.max(first, 0), end),
      data: partData(Math.max(first, 0), dataEnd) ?? content,
      startCharIdx: first < (withTop ? 1 : 0) ? element.startCharIdx : rowPlace(element, first).start,
      endCharIdx: rowPlace(element, end - 1).end,
      firstRow: Math.max(first, 0),
      endRow: dataEnd,
    })
  const addCut = (line: string, first: number, end: number) =>
    cut(line, limit, tokenizer).forEach((piece, index) => {
      add('', piece, first, end, index === 0 ? end : Math.max(first, 0))
    })

  const cost = (text: string) => countTokens(text, tokenizer)
  const costs = rows.map(cost)
  const top = above + header
  const fits = (head: string, row: number) => cost(head) + (costs[row] ?? limit) <= limit
  const withSummary = fits(`${summary}\n${top}`, 0)
  const withTop = withSummary || fits(top, 0)
  if (!withTop && top !== '') addCut(top, -1, 0)
  // A header that takes more than half of a part is not repeated.
  const repeated = cost(header) <= limit / 2 ? header : ''
  for (let first = 0; first < rows.length; ) {
    const before = first === 0 && withSummary ? `${summary}\n` : ''
    const head = first === 0 ? (withTop ? top : '') : fits(repeated, first) ? repeated : ''
    let room = limit - cost(before + head) - (costs[first] as number)
    let end = first + 1
    if (room < 0) addCut(rows[first] as string, first, end)
    else {
      while (end < rows.length && room >= (costs[end] as number)) room -= costs[end++] as number
      const text = () => head + rows.slice(first, end).join('')
      // The tokens of a string may be more than those of its lines.
      while (end > first + 1 && cost(before + text()) > limit) end--
      add(before, text(), first, end)
    }
    first = end
  }
  return parts
}

/** Returns the range of a row in the document, or that of its table if it is unknown; row -1 ends with the delimiter row. */
export function rowPlace(element: Element, row: number): { start: number | null; end: number | null } {
  const { startCharIdx: start, endCharIdx: end } = element
  const place = places.get(element)
  if (place === undefined || start === null) return { start, end }
  const moved = start - (place.rowStarts[0] as number)
  return { start: (place.rowStarts[row + 2] as number) + moved, end: (place.rowEnds[row + 2] as number) + moved }
}

/** Returns pieces of a string of at most `limit` tokens. */
function cut(text: string, limit: number, tokenizer: Tokenizer | null): string[] {
  const count = tokenCounter(text, 0, text.length, tokenizer)
  if (count(0, text.length) <= limit) return [text]
  const chunks = chunkText(text, 0, text.length, [], { chunkSize: limit, chunkOverlap: 0, count })
  return chunks.map(({ start, end }) => text.slice(start, end))
}

/** Returns the longest start of a string that has at most `limit` tokens. */
export function startWithin(text: string, limit: number, tokenizer: Tokenizer | null): string {
  return cut(text, limit, tokenizer)[0] ?? ''
}

/** Returns a function that adds a suffix to a string, in at most `limit` tokens if the suffix leaves room. */
function fitting(text: string, limit: number, tokenizer: Tokenizer | null): (suffix: string) => string {
  const isLong = countTokens(text, tokenizer) > limit
  /** The longest start of the string by its limit: few suffixes have different sizes. */
  const starts = new Map<number, string>()
  const startOf = (room: number) => {
    const start = starts.get(room) ?? startWithin(text, room, tokenizer)
    starts.set(room, start)
    return start
  }
  return (suffix) => {
    if (!isLong && countTokens(text + suffix, tokenizer) <= limit) return text + suffix
    const room = limit - countTokens(suffix, tokenizer)
    return room < 1 ? startOf(limit) : startOf(room) + suffix
  }
}

/** Returns the text above the header, the header with the delimiter row, and the rows, each with its line ending. */
function linesOf({ table, element }: Element): { above: string; header: string; rows: string[] } {
  if (table !== null) {
    const above = table.caption === undefined ? '' : `${table.caption}\n\n`
    return { above, header: headerLines(table), rows: table.rows.map(rowLine) }
  }
  const lines = element.split(/(?<=\n)/)
  const [, delimiters = ''] = lines
  const isTable = countDelimiterCells(delimiters, 0, delimiters.trimEnd().length) > 0
  return { above: '', header: isTable ? lines.splice(0, 2).join('') : '', rows: lines }
}
