/**
 * @module
 * Tables written as HTML inside HTML blocks.
 */
import type { Block } from '../markdown/block.ts'
import type { TableData } from './element.ts'

/** A `<table>` element in the source. */
export interface HtmlTable {
  start: number
  end: number
  table: TableData
}

/** A row holds at most this many cells, so that a `colspan` cannot ask for a million. */
const MOST_CELLS = 1000

const TAG = /<!--|<(\/?)(table|tr|th|td|br)\b([^<>]*)>/gi

/**
 * The outermost tables that start in HTML blocks. After a blank line a table goes on as text or code;
 * anything else, such as a heading, ends the search for its closing tag.
 */
export function htmlTables(text: string, blocks: readonly Block[]): HtmlTable[] {
  const tables: HtmlTable[] = []
  let after = 0
  let limit = 0
  let last = 0
  let hopeless = -1
  let commentEnd = -1
  const endOfComment = (from: number): number => {
    // Looked for once per comment, so that many unclosed ones cost one search.
    if (commentEnd < from) {
      const found = text.indexOf('-->', from)
      commentEnd = found < 0 ? Number.POSITIVE_INFINITY : found
    }
    return commentEnd
  }
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== 'html') continue
    if (index >= last) {
      for (last = index; last < blocks.length; last++) {
        const { kind, end } = blocks[last] as Block
        if (kind !== 'html' && kind !== 'paragraph' && kind !== 'code') break
        limit = end
      }
    }
    for (let from = Math.max(block.start, after); from < block.end && hopeless !== limit; from = after) {
      const found = nextTable(text, from, block.end, limit, endOfComment)
      if (found === 'none') break
      if (found === 'open') hopeless = limit
      else {
        after = found.end
        if (found.table.columns.length > 0) tables.push(found)
      }
    }
  }
  return tables
}

/** The next table that starts before `end` and is closed before `limit`. */
function nextTable(
  text: string,
  from: number,
  end: number,
  limit: number,
  endOfComment: (from: number) => number,
): HtmlTable | 'none' | 'open' {
  const pattern = new RegExp(TAG)
  pattern.lastIndex = from
  const rows: string[][] = []
  let start = -1
  let depth = 0
  let row: string[] | null = null
  let cellStart = -1
  let span = 1
  const endCell = (at: number) => {
    if (cellStart < 0) return
    const cell = cellText(text.slice(cellStart, at))
    if (row === null) rows.push((row = []))
    for (let count = 0; count < span && row.length < MOST_CELLS; count++) row.push(cell)
    cellStart = -1
  }
  for (let match = pattern.exec(text); match !== null && match.index < limit; match = pattern.exec(text)) {
    const [tag, closing, name, attributes] = match
    if (tag === '<!--') {
      const close = endOfComment(match.index)
      if (close >= limit) break
      pattern.lastIndex = close + 3
      continue
    }
    const kind = (name as string).toLowerCase()
    if (depth === 0) {
      if (match.index >= end) return 'none'
      if (kind !== 'table' || closing === '/') continue
      start = match.index
      depth = 1
    } else if (kind === 'table') {
      depth += closing === '/' ? -1 : 1
      if (depth > 0) continue
      endCell(match.index)
      return { start, end: pattern.lastIndex, table: gridOf(rows, pattern.lastIndex - start) }
    } else if (depth === 1 && kind !== 'br') {
      endCell(match.index)
      if (kind === 'tr') {
        row = null
        if (closing === '') rows.push((row = []))
      } else if (closing === '') {
        cellStart = pattern.lastIndex
        const columns = /\bcolspan\s*=\s*["']?(\d{1,4})/i.exec(attributes as string)
        span = Math.max(1, Number(columns?.[1] ?? 1))
      }
    }
  }
  return start < 0 ? 'none' : 'open'
}

/** The first row that holds cells is the header. A grid of far more cells than the source has characters is none. */
function gridOf(rows: string[][], size: number): TableData {
  const [columns = [], ...body] = rows.filter((row) => row.length > 0)
  const width = body.reduce((widest, row) => Math.max(widest, row.length), columns.length)
  if (width * body.length > 16 * size + MOST_CELLS) return { columns: [], rows: [], align: [] }
  for (const row of [columns, ...body]) while (row.length < width) row.push('')
  return { columns, rows: body, align: columns.map(() => null) }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The text of a cell on one line, without tags. */
function cellText(html: string): string {
  return html
    .replace(/<!--[^<]*?-->/g, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] as string) : whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
    .replace(/\s+/g, ' ')
    .trim()
}
