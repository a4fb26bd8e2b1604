/**
 * @module
 * Finds the blocks and tables of a Markdown document, line by line and in one pass. The result equals that of micromark, even
 * where micromark differs from CommonMark. micromark itself parses link definitions only.
 */
import { isBlank, skipBlanks, trimBlanks } from './blanks.ts'
import { type Block, type BlockStructure, contentText, newBlock, type TableSpan } from './block.ts'
import * as Char from './character-codes.ts'
import { endsHtml, type HtmlKind, htmlEndSearchStart, htmlKind } from './html-block.ts'
import { atxDepth, atxText, fenceLength, isRun } from './line-marks.ts'
import type { ConstructReader, MarkdownSyntax } from './mdx.ts'
import { afterDefinitions } from './micromark.ts'
import { countCells, countDelimiterCells } from './table-row.ts'

/** The kinds of the innermost open block. */
export const NONE = 0
const PARAGRAPH = 1
const FENCE = 2
export const HTML = 3
const INDENTED = 4
export const TABLE = 5

/**
 * Scans lines in order. The open containers and the open block are kept between calls of `scan`, so a document may be scanned
 * in parts that consist of complete lines.
 */
export class BlockScanner implements BlockStructure {
  blocks: Block[] = []
  tables: TableSpan[] = []
  bracketParagraphs: number[][] = []
  containedHtml: number[][] = []

  /** The open containers, outermost first: 62 for a quote, otherwise the list marker; and the content column of list items. */
  protected readonly containers: number[] = []
  private readonly widths: number[] = []
  /** The index of the first quote among the open containers. */
  private firstQuote = Number.POSITIVE_INFINITY
  protected container: Block | null = null
  /** Whether the innermost list item began with a blank line, and whether a second one followed. */
  private blankStart = false
  private blankAgain = false

  protected leaf = NONE
  protected block: Block | null = null
  protected table: TableSpan | null = null
  /** The character and length of the open fence; `size` is also the kind of the open HTML block. */
  private marker = 0
  private size = 0
  /** The lines of an HTML block in a container. */
  protected htmlLines: number[] | null = null
  /** The lines of the paragraph; three numbers per line: start of the line, start and end of its text. */
  protected lines: number[] = []
  /** Whether the last line of the paragraph may be the header of a table. */
  private mayHead = false

  private readonly syntax: MarkdownSyntax | null
  /** The indentation at which code begins; infinity if the syntax has no indented code. */
  private readonly codeIndent: number
  private readConstruct: ConstructReader | null = null
  /** The end of the open construct of the syntax. Lines that start before it belong to the construct. */
  private constructEnd = 0

  private text = ''
  /** The end of the scanned range: a line that ends there has no line ending. */
  private limit = 0
  private position = 0
  private column = 0
  private rest = 0

  constructor(syntax: MarkdownSyntax | null = null) {
    this.syntax = syntax
    this.codeIndent = syntax === null ? 4 : Number.POSITIVE_INFINITY
  }

  /** Scans the complete lines of `text` from `start` to `end`. `text` may grow between calls; offsets of its old part must not change. */
  scan(text: string, start: number, end: number): void {
    this.text = text
    this.limit = end
    this.readConstruct ??= this.syntax?.reader(text) ?? null
    let lineStart = start
    // The next line feed and carriage return. Cached, so that text without one of these characters is searched once.
    let feed = -1
    let returns = -1
    while (lineStart < end) {
      if (feed < lineStart) feed = indexOrEnd(text, '\n', lineStart, end)
      if (returns < lineStart) returns = indexOrEnd(text, '\r', lineStart, end)
      const lineEnd = Math.min(feed, returns)
      if (lineStart >= this.constructEnd) this.line(lineStart, lineEnd)
      lineStart = lineEnd === returns && feed === returns + 1 && feed < end ? feed + 1 : lineEnd + 1
    }
  }

