/**
 * @module
 * Cuts a large table between rows; each part has the header again.
 */
import { countTokens, type Tokenizer } from '../count-tokens.ts'
import type { Element, TableData } from './element.ts'
import { tableJson, tableMarkdown } from './table-text.ts'

/** Where the lines of a table stand in the document, header and delimiter row first. */
export interface RowPlaces {
  rowStarts: readonly number[]
  rowEnds: readonly number[]
}

/** A part of a table as it goes into nodes. */
export interface TablePart {
  /** The part as Markdown. */
  text: string
  /** The part as data. */
  data: string
  startCharIdx: number | null
  endCharIdx: number | null
}

const places = new WeakMap<Element, RowPlaces>()

/** Remembers where the rows of a table are, for the places of its parts. */
export function rememberRows(element: Element, rows: RowPlaces): void {
  places.set(element, rows)
}

/** The parts of a table, each at most `limit` tokens where rows allow it; one part without a limit. */
export function tableParts(element: Element, limit: number | null, tokenizer: Tokenizer | null): TablePart[] {
  const { table, startCharIdx, endCharIdx } = element
  if (table === null) {
    return [{ text: element.element, data: element.element, startCharIdx, endCharIdx }]
  }
  const whole = tableMarkdown(table, table.rows)
  if (limit === null || table.rows.length < 2 || countTokens(whole, tokenizer) <= limit)
    return [{ text: whole, data: tableJson(table, table.rows), startCharIdx, endCharIdx }]
  const header = countTokens(tableMarkdown(table, []), tokenizer)
  // A header that takes more than half of a part is not worth repeating.
  const repeat = header <= limit / 2
  const costs = table.rows.map((row) => countTokens(rowLine(table, row), tokenizer))
  const parts: TablePart[] = []
  for (let first = 0; first < table.rows.length; ) {
    const withHeader = repeat || first === 0
    let room = limit - (withHeader ? header : 0) - (costs[first] as number)
    let end = first + 1
    while (end < table.rows.length && room >= (costs[end] as number)) room -= costs[end++] as number
    const rows = table.rows.slice(first, end)
    const place = places.get(element)
    parts.push({
      text: withHeader ? tableMarkdown(table, rows) : rows.map((row) => rowLine(table, row)).join(''),
      data: tableJson(table, rows),
      startCharIdx: first === 0 ? startCharIdx : (place?.rowStarts[first + 2] ?? startCharIdx),
      endCharIdx: place?.rowEnds[end + 1] ?? endCharIdx,
    })
    first = end
  }
  return parts
}

function rowLine(table: TableData, row: readonly string[]): string {
  const header = tableMarkdown(table, [])
  return tableMarkdown(table, [row]).slice(header.length)
}
