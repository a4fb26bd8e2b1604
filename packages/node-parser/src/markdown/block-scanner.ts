/**
 * @module
 * Finds the blocks of a Markdown document and its tables, line by line and in one pass, exactly as micromark does,
 * also where micromark differs from CommonMark. Only link definitions are given to micromark itself.
 */
import { type Block, type BlockStructure, contentText, newBlock, type TableSpan } from './block.ts'
import { endsHtml, type HtmlKind, htmlEndSearchStart, htmlKind } from './html-block.ts'
import { afterDefinitions } from './micromark.ts'
import { countCells, countDelimiterCells } from './table-row.ts'

const TAB = 9
const SPACE = 32
const HASH = 35
const STAR = 42
const PLUS = 43
const DASH = 45
const DOT = 46
const ZERO = 48
const ONE = 49
const NINE = 57
const COLON = 58
const LESS = 60
const EQUALS = 61
const GREATER = 62
const OPEN_BRACKET = 91
const UNDERSCORE = 95
const BACKTICK = 96
const PIPE = 124
const TILDE = 126
const CLOSE_PAREN = 41

/** What the innermost open block is. */
const NONE = 0
const PARAGRAPH = 1
const FENCE = 2
const HTML = 3
const INDENTED = 4
const TABLE = 5

/**
 * Scans lines in order and keeps the open containers and the open block between them, so a text may also come in pieces:
 * `scan` takes complete lines, `finish` ends the document.
 */
export class BlockScanner implements BlockStructure {
  blocks: Block[] = []
  tables: TableSpan[] = []
  bracketParagraphs: number[][] = []
  containedHtml: number[][] = []

  /** Open containers from the outside in: 62 for a quote, else the list marker; for list items their content column. */
  private readonly containers: number[] = []
  private readonly widths: number[] = []
  private quotes = 0
  private container: Block | null = null
  /** The innermost list item began with a blank line, and another one followed. */
  private blankStart = false
  private blankAgain = false

  private leaf = NONE
  private block: Block | null = null
  private table: TableSpan | null = null
  private marker = 0
  private fenceSize = 0
  private html: HtmlKind = 0
  /** The lines of an HTML block in a container. */
  private htmlLines: number[] | null = null
  /** When the paragraph starts with `[` it may be link definitions: start of line, start and end of text of its lines. */
  private bracketLines: number[] | null = null
  /** Content range of the last line of the paragraph, whether it may be a table's header, and the end of the line before. */
  private lastStart = 0
  private lastEnd = 0
  private lastLineStart = 0
  private lastMayHead = false
  private endBeforeLast = 0
  private paragraphText = 0

  private text = ''
  /** End of what is scanned: a line that ends there has no line ending. */
  private limit = 0
  private position = 0
  private column = 0
  private rest = 0

  /** Takes the complete lines of `text` from `start` to `end`; a text that has grown keeps the offsets of its old part. */
  scan(text: string, start: number, end: number): void {
    this.text = text
    this.limit = end
    let lineStart = start
    // The next line feed and carriage return; each is looked for once, so that a text without one costs one search.
    let feed = -1
    let returns = -1
    while (lineStart < end) {
      if (feed < lineStart) feed = indexOrEnd(text, '\n', lineStart, end)
      if (returns < lineStart) returns = indexOrEnd(text, '\r', lineStart, end)
      const lineEnd = Math.min(feed, returns)
      this.line(lineStart, lineEnd)
      lineStart = lineEnd === returns && feed === returns + 1 && feed < end ? feed + 1 : lineEnd + 1
    }
  }

  /** Start of the header of the table that may still grow, else infinity. */
  get openTableStart(): number {
    return this.leaf === TABLE ? ((this.table as TableSpan).rowStarts[0] as number) : Number.POSITIVE_INFINITY
  }