  private line(start: number, end: number): void {
    this.position = start
    this.column = 0
    this.rest = 0
    this.nextText = -1
    this.spoiledMarker = 0
    if (this.isBlankAt(end)) {
      this.blankLine()
      return
    }

    const open = this.containers.length
    let matched = 0
    let interrupts = false
    let fresh = false
    while (matched < this.containers.length) {
      const marker = this.containers[matched] as number
      if (marker === Char.GREATER) {
        if (!this.takeQuote(end)) break
      } else if (!this.matchItem(matched, end)) {
        if (!this.takeItem(end, marker, false)) break
        // A sibling item: the list stays open, the previous item and its content are closed.
        this.closeTo(matched + 1)
        this.widths[matched] = this.itemWidth
        this.blankStart = this.itemBlank
        this.blankAgain = false
        fresh = true
        matched++
        break
      }
      matched++
    }

    if (!fresh && matched === this.containers.length) {
      if (this.leaf === FENCE || this.leaf === HTML) {
        this.inside(start, end)
        this.grow(end)
        return
      }
      interrupts = this.leaf === PARAGRAPH || this.leaf === INDENTED
    }

    for (;;) {
      const quote = this.takeQuote(end)
      if (!quote && !this.takeItem(end, 0, interrupts)) break
      this.closeTo(matched)
      fresh = true
      this.openContainer(start, quote ? Char.GREATER : this.itemMarker, quote ? 0 : this.itemWidth)
      this.blankStart = !quote && this.itemBlank
      this.blankAgain = false
      matched++
    }

    const lazy = !fresh && matched < open
    this.flow(start, end, matched, lazy)
    this.grow(end)
  }

  /** Handles a blank line: it continues list items and ends quotes. */
  private blankLine(): void {
    if (this.firstQuote < this.containers.length) this.closeTo(this.firstQuote)
    else if (this.blankStart) this.blankAgain = true
    this.blankRest()
  }

  /** Handles a line that is blank after the container marks. */
  private blankRest(): void {
    if (this.leaf === PARAGRAPH || this.leaf === TABLE) this.leaf = NONE
    else if (this.leaf === HTML && this.size >= 6) this.leaf = NONE
  }

  /** Extends the open root container to the end of this line. */
  private grow(end: number): void {
    if (this.container !== null) {
      const last = trimBlanks(this.text, end)
      if (last > this.container.end) this.container.end = last
    }
  }

  // Container marks. `position` and `column` are after the consumed part; `rest` is the unconsumed part of a tab.

  /** Consumes white space at the position, at most `limit` columns; returns the number of columns. */
  private take(end: number, limit: number): number {
    let count = 0
    while (count < limit) {
      if (this.rest > 0) {
        this.rest--
        if (this.rest === 0) this.position++
      } else {
        if (this.position >= end) break
        const code = this.text.charCodeAt(this.position)
        if (code === Char.SPACE) this.position++
        else if (code === Char.TAB) {
          this.rest = 3 - (this.column % 4)
          if (this.rest === 0) this.position++
        } else break
      }
      this.column++
      count++
    }
    return count
  }

  private restore(position: number, column: number, rest: number): false {
    this.position = position
    this.column = column
    this.rest = rest
    this.nextText = -1
    return false
  }

  private takeQuote(end: number): boolean {
    const { position, column, rest } = this
    this.take(end, this.codeIndent - 1)
    if (this.rest > 0 || this.position >= end || this.text.charCodeAt(this.position) !== Char.GREATER)
      return this.restore(position, column, rest)
    this.position++
    this.column++
    this.take(end, 1)
    return true
  }

  /** Whether the line continues the list item at `index`. */
  private matchItem(index: number, end: number): boolean {
    const top = index === this.containers.length - 1
    const width = this.widths[index] as number
    if (this.isBlankAt(end)) {
      if (top && this.blankStart) this.blankAgain = true
      this.take(end, width)
      return true
    }
    const isEnded = top && this.blankAgain
    if (top) {
      this.blankStart = false
      this.blankAgain = false
    }
    if (isEnded) return false
    const { position, column, rest } = this
    if (this.take(end, width) === width) return true
    return this.restore(position, column, rest)
  }

  /** The offset of the next character that is not blank, cached for this line. */
  private nextText = 0
  private spoiledMarker = 0
  private spoiledAt = 0
  /** The list item that `takeItem` started last. */
  private itemMarker = 0
  private itemWidth = 0
  private itemBlank = false

  /** Consumes the start of a list item. `marker` is the required marker, or 0 for any. */
  private takeItem(end: number, marker: number, interrupts: boolean): boolean {
    const { position, column, rest } = this
    return this.readItem(end, marker, interrupts) || this.restore(position, column, rest)
  }

