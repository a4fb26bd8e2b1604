/**
 * @module
 * Finds the blocks and tables of a Markdown document, line by line and in one pass. The result equals that of micromark, even
 * where micromark differs from CommonMark. micromark itself parses link definitions only.
 */

import { type Block, type BlockStructure, newBlock, type TableSpan } from './block.ts'
import * as Char from './characters.ts'
import { trimBlanks } from './characters.ts'
import { Containers, LineCursor } from './containers.ts'
import { endsAtBlankLine, endsHtml, type HtmlKind, htmlEndSearchStart, htmlKind, LONE_TAG } from './html-block.ts'
import { atxDepth, atxText, fenceLength, firstHeadingLine, isFenceEnd, isRun } from './line-marks.ts'
import type { ConstructReader, MarkdownSyntax } from './mdx.ts'
import { isTableStart } from './table-row.ts'

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

  private readonly cursor = new LineCursor()
  protected readonly containers: Containers
  /** The root block of the open containers. */
  protected container: Block | null = null

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

  constructor(syntax: MarkdownSyntax | null = null) {
    this.syntax = syntax
    this.codeIndent = syntax === null ? 4 : Number.POSITIVE_INFINITY
    this.containers = new Containers(this.cursor, this.codeIndent)
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
    const { containers, cursor } = this
    cursor.begin(this.text, start, end)
    if (cursor.isBlank()) {
      const matched = containers.matchBlank()
      if (matched < containers.count) this.closeTo(matched)
      this.blankRest()
      return
    }

    const open = containers.count
    let matched = containers.match()
    let isFresh = containers.isSibling
    let interrupts = false
    if (isFresh) this.leaf = NONE
    else if (matched === open) {
      if (this.leaf === FENCE || this.leaf === HTML) {
        this.inside(start, end)
        this.grow(end)
        return
      }
      interrupts = this.leaf === PARAGRAPH || this.leaf === INDENTED
    }

    for (let mark = containers.takeMark(interrupts); mark !== 0; mark = containers.takeMark(interrupts)) {
      this.closeTo(matched)
      isFresh = true
      this.openContainer(start, mark)
      matched++
    }

    this.flow(start, end, matched, !isFresh && matched < open)
    this.grow(end)
  }

  /** Handles a line that is blank after the container marks. */
  private blankRest(): void {
    if (this.leaf === PARAGRAPH || this.leaf === TABLE) this.leaf = NONE
    else if (this.leaf === HTML && endsAtBlankLine(this.size as HtmlKind)) this.leaf = NONE
  }

  /** Extends the open root container to the end of this line. */
  private grow(end: number): void {
    if (this.container !== null) {
      const last = trimBlanks(this.text, end)
      if (last > this.container.end) this.container.end = last
    }
  }

  private openContainer(lineStart: number, mark: number): void {
    if (this.containers.count === 0) {
      this.container = newBlock(mark === Char.GREATER ? 'quote' : 'list', lineStart, lineStart)
      this.blocks.push(this.container)
    }
    this.containers.open(mark)
  }

  /** Closes all containers but the first `count`, and the open block. */
  private closeTo(count: number): void {
    this.leaf = NONE
    this.containers.close(count)
    if (count === 0) this.container = null
  }

  /** Handles the rest of the line after the container marks. */
  private flow(lineStart: number, end: number, matched: number, lazy: boolean): void {
    const { text } = this
    // Only the first 4 columns of indentation matter.
    const deep = this.cursor.take(this.codeIndent) === this.codeIndent
    if (this.cursor.isBlank()) {
      if (lazy) this.closeTo(matched)
      this.blankRest()
      return
    }
    const first = this.cursor.next
    const code = text.charCodeAt(first)
    const opened = deep ? null : this.opening(first, end, code)
    const loneTag = opened === 'html' && this.size === LONE_TAG
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
        if (this.containers.count === 0) (this.block as Block).end = last
        return
      }
    } else if (this.leaf === INDENTED && deep) {
      if (this.containers.count === 0) (this.block as Block).end = trimBlanks(text, end)
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
        return this.cursor.isBreak(first, code) ? 'break' : null
      case Char.BACKTICK:
      case Char.TILDE:
        this.size = fenceLength(text, first, end, code)
        return this.size > 0 ? 'code' : null
      case Char.LESS:
        this.size = htmlKind(text.slice(first, end), this.syntax !== null)
        return this.size > 0 ? 'html' : null
      default:
        return null
    }
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
    if (this.containers.count > 0) return null
    this.block = newBlock(kind, lineStart, trimBlanks(this.text, end))
    this.blocks.push(this.block)
    return this.block
  }

  private continueParagraph(lineStart: number, first: number, end: number, mayHead: boolean): void {
    if (this.containers.count === 0) (this.block as Block).end = trimBlanks(this.text, end)
    this.lines.push(lineStart, first, end)
    this.mayHead = mayHead
  }

  /** Starts a table if this line is a delimiter row that matches the last line of the paragraph, which becomes the header. */
  private startTable(first: number, end: number): boolean {
    const { text, lines } = this
    const last = trimBlanks(text, end)
    const [headLine, headStart, headLineEnd] = lines.slice(-3) as [number, number, number]
    const headEnd = trimBlanks(text, headLineEnd)
    if (!isTableStart(text, headStart, headEnd, first, last)) return false
    // A lone tag cannot interrupt a paragraph. After the table has interrupted it, micromark reads the tag first.
    const line = text.slice(headStart, headLineEnd)
    const isTag = text.charCodeAt(headStart) === Char.LESS && htmlKind(line, this.syntax !== null) === LONE_TAG
    const root = this.containers.count === 0
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
      this.size = LONE_TAG
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
    const root = this.containers.count === 0
    let block = this.block as Block
    let textStart = lines[1] as number
    this.leaf = NONE
    if (this.text.charCodeAt(textStart) === Char.OPEN_BRACKET) {
      const index = firstHeadingLine(this.text, lines)
      if (index < 0) {
        this.open(this.opening(first, end, code), lineStart, first, end)
        return
      }
      if (root && index > 0) {
        // The definitions remain a separate block; the heading starts at the first line after them.
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
    const deep = this.cursor.take(this.codeIndent) === this.codeIndent
    if (this.cursor.isBlank()) {
      this.blankRest()
      return
    }
    const first = this.cursor.next
    if (this.containers.count === 0) (this.block as Block).end = trimBlanks(text, end)
    if (this.leaf === HTML) {
      this.htmlLines?.push(lineStart, first, end)
      if (endsHtml(this.size as HtmlKind, text.slice(first, end))) this.leaf = NONE
    } else if (!deep && isFenceEnd(text, first, end, this.marker, this.size)) this.leaf = NONE
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
