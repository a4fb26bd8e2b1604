/**
 * @module
 * Finds HTML tables inside the HTML blocks of a document.
 */
import { type Block, type ContentLines, contentText, newBlock } from '../markdown/block.ts'
import type { TableData } from './element.ts'
import { HtmlTableBuilder } from './html-table-builder.ts'
import { readToken, type Tag } from './html-token.ts'

/** A `<table>` element in the source. */
export interface HtmlTable {
  /** The HTML source, without container marks. */
  element: string
  start: number
  end: number
  /** The end of the text before the table. Container marks directly before the table belong to no element. */
  linesStart: number
  table: TableData
}

/** The elements whose content is text up to their end tag, and whether the text is visible. */
const RAW_ELEMENTS: Readonly<Record<string, { until: RegExp; isVisible: boolean }>> = Object.fromEntries(
  ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    { until: new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi'), isVisible: name === 'textarea' || name === 'xmp' },
  ]),
)

/** Content without tags: a comment, or the content of a raw element, which ends before its end tag. */
interface Passage {
  until: RegExp
  isVisible: boolean
  endsBefore: boolean
}

/**
 * Receives the root blocks of a document in order and finds the outermost tables that start in HTML blocks. After a blank line a
 * table may continue as a paragraph or code block; any other block, such as a heading, ends the search for its closing tag.
 */
export class HtmlTableFinder {
  /** The end of the text that was read. */
  private position = 0
  private builder: HtmlTableBuilder | null = null
  private passage: Passage | null = null
  /** The depth of open `template` elements, whose content is not part of the document. */
  private templates = 0
  private found: HtmlTable[] = []

  /** The start of the open table; infinity if no table is open. */
  get openStart(): number {
    return this.builder?.start ?? Number.POSITIVE_INFINITY
  }

  /** Returns the tables that were found since the last call, in order. */
  take(): HtmlTable[] {
    const { found } = this
    this.found = []
    return found
  }

  /** Subtracts `count` from all offsets, after that many characters were removed from the start of the text. */
  rebase(count: number): void {
    this.position -= count
    if (this.builder !== null) this.builder.start -= count
  }

  /** Ends the search for a closing tag if the table cannot continue after the start of this block. */
  endBefore({ kind }: Block): boolean {
    if (kind === 'html' || kind === 'paragraph' || kind === 'code') return false
    this.builder = null
    this.passage = null
    this.templates = 0
    return true
  }

  /** Reads a complete block. */
  read(text: string, block: Block): void {
    if (this.endBefore(block)) return
    const { kind, start, end } = block
    // A slice, so that no search goes beyond the end of the block.
    const source = text.slice(0, end)
    this.builder?.addText('\n')
    this.position = Math.max(this.position, start)
    while (this.position < end && (kind === 'html' || this.isInside())) {
      if (this.passage !== null) this.readPassage(source, this.passage)
      else this.readText(source)
    }
  }

  private isInside(): boolean {
    return this.builder !== null || this.passage !== null || this.templates > 0
  }

  private readPassage(source: string, { until, isVisible, endsBefore }: Passage): void {
    until.lastIndex = this.position
    const match = until.exec(source)
    const end = match?.index ?? source.length
    if (isVisible) this.addText(source.slice(this.position, end))
    if (match !== null) this.passage = null
    this.position = match === null || endsBefore ? end : end + match[0].length
  }

  /** Reads the text up to the next tag, and the tag. */
  private readText(source: string): void {
    const found = source.indexOf('<', this.position)
    const start = found < 0 ? source.length : found
    this.addText(source.slice(this.position, start))
    this.position = start
    if (found < 0) return
    const token = readToken(source, start)
    if (token === null || token === 'unclosed') {
      // An unclosed tag and everything after it in this block is text.
      this.position = token === null ? start + 1 : source.length
      this.addText(source.slice(start, this.position))
    } else if (token.kind === 'comment') {
      this.position = token.bodyStart
      this.passage = { until: token.until, isVisible: false, endsBefore: false }
    } else {
      this.position = token.end
      this.readTag(source, token)
    }
  }

  private addText(source: string): void {
    if (this.templates === 0 && source !== '') this.builder?.addText(source)
  }

  private readTag(source: string, tag: Tag): void {
    const { name, closing } = tag
    if (!closing && Object.hasOwn(RAW_ELEMENTS, name)) {
      const { until, isVisible } = RAW_ELEMENTS[name] as { until: RegExp; isVisible: boolean }
      this.passage = { until, isVisible, endsBefore: true }
    }
    if (name === 'template') this.templates = Math.max(0, this.templates + (closing ? -1 : 1))
    if (name === 'template' || this.templates > 0) return
    const step = this.builder?.addTag(source, tag) ?? 'open'
    if (step !== 'open') this.finish(source, step === 'ended' ? tag.end : tag.start)
    if (name === 'table' && !closing) this.builder ??= new HtmlTableBuilder(tag.start)
  }

  private finish(source: string, end: number): void {
    const { builder } = this
    this.builder = null
    const table = builder?.table() ?? null
    if (builder === null || table === null) return
    const { start } = builder
    this.found.push({ element: source.slice(start, end), start, end, linesStart: start, table })
  }
}

/** Returns a table without the blanks at its end. A table without an end tag ends where the next table starts. */
export function withoutBlankEnd(found: HtmlTable): HtmlTable {
  const element = found.element.trimEnd()
  return { ...found, element, end: found.start + element.length }
}

/** Returns the tables in an HTML block of a quote or list item; they end with the block. */
export function containedTables(text: string, lines: ContentLines): HtmlTable[] {
  const source = contentText(text, lines)
  const finder = new HtmlTableFinder()
  finder.read(source, newBlock('html', 0, source.length))
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
  return finder.take().map((table) => {
    const found = withoutBlankEnd(table)
    const start = placeOf(found.start)
    const linesStart = start === lines[line + 1] ? (lines[line] as number) : start
    return { ...found, start, linesStart, end: placeOf(found.end) }
  })
}
