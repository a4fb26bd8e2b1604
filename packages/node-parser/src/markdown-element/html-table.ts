/**
 * @module
 * Tables written as HTML inside HTML blocks.
 */
import { type Block, type ContentLines, contentText } from '../markdown/block.ts'
import { decodeReference } from '../markdown/character-reference.ts'
import type { TableData } from './element.ts'
import { HtmlGrid } from './html-grid.ts'

/** A `<table>` element in the source. */
export interface HtmlTable {
  /** Its HTML, without container marks. */
  element: string
  start: number
  end: number
  /** Where the text before it ends; container marks right in front of it belong to nothing. */
  linesStart: number
  table: TableData
}

/** A table in one text, or why there is none: nothing starts, or nothing closes what starts. */
type Found = { start: number; end: number; table: TableData | null } | 'none' | 'open'

const TAG = /<!--|<(\/?)(table|caption|tr|th|td)\b([^<>]*)>/gi

/** The outermost tables that start in HTML blocks, in document order. */
export function htmlTables(
  text: string,
  blocks: readonly Block[],
  containedHtml: readonly ContentLines[],
): HtmlTable[] {
  const tables = [...rootTables(text, blocks), ...containedHtml.flatMap((lines) => containedTables(text, lines))]
  return tables.sort((one, other) => one.start - other.start)
}

/**
 * Tables in the blocks of the document itself. After a blank line a table goes on as text or code; anything else, such as a
 * heading, ends the search for its closing tag.
 */
function rootTables(text: string, blocks: readonly Block[]): HtmlTable[] {
  const tables: HtmlTable[] = []
  const endOfComment = commentEnds(text)
  let after = 0
  let limit = 0
  let last = 0
  let hopeless = -1
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
        const { start, end, table } = found
        after = end
        if (table !== null) tables.push({ element: text.slice(start, end), start, end, linesStart: start, table })
      }
    }
  }
  return tables
}

/** Tables in an HTML block of a quote or list item; they end with the block. */
function containedTables(text: string, lines: ContentLines): HtmlTable[] {
  const tables: HtmlTable[] = []
  const source = contentText(text, lines)
  const endOfComment = commentEnds(source)
  let line = 0
  let before = 0
  /** The place in the document of a place in `source`; asked for in ascending order. */
  const placeOf = (at: number): number => {
    for (;;) {
      const start = lines[line + 1] as number
      const length = (lines[line + 2] as number) - start
      if (at <= before + length) return start + at - before
      before += length + 1
      line += 3
    }
  }
  for (let from = 0; ; ) {
    const found = nextTable(source, from, source.length, source.length, endOfComment)
    if (typeof found === 'string') return tables
    const { start, end, table } = found
    from = end
    if (table === null) continue
    const place = placeOf(start)
    const linesStart = place === lines[line + 1] ? (lines[line] as number) : place
    tables.push({ element: source.slice(start, end), start: place, end: placeOf(end), linesStart, table })
  }
}

/** Finds the ends of comments; each is looked for once, so that many unclosed ones cost one search. */
function commentEnds(text: string): (from: number) => number {
  let end = -1
  return (from) => {
    if (end < from) {
      const found = text.indexOf('-->', from)
      end = found < 0 ? Number.POSITIVE_INFINITY : found
    }
    return end
  }
}

/** The next table that starts before `end` and is closed before `limit`. */
function nextTable(
  text: string,
  from: number,
  end: number,
  limit: number,
  endOfComment: (from: number) => number,
): Found {
  const pattern = new RegExp(TAG)
  pattern.lastIndex = from
  const grid = new HtmlGrid()
  let start = -1
  let depth = 0
  /** Where the text after the last tag starts, and the attributes of the cell that it is in. */
  let textStart = 0
  let cell: string | null = null
  const endText = (at: number) => {
    const content = plainText(text.slice(textStart, at))
    if (cell !== null) grid.addCell(content, spanOf('col', cell), spanOf('row', cell))
    else if (content !== '') grid.outside.push(content)
    cell = null
    textStart = pattern.lastIndex
  }
  for (let match = pattern.exec(text); match !== null && match.index < limit; match = pattern.exec(text)) {
    const { 0: tag, 1: slash, 2: name = '', 3: attributes = '', index } = match
    if (tag === '<!--') {
      const close = endOfComment(index)
      if (close >= limit) break
      pattern.lastIndex = close + 3
      continue
    }
    const kind = name.toLowerCase()
    const closing = slash === '/'
    if (depth === 0) {
      if (index >= end) return 'none'
      if (kind !== 'table' || closing) continue
      start = index
      textStart = pattern.lastIndex
      depth = 1
    } else if (kind === 'table') {
      depth += closing ? -1 : 1
      if (depth > 0) continue
      endText(index)
      return { start, end: pattern.lastIndex, table: grid.table() }
    } else if (depth === 1) {
      endText(index)
      if (kind === 'tr') grid.startRow()
      else if (kind !== 'caption' && !closing) cell = attributes
    }
  }
  return start < 0 ? 'none' : 'open'
}

function spanOf(direction: 'col' | 'row', attributes: string): number {
  const [, count] = new RegExp(`\\b${direction}span\\s*=\\s*["']?(\\d{1,4})`, 'i').exec(attributes) ?? []
  return Math.max(1, Number(count ?? 1))
}

const COMMENT = /<!--[\s\S]*?-->/g
/** Tags that part words; others, such as `<sub>`, stand inside them. */
const BREAK =
  /<\/?(?:[bh]r|p|div|[ou]l|li|d[ldt]|h[1-6]|pre|blockquote|table|caption|t(?:head|body|foot|[rhd]))\b[^<>]*>/gi
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z\d]+));/gi

/** What a reader sees, on one line. */
function plainText(html: string): string {
  return html
    .replace(COMMENT, '')
    .replace(BREAK, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(REFERENCE, (_, decimal?: string, hexadecimal?: string, name?: string) =>
      decodeReference(decimal ?? hexadecimal ?? name ?? '', decimal ? 10 : hexadecimal ? 16 : 0),
    )
    .replace(/\s+/g, ' ')
    .trim()
}