  private readItem(end: number, marker: number, interrupts: boolean): boolean {
    const { text } = this
    const prefix = this.take(end, this.codeIndent - 1)
    const start = this.position
    if (this.rest > 0 || start >= end) return false
    const code = text.charCodeAt(start)
    let at = start
    if (code >= Char.ZERO && code <= Char.NINE) {
      while (text.charCodeAt(at) >= Char.ZERO && text.charCodeAt(at) <= Char.NINE) at++
      const digits = at - start
      const delimiter = text.charCodeAt(at)
      if (digits > 9 || (delimiter !== Char.DOT && delimiter !== Char.CLOSE_PAREN)) return false
      if (interrupts && (digits > 1 || code !== Char.ONE)) return false
    } else if (code !== Char.PLUS && ((code !== Char.STAR && code !== Char.DASH) || this.isBreakAt(start, end, code)))
      return false
    this.itemMarker = text.charCodeAt(at)
    if (marker !== 0 && marker !== this.itemMarker) return false
    at++
    this.column += at - start
    this.itemWidth = prefix + at - start
    this.position = at
    this.itemBlank = this.isBlankAt(end)
    if (this.itemBlank) {
      this.itemWidth++
      return !interrupts
    }
    const { column } = this
    let blanks = this.take(end, this.codeIndent + 1)
    if (blanks > this.codeIndent) {
      this.restore(at, column, 0)
      blanks = this.take(end, 1)
    }
    this.itemWidth += blanks
    return blanks > 0
  }

  private isBlankAt(end: number): boolean {
    // Cached, because nested items test the same run of blanks repeatedly.
    if (this.nextText < this.position) this.nextText = skipBlanks(this.text, this.position, end)
    return this.nextText >= end
  }