  /** Forgets tables that start before `offset` and blocks that end before it. */
  forget(offset: number): void {
    this.tables = this.tables.filter(({ rowStarts }) => (rowStarts[0] as number) >= offset)
    this.blocks = this.blocks.filter((block) => block === this.block || block === this.container || block.end > offset)
    this.bracketParagraphs = []
    this.containedHtml = this.containedHtml.filter(([start]) => (start as number) >= offset)
  }

  /** Moves all places by `-count`, after the text lost that many characters in front. */
  rebase(count: number): void {
    const move = (offsets: number[]) => {
      for (let index = 0; index < offsets.length; index++) offsets[index] = (offsets[index] as number) - count
    }
    for (const { rowStarts, rowEnds } of this.tables) {
      move(rowStarts)
      move(rowEnds)
    }
    this.containedHtml.forEach(move)
    if (this.bracketLines !== null) move(this.bracketLines)
    for (const block of this.blocks) {
      block.start -= count
      block.end -= count
      block.textStart -= count
      block.textEnd -= count
    }
    this.lastStart -= count
    this.lastEnd -= count
    this.lastLineStart -= count
    if (this.endBeforeLast >= 0) this.endBeforeLast -= count
    this.paragraphText -= count
  }

  private line(start: number, end: number): void {
    const { text } = this
    let first = start
    let code = 0
    for (; first < end; first++) {
      code = text.charCodeAt(first)
      if (code !== SPACE && code !== TAB) break
    }
    if (first === end) {
      this.blankLine()
      return
    }
    this.position = start
    this.column = 0
    this.rest = 0
    this.nextText = first
    this.spoiledMarker = 0

    const open = this.containers.length
    let matched = 0
    let interrupts = false
    let fresh = false
    while (matched < this.containers.length) {
      const marker = this.containers[matched] as number
      if (marker === GREATER) {
        if (!this.skipQuote(end)) break
      } else if (!this.matchItem(matched, end)) {
        if (!this.openItem(end, marker, false)) break
        // A sibling item: the list stays, all that was inside the item before is closed.
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
      const quote = this.skipQuote(end)
      if (!quote && !this.openItem(end, 0, interrupts)) break
      this.closeTo(matched)
      fresh = true
      this.openContainer(start, quote ? GREATER : this.itemMarker, quote ? 0 : this.itemWidth)
      this.blankStart = !quote && this.itemBlank
      this.blankAgain = false
      matched++
    }

    const lazy = !fresh && matched < open
    this.flow(start, end, matched, lazy)
    this.grow(end)
  }

  /** A line of blanks only: items take it, quotes end. */
  private blankLine(): void {
    if (this.quotes > 0) {
      this.closeTo(this.containers.indexOf(GREATER))
    } else if (this.blankStart) this.blankAgain = true
    this.blankRest()
  }

  /** Nothing is left on the line after the container marks. */
  private blankRest(): void {
    if (this.leaf === PARAGRAPH || this.leaf === TABLE) this.leaf = NONE
    else if (this.leaf === HTML && this.html >= 6) this.leaf = NONE
  }

  /** The open document-level blocks reach to the end of this line. */
  private grow(end: number): void {
    if (this.container !== null && this.containers.length > 0) {
      const last = trimBlanks(this.text, end)
      if (last > this.container.end) this.container.end = last
    }
  }

  // Container marks. `position` and `column` are after what is taken; `rest` is the part of a tab not yet taken.

  /** Columns of white space at the position, at most `limit`; takes them. */
  private take(end: number, limit: number): number {
    let count = 0
    while (count < limit) {
      if (this.rest > 0) {
        this.rest--
        if (this.rest === 0) this.position++
      } else {
        if (this.position >= end) break
        const code = this.text.charCodeAt(this.position)
        if (code === SPACE) this.position++
        else if (code === TAB) {
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
    return false
  }

  private skipQuote(end: number): boolean {
    const { position, column, rest } = this
    this.take(end, 3)
    if (this.rest > 0 || this.text.charCodeAt(this.position) !== GREATER || this.position >= end) {
      return this.restore(position, column, rest)
    }
    this.position++
    this.column++
    this.take(end, 1)
    return true
  }

  /** Whether the line goes on in the list item at `index`. */
  private matchItem(index: number, end: number): boolean {
    const top = index === this.containers.length - 1
    const width = this.widths[index] as number
    if (this.isBlankAt(end)) {
      if (top && this.blankStart) this.blankAgain = true
      this.take(end, width)
      return true
    }
    const refuse = top && this.blankAgain
    if (top) {
      this.blankStart = false
      this.blankAgain = false
    }
    if (refuse) return false
    const { position, column, rest } = this
    if (this.take(end, width) === width) return true
    return this.restore(position, column, rest)
  }

  /** The next character that is not blank, as last looked for on this line. */
  private nextText = 0
  private spoiledMarker = 0
  private spoiledAt = 0
  /** Of the list item last started by `openItem`. */
  private itemMarker = 0
  private itemWidth = 0
  private itemBlank = false

  /** Takes the start of a list item; `marker` is the one it must have, or 0. */
  private openItem(end: number, marker: number, interrupts: boolean): boolean {
    const { text, position, column, rest } = this
    const prefix = this.take(end, 3)
    let at = this.position
    const code = text.charCodeAt(at)
    if (this.rest > 0 || at >= end) return this.restore(position, column, rest)
    if (code === STAR || code === PLUS || code === DASH) {
      if (marker !== 0 && code !== marker) return this.restore(position, column, rest)
      if (code !== PLUS && this.isBreakAt(at, end, code)) return this.restore(position, column, rest)
      this.itemMarker = code
      at++
    } else if (code >= ZERO && code <= NINE) {
      if (interrupts && code !== ONE) return this.restore(position, column, rest)
      let digits = 0
      let delimiter = code
      while (delimiter >= ZERO && delimiter <= NINE && digits < 10 && at < end) {
        digits++
        delimiter = text.charCodeAt(++at)
      }
      if (
        at >= end ||
        digits > 9 ||
        (interrupts && digits > 1) ||
        (delimiter !== DOT && delimiter !== CLOSE_PAREN) ||
        (marker !== 0 && delimiter !== marker)
      ) {
        return this.restore(position, column, rest)
      }
      this.itemMarker = delimiter
      at++
    } else return this.restore(position, column, rest)
    this.column += at - this.position
    this.itemWidth = prefix + at - this.position
    this.position = at
    this.itemBlank = false
    if (this.isBlankAt(end)) {
      if (interrupts) return this.restore(position, column, rest)
      this.itemBlank = true
      this.itemWidth++
      return true
    }
    const afterPosition = this.position
    const afterColumn = this.column
    let blanks = this.take(end, 5)
    if (blanks === 0) return this.restore(position, column, rest)
    if (blanks === 5) {
      this.restore(afterPosition, afterColumn, 0)
      blanks = this.take(end, 1)
    }
    this.itemWidth += blanks
    return true
  }

  private isBlankAt(end: number): boolean {
    // Nested items ask this for the same run of blanks again and again.
    if (this.nextText < this.position) {
      let at = this.position
      while (at < end && isBlank(this.text.charCodeAt(at))) at++
      this.nextText = at
    }
    return this.nextText >= end
  }

  /** Three or more equal marks with nothing but blanks around them, up to the line's end. */
  private isBreakAt(start: number, end: number, marker: number): boolean {
    // In `- - - x` every item asks; the mark that spoils it is looked for once.
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
      const last = this.container
      const kind = marker === GREATER ? 'quote' : 'list'
      // After a stretch that micromark parsed, its last list may go on.
      if (last === null || kind === 'quote' || last.marker !== marker) {
        this.container = newBlock(kind, lineStart, lineStart)
        if (kind === 'list') this.container.marker = marker
        this.blocks.push(this.container)
      }
    }
    this.containers.push(marker)
    this.widths.push(width)
    if (marker === GREATER) this.quotes++
  }

  /** Closes all containers but the first `count`, and the open block. */
  private closeTo(count: number): void {
    this.leaf = NONE
    if (this.containers.length === count) return
    if (this.quotes > 0) {
      for (let index = count; index < this.containers.length; index++) {
        if (this.containers[index] === GREATER) this.quotes--
      }
    }
    this.containers.length = count
    this.widths.length = count
    this.blankStart = false
    this.blankAgain = false
    if (count === 0) this.container = null
  }

  // Blocks.

  /** What the rest of the line is, after the containers. */
  private flow(lineStart: number, end: number, matched: number, lazy: boolean): void {
    const { text } = this
    // Indentation of at most 4 columns is all that matters.
    const indent = this.take(end, 4)
    let first = this.position
    while (first < end) {
      const code = text.charCodeAt(first)
      if (code !== SPACE && code !== TAB) break
      first++
    }
    if (first >= end) {
      if (lazy) this.closeTo(matched)
      this.blankRest()
      return
    }
    const deep = indent >= 4
    const code = text.charCodeAt(first)
    let mayHead = !deep

    if (lazy) {
      if (this.leaf === PARAGRAPH) {
        if (!deep) {
          if (code === LESS) {
            // micromark lets any lone tag interrupt here, and keeps it inside the containers unless the document ends.
            if (htmlKind(text.slice(first, end)) === 7) {
              if (end === this.limit) {
                this.closeTo(matched)
                this.start(lineStart, first, end)
              } else {
                this.leaf = HTML
                this.html = 7
                this.htmlLines = null
              }
              return
            }
          }
          if (this.startsOther(first, end, code, true)) {
            this.closeTo(matched)
            this.start(lineStart, first, end)
            return
          }
        }
        this.continueParagraph(lineStart, first, end, mayHead)
        return
      }
      // A lazy line never goes on with a table, and is not looked at as the header of another.
      if (this.leaf === TABLE) mayHead = false
      this.closeTo(matched)
    }

    if (this.leaf === PARAGRAPH) {
      if (!deep) {
        if ((code === PIPE || code === COLON || code === DASH) && this.lastMayHead && this.startTable(first, end))
          return
        if (code === EQUALS || code === DASH) {
          const underlined = trimBlanks(text, end)
          if (isRun(text, first, underlined, code)) {
            this.underline(lineStart, first, end, underlined, code)
            return
          }
        }
        if (this.startsOther(first, end, code, true)) {
          this.leaf = NONE
          this.start(lineStart, first, end)
          return
        }
      }
      this.continueParagraph(lineStart, first, end, mayHead)
      return
    }
    if (this.leaf === TABLE) {
      if (!deep && !this.startsOther(first, end, code, false)) {
        const last = trimBlanks(text, end)
        const table = this.table as TableSpan
        table.rowStarts.push(first)
        table.rowEnds.push(last)
        if (this.containers.length === 0) (this.block as Block).end = last
        return
      }
      this.leaf = NONE
    } else if (this.leaf === INDENTED) {
      if (deep) {
        if (this.containers.length === 0) (this.block as Block).end = trimBlanks(text, end)
        return
      }
      this.leaf = NONE
    }
    if (deep) {
      // Code that starts on a lazy line is that one line.
      this.leaf = lazy ? NONE : INDENTED
      this.openBlock('code', lineStart, end)
      return
    }
    this.start(lineStart, first, end, mayHead)
  }

  /** Whether the line starts a block that is neither a paragraph nor a table. */
  private startsOther(first: number, end: number, code: number, interrupts: boolean): boolean {
    const { text } = this
    switch (code) {
      case HASH:
        return atxDepth(text, first, end) > 0
      case STAR:
      case UNDERSCORE:
      case DASH:
        return this.isBreakAt(first, end, code)
      case BACKTICK:
      case TILDE:
        return fenceLength(text, first, end, code) > 0
      case LESS: {
        const kind = htmlKind(text.slice(first, end))
        return kind > 0 && !(interrupts && kind === 7)
      }
      default:
        return false
    }
  }

  /** Starts the block that the line opens when nothing is open. */
  private start(lineStart: number, first: number, end: number, mayHead = true): void {
    const { text } = this
    const code = text.charCodeAt(first)
    switch (code) {
      case HASH: {
        const depth = atxDepth(text, first, end)
        if (depth === 0) break
        const block = this.openBlock('heading', lineStart, end)
        if (block !== null) this.readHeading(block, first + depth, end, depth)
        return
      }
      case STAR:
      case UNDERSCORE:
      case DASH:
        if (!this.isBreakAt(first, end, code)) break
        this.openBlock('break', lineStart, end)
        return
      case BACKTICK:
      case TILDE: {
        const size = fenceLength(text, first, end, code)
        if (size === 0) break
        this.leaf = FENCE
        this.marker = code
        this.fenceSize = size
        this.openBlock('code', lineStart, end)
        return
      }
      case LESS: {
        const line = text.slice(first, end)
        const kind = htmlKind(line)
        if (kind === 0) break
        this.htmlLines = null
        if (this.openBlock('html', lineStart, end) === null) {
          this.htmlLines = [lineStart, first, end]
          this.containedHtml.push(this.htmlLines)
        }
        if (!endsHtml(kind, line, htmlEndSearchStart(kind))) {
          this.leaf = HTML
          this.html = kind
        }
        return
      }
    }
    this.leaf = PARAGRAPH
    this.bracketLines = null
    if (code === OPEN_BRACKET) {
      this.bracketLines = [lineStart, first, end]
      this.bracketParagraphs.push(this.bracketLines)
    }
    this.paragraphText = first
    this.openBlock('paragraph', lineStart, end)
    this.lastStart = first
    this.lastEnd = end
    this.lastLineStart = lineStart
    this.lastMayHead = mayHead
    this.endBeforeLast = -1
  }

  private openBlock(kind: Block['kind'], lineStart: number, end: number): Block | null {
    if (this.containers.length > 0) return null
    this.container = null
    this.block = newBlock(kind, lineStart, trimBlanks(this.text, end))
    this.blocks.push(this.block)
    return this.block
  }

  private continueParagraph(lineStart: number, first: number, end: number, mayHead: boolean): void {
    if (this.containers.length === 0) {
      this.endBeforeLast = (this.block as Block).end
      ;(this.block as Block).end = trimBlanks(this.text, end)
    } else this.endBeforeLast = 0
    this.bracketLines?.push(lineStart, first, end)
    this.lastStart = first
    this.lastEnd = end
    this.lastLineStart = lineStart
    this.lastMayHead = mayHead
  }

  /** The last line of the paragraph becomes a table's header when this line is a delimiter row that fits it. */
  private startTable(first: number, end: number): boolean {
    const { text } = this
    const last = trimBlanks(text, end)
    const columns = countDelimiterCells(text, first, last)
    if (columns === 0) return false
    const headEnd = trimBlanks(text, this.lastEnd)
    if (columns !== countCells(text, this.lastStart, headEnd)) return false
    if (headEnd - this.lastStart === 1 && text.charCodeAt(this.lastStart) === PIPE) return false
    if (text.charCodeAt(this.lastStart) === LESS && htmlKind(text.slice(this.lastStart, this.lastEnd)) === 7) {
      // A lone tag cannot interrupt a paragraph, but once the table has, micromark reads the tag first.
      this.leaf = HTML
      this.html = 7
      this.htmlLines = null
      if (this.containers.length === 0) {
        ;(this.block as Block).end = this.endBeforeLast
        this.openBlock('html', this.lastLineStart, end)
      }
      return true
    }
    const table: TableSpan = {
      rowStarts: [this.lastStart, first],
      rowEnds: [headEnd, last],
      root: this.containers.length === 0,
    }
    this.tables.push(table)
    this.table = table
    this.leaf = TABLE
    if (table.root) {
      const paragraph = this.block as Block
      if (this.endBeforeLast < 0) {
        paragraph.kind = 'table'
        paragraph.end = last
      } else {
        paragraph.end = this.endBeforeLast
        this.openBlock('table', this.lastLineStart, end)
      }
    }
    return true
  }

  /** A line of `=` or `-` under a paragraph makes it a heading, unless the paragraph is nothing but link definitions. */
  private underline(lineStart: number, first: number, end: number, last: number, code: number): void {
    const root = this.containers.length === 0
    const lines = this.bracketLines
    let block = this.block as Block
    this.leaf = NONE
    if (lines !== null) {
      const paragraph = contentText(this.text, lines)
      const left = afterDefinitions(paragraph)
      if (left < 0) {
        this.start(lineStart, first, end)
        return
      }
      if (root && left > 0) {
        // The definitions stay a block of their own, the heading starts at the line that is left.
        let index = 0
        for (let at = paragraph.indexOf('\n'); at >= 0 && at < left; at = paragraph.indexOf('\n', at + 1)) index += 3
        const paragraphEnd = block.end
        block.end = trimBlanks(this.text, lines[index - 1] as number)
        block = newBlock('heading', lines[index] as number, paragraphEnd)
        this.blocks.push(block)
        this.block = block
        this.paragraphText = lines[index + 1] as number
      }
    }
    if (!root) return
    block.kind = 'heading'
    block.depth = code === EQUALS ? 1 : 2
    block.textStart = this.paragraphText
    block.textEnd = block.end
    block.end = last
  }

  /** The text of an ATX heading, without a closing run of marks. */
  private readHeading(block: Block, start: number, end: number, depth: number): void {
    const { text } = this
    block.depth = depth
    let from = start
    while (from < end && isBlank(text.charCodeAt(from))) from++
    let to = trimBlanks(text, end)
    let run = to
    while (run > from && text.charCodeAt(run - 1) === HASH) run--
    if (run < to && (run === from || isBlank(text.charCodeAt(run - 1)))) to = Math.max(from, trimBlanks(text, run))
    block.textStart = to <= from ? start : from
    block.textEnd = to <= from ? start : to
  }

  /** A line inside fenced code or an HTML block. */
  private inside(lineStart: number, end: number): void {
    const { text } = this
    const indent = this.take(end, 4)
    let first = this.position
    while (first < end && isBlank(text.charCodeAt(first))) first++
    const root = this.containers.length === 0
    if (first >= end) {
      this.blankRest()
      return
    }
    if (root) (this.block as Block).end = trimBlanks(text, end)
    if (this.leaf === HTML) {
      this.htmlLines?.push(lineStart, first, end)
      if (this.html < 6 && endsHtml(this.html, text.slice(first, end))) this.leaf = NONE
    } else if (indent < 4 && text.charCodeAt(first) === this.marker) {
      const last = trimBlanks(text, end)
      if (last - first >= this.fenceSize && isRun(text, first, last, this.marker)) this.leaf = NONE
    }
  }
}

/** The blocks of a whole document; `start` is after a byte-order mark or front matter. */
export function scanBlocks(text: string, start = 0): BlockStructure {
  const scanner = new BlockScanner()
  scanner.scan(text, start, text.length)
  return scanner
}

function indexOrEnd(text: string, character: string, start: number, end: number): number {
  const index = text.indexOf(character, start)
  return index < 0 || index > end ? end : index
}

/** 1 to 6 for a heading's opening run of `#`, else 0. */
function atxDepth(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === HASH) at++
  const depth = at - start
  return depth <= 6 && (at === end || isBlank(text.charCodeAt(at))) ? depth : 0
}

/** Length of a code fence that the line opens, else 0; backticks cannot follow a fence of backticks. */
function fenceLength(text: string, start: number, end: number, marker: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === marker) at++
  const size = at - start
  if (size < 3) return 0
  if (marker === BACKTICK) {
    const tick = text.slice(at, end).indexOf('`')
    if (tick >= 0) return 0
  }
  return size
}

function isRun(text: string, start: number, end: number, code: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== code) return false
  return true
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Moves `end` before the blanks that precede it; the line is known to hold something else. */
function trimBlanks(text: string, end: number): number {
  let at = end
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--
  return at
}
