/**
 * @module
 * Finds HTML tables inside the HTML blocks of a document.
 */
import { type Block, type ContentLines, contentText } from '../markdown/block.ts'
import { decodeReference } from '../markdown/character-reference.ts'
import type { TableData } from './element.ts'
import { HtmlGrid } from './html-grid.ts'

/** A `<table>` element in the source. */
export interface HtmlTable {
  /** The HTML source, without container marks. */
  element: string
  start: number
  end: number
  /** The end of the text before it; container marks directly before the table belong to no element. */
  linesStart: number
  table: TableData
}

/** A table in a string; `none` if no table starts, `open` if a table starts but is not closed. */
type Found = { start: number; end: number; table: TableData | null } | 'none' | 'open'

const TAG = /<!--|<(\/?)(table|caption|tr|th|td)\b([^<>]*)>/gi

/** Returns the outermost tables that start in HTML blocks, in document order. */
export function htmlTables(
  text: string,
  blocks: readonly Block[],
  containedHtml: readonly ContentLines[],
): HtmlTable[] {
  const tables = [...rootTables(text, blocks), ...containedHtml.flatMap((lines) => containedTables(text, lines))]
  return tables.sort((one, other) => one.start - other.start)
}

/**
 * Returns the tables in the root blocks of the document. After a blank line a table may continue as a paragraph or code block;
 * any other block, such as a heading, ends the search for its closing tag.
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

/** Returns the tables in an HTML block of a quote or list item; they end with the block. */
function containedTables(text: string, lines: ContentLines): HtmlTable[] {
  const tables: HtmlTable[] = []
  const source = contentText(text, lines)
  const endOfComment = commentEnds(source)
  let line = 0
  let before = 0
  /** Maps an offset in `source` to the document. Must be called in ascending order. */
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

/** Returns a function that finds the end of a comment. Searches are cached, so that many unclosed comments cost one search. */
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

/** Finds the next table that starts before `end` and is closed before `limit`. */
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
  /** The start of the text after the last tag, and the attributes of the cell that contains it. */
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
/** Tags that separate words; others, such as `<sub>`, may occur inside a word. */
const BREAK =
  /<\/?(?:[bh]r|p|div|[ou]l|li|d[ldt]|h[1-6]|pre|blockquote|table|caption|t(?:head|body|foot|[rhd]))\b[^<>]*>/gi
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z\d]+));/gi

/** Returns the visible text on one line. */
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