  /** Whether the rest of the line is a thematic break: three or more equal marks, with only blanks between them. */
  private isBreakAt(start: number, end: number, marker: number): boolean {
    // In `- - - x` every item tests this; the position of the `x` is cached.
    if (marker === this.spoiledMarker && start < this.spoiledAt) return false
    let count = 0
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at)
      if (code === marker) count++
      else if (!isBlank(code)) {
        this.spoiledMarker = marker
        this.spoiledAt = at
        return false
      }
    }
    return count >= 3
  }

  private openContainer(lineStart: number, marker: number, width: number): void {
    if (this.containers.length === 0) {
      this.container = newBlock(marker === Char.GREATER ? 'quote' : 'list', lineStart, lineStart)
      this.blocks.push(this.container)
    }
    if (marker === Char.GREATER) this.firstQuote = Math.min(this.firstQuote, this.containers.length)
    this.containers.push(marker)
    this.widths.push(width)
  }

  /** Closes all containers but the first `count`, and the open block. */
  private closeTo(count: number): void {
    this.leaf = NONE
    if (this.containers.length === count) return
    if (count <= this.firstQuote) this.firstQuote = Number.POSITIVE_INFINITY
    this.containers.length = count
    this.widths.length = count
    this.blankStart = false
    this.blankAgain = false
    if (count === 0) this.container = null
  }

  // Blocks.

  /** Handles the rest of the line after the container marks. */
  private flow(lineStart: number, end: number, matched: number, lazy: boolean): void {
    const { text } = this
    // Only the first 4 columns of indentation matter.
    const deep = this.take(end, this.codeIndent) === this.codeIndent
    if (this.isBlankAt(end)) {
      if (lazy) this.closeTo(matched)
      this.blankRest()
      return
    }
    const first = this.nextText
    const code = text.charCodeAt(first)
    const opened = deep ? null : this.opening(first, end, code)
    const loneTag = opened === 'html' && this.size === 7
    let mayHead = !deep

    if (lazy) {
      if (this.leaf === PARAGRAPH) {
        if (opened === null) this.continueParagraph(lineStart, first, end, mayHead)
        else if (loneTag && end < this.limit) {
          // micromark lets any lone tag interrupt here, and keeps it inside the containers unless the document ends.
          this.leaf = HTML
          this.htmlLines = null
        } else {
          this.closeTo(matched)
          this.open(opened, lineStart, first, end)
        }
        return
      }
      // A lazy line never continues a table, and cannot be the header of another table.
      if (this.leaf === TABLE) mayHead = false
      this.closeTo(matched)
    }

    if (this.leaf === PARAGRAPH) {
      if (!deep && this.completesParagraph(lineStart, first, end, code)) return
      if (opened === null || loneTag) {
        this.continueParagraph(lineStart, first, end, mayHead)
        return
      }
    } else if (this.leaf === TABLE) {
      if (!deep && opened === null) {
        const last = trimBlanks(text, end)
        const table = this.table as TableSpan
        table.rowStarts.push(first)
        table.rowEnds.push(last)
        if (this.containers.length === 0) (this.block as Block).end = last
        return
      }
    } else if (this.leaf === INDENTED && deep) {
      if (this.containers.length === 0) (this.block as Block).end = trimBlanks(text, end)
      return
    }
    this.leaf = NONE
    if (deep) {
      this.openBlock('code', lineStart, end)
      // An indented code block that starts on a lazy line has only this line.
      if (!lazy) this.leaf = INDENTED
    } else this.open(opened, lineStart, first, end, mayHead)
  }

  /** Turns the open paragraph into a table or a heading if the line is a delimiter row or an underline. */
  private completesParagraph(lineStart: number, first: number, end: number, code: number): boolean {
    const mayDelimit = code === Char.PIPE || code === Char.COLON || code === Char.DASH
    if (mayDelimit && this.mayHead && this.startTable(first, end)) return true
    if (code !== Char.EQUALS && code !== Char.DASH) return false
    const underlined = trimBlanks(this.text, end)
    if (!isRun(this.text, first, underlined, code)) return false
    this.underline(lineStart, first, end, underlined, code)
    return true
  }

  /**
   * Returns the kind of block that a line opens, other than a paragraph or a table.
   * Sets `size` to the depth of a heading, the length of a fence, or the kind of an HTML block.
   */
  private opening(first: number, end: number, code: number): 'heading' | 'break' | 'code' | 'html' | 'mdx' | null {
    const { text } = this
    if (this.readConstruct !== null) {
      this.size = this.readConstruct(first, this.leaf === PARAGRAPH)
      if (this.size >= 0) return 'mdx'
    }
    switch (code) {
      case Char.HASH:
        this.size = atxDepth(text, first, end)
        return this.size > 0 ? 'heading' : null
      case Char.STAR:
      case Char.UNDERSCORE:
      case Char.DASH:
        return this.isBreakAt(first, end, code) ? 'break' : null
      case Char.BACKTICK:
      case Char.TILDE:
        this.size = fenceLength(text, first, end, code)
        return this.size > 0 ? 'code' : null
      case Char.LESS:
        this.size = this.htmlKind(first, end)
        return this.size > 0 ? 'html' : null
      default:
        return null
    }
  }

  /** Returns the kind of HTML block that a line opens. With a syntax such as MDX: only comments, instructions and declarations. */
  private htmlKind(first: number, end: number): HtmlKind {
    const kind = htmlKind(this.text.slice(first, end))
    return this.syntax !== null && (kind === 1 || kind >= 6) ? 0 : kind
  }

  /** Opens the block that `opening` returned, or a paragraph. */
  private open(
    opened: ReturnType<BlockScanner['opening']>,
    lineStart: number,
    first: number,
    end: number,
    mayHead = true,
  ): void {
    const { text, size } = this
    const block = this.openBlock(opened ?? 'paragraph', lineStart, opened === 'mdx' ? size : end)
    if (opened === 'heading') {
      if (block !== null) {
        block.depth = size
        const { textStart, textEnd } = atxText(text, first + size, end)
        block.textStart = textStart
        block.textEnd = textEnd
      }
    } else if (opened === 'code') {
      this.leaf = FENCE
      this.marker = text.charCodeAt(first)
    } else if (opened === 'mdx') {
      this.constructEnd = size
      this.grow(size)
    } else if (opened === 'html') {
      this.htmlLines = null
      if (block === null) {
        this.htmlLines = [lineStart, first, end]
        this.containedHtml.push(this.htmlLines)
      }
      const kind = size as HtmlKind
      if (!endsHtml(kind, text.slice(first, end), htmlEndSearchStart(kind))) this.leaf = HTML
    } else if (opened === null) {
      this.leaf = PARAGRAPH
      this.lines = [lineStart, first, end]
      this.mayHead = mayHead
      if (text.charCodeAt(first) === Char.OPEN_BRACKET) this.bracketParagraphs.push(this.lines)
    }
  }

  private openBlock(kind: Block['kind'], lineStart: number, end: number): Block | null {
    if (this.containers.length > 0) return null
    this.block = newBlock(kind, lineStart, trimBlanks(this.text, end))
    this.blocks.push(this.block)
    return this.block
  }

  private continueParagraph(lineStart: number, first: number, end: number, mayHead: boolean): void {
    if (this.containers.length === 0) (this.block as Block).end = trimBlanks(this.text, end)
    this.lines.push(lineStart, first, end)
    this.mayHead = mayHead
  }

  /** Starts a table if this line is a delimiter row that matches the last line of the paragraph, which becomes the header. */
  private startTable(first: number, end: number): boolean {
    const { text, lines } = this
    const last = trimBlanks(text, end)
    const columns = countDelimiterCells(text, first, last)
    if (columns === 0) return false
    const [headLine, headStart, headLineEnd] = lines.slice(-3) as [number, number, number]
    const headEnd = trimBlanks(text, headLineEnd)
    if (columns !== countCells(text, headStart, headEnd)) return false
    const code = text.charCodeAt(headStart)
    if (code === Char.PIPE && headEnd === headStart + 1) return false
    // A lone tag cannot interrupt a paragraph. After the table has interrupted it, micromark reads the tag first.
    const isTag = code === Char.LESS && this.htmlKind(headStart, headLineEnd) === 7
    const root = this.containers.length === 0
    if (root) {
      const paragraph = this.block as Block
      if (lines.length === 3) {
        paragraph.kind = 'table'
        paragraph.end = last
      } else {
        paragraph.end = trimBlanks(text, lines.at(-4) as number)
        this.openBlock(isTag ? 'html' : 'table', headLine, end)
      }
    }
    if (isTag) {
      this.leaf = HTML
      this.size = 7
      this.htmlLines = null
    } else {
      this.leaf = TABLE
      this.table = { rowStarts: [headStart, first], rowEnds: [headEnd, last], root }
      this.tables.push(this.table)
    }
    return true
  }

  /** Turns a paragraph above a line of `=` or `-` into a heading, unless the paragraph consists of link definitions only. */
  private underline(lineStart: number, first: number, end: number, last: number, code: number): void {
    const { lines } = this
    const root = this.containers.length === 0
    let block = this.block as Block
    let textStart = lines[1] as number
    this.leaf = NONE
    if (this.text.charCodeAt(textStart) === Char.OPEN_BRACKET) {
      const paragraph = contentText(this.text, lines)
      const left = afterDefinitions(paragraph)
      if (left < 0) {
        this.open(this.opening(first, end, code), lineStart, first, end)
        return
      }
      if (root && left > 0) {
        // The definitions remain a separate block; the heading starts at the first line after them.
        let index = 0
        for (let at = paragraph.indexOf('\n'); at >= 0 && at < left; at = paragraph.indexOf('\n', at + 1)) index += 3
        const paragraphEnd = block.end
        block.end = trimBlanks(this.text, lines[index - 1] as number)
        block = newBlock('heading', lines[index] as number, paragraphEnd)
        this.blocks.push(block)
        this.block = block
        textStart = lines[index + 1] as number
      }
    }
    if (!root) return
    block.kind = 'heading'
    block.depth = code === Char.EQUALS ? 1 : 2
    block.textStart = textStart
    block.textEnd = block.end
    block.end = last
  }

  /** Handles a line inside a fenced code block or an HTML block. */
  private inside(lineStart: number, end: number): void {
    const { text } = this
    const deep = this.take(end, this.codeIndent) === this.codeIndent
    if (this.isBlankAt(end)) {
      this.blankRest()
      return
    }
    const first = this.nextText
    if (this.containers.length === 0) (this.block as Block).end = trimBlanks(text, end)
    if (this.leaf === HTML) {
      this.htmlLines?.push(lineStart, first, end)
      if (endsHtml(this.size as HtmlKind, text.slice(first, end))) this.leaf = NONE
    } else if (!deep && text.charCodeAt(first) === this.marker) {
      const last = trimBlanks(text, end)
      if (last - first >= this.size && isRun(text, first, last, this.marker)) this.leaf = NONE
    }
  }
}

/** Returns the blocks of a whole document. `start` is the offset after a byte-order mark or front matter. */
export function scanBlocks(text: string, start = 0, syntax: MarkdownSyntax | null = null): BlockStructure {
  const scanner = new BlockScanner(syntax)
  scanner.scan(text, start, text.length)
  return scanner
}

function indexOrEnd(text: string, character: string, start: number, end: number): number {
  const index = text.indexOf(character, start)
  return index < 0 || index > end ? end : index
}
