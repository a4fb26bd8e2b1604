/**
 * @module
 * Splits a large table between rows; each part repeats the header.
 */
import type { Tokenizer } from '@x/core-model'
import { countTokens } from '../count-tokens.ts'
import { countDelimiterCells } from '../markdown/table-row.ts'
import type { Element } from './element.ts'
import { headerLines, rowLine } from './table-text.ts'

/** The offsets of the lines of a table, header and delimiter row first. Only their differences are used: the text may have been cut. */
export interface RowPlaces {
  rowStarts: readonly number[]
  rowEnds: readonly number[]
}

/** A part of a table. */
export interface TablePart {
  /** The part as Markdown. */
  text: string
  /** The part as JSON; for a table with surplus cells the text. */
  data: string
  startCharIdx: number | null
  endCharIdx: number | null
}

const places = new WeakMap<Element, RowPlaces>()

/** Stores the offsets of the rows of a table, for the offsets of its parts. */
export function rememberRows(element: Element, rows: RowPlaces): void {
  places.set(element, rows)
}

/**
 * Returns the parts of a table: of at most `limit` tokens, unless a single row is larger. Without a limit there is one part.
 * The first part is smaller by the tokens of `before`, the text that the caller puts in front of it.
 */
export function tableParts(
  element: Element,
  limit: number | null,
  tokenizer: Tokenizer | null,
  before: string,
): TablePart[] {
  const { table, startCharIdx, endCharIdx } = element
  const { above, header, rows } = linesOf(element)
  const cells = (first: number, end: number) =>
    table && JSON.stringify({ columns: table.columns, rows: table.rows.slice(first, end) })
  const whole = above + header + rows.join('')
  if (limit === null || rows.length < 2 || countTokens(before + whole, tokenizer) <= limit)
    return [{ text: whole, data: cells(0, rows.length) ?? whole, startCharIdx, endCharIdx }]

  const place = places.get(element)
  const moved = (offset: number | undefined, unknown: number | null) =>
    startCharIdx === null || offset === undefined ? unknown : startCharIdx + offset - (place?.rowStarts[0] as number)
  const headerCost = countTokens(header, tokenizer)
  // A header that takes more than half of a part is not worth repeating.
  const repeat = headerCost <= limit / 2
  const costs = rows.map((row) => countTokens(row, tokenizer))
  const parts: TablePart[] = []
  for (let first = 0; first < rows.length; ) {
    const top = first === 0 ? above + header : repeat ? header : ''
    let room =
      limit - (first === 0 ? countTokens(before + top, tokenizer) : repeat ? headerCost : 0) - (costs[first] as number)
    let end = first + 1
    while (end < rows.length && room >= (costs[end] as number)) room -= costs[end++] as number
    const text = top + rows.slice(first, end).join('')
    parts.push({
      text,
      data: cells(first, end) ?? text,
      startCharIdx: first === 0 ? startCharIdx : moved(place?.rowStarts[first + 2], startCharIdx),
      endCharIdx: moved(place?.rowEnds[end + 1], endCharIdx),
    })
    first = end
  }
  return parts
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
