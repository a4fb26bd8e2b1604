/**
 * @module
 * A line of Markdown, and the quotes and list items around it.
 */
import * as Char from './characters.ts'
import { isBlank, skipBlanks } from './characters.ts'

/**
 * Reads one line after the other. What precedes the position is consumed. It counts columns, because container marks consume parts of
 * tabs.
 */
export class LineCursor {
  text = ''
  /** The offset of the end of the line. */
  end = 0
  position = 0
  column = 0
  /**
   * The columns of the tab at the position that are not consumed.
   *
   *     >→code
   *      ^ after the mark and one column of the tab, two of its columns are left
   */
  rest = 0
  /** The offset of the next character that is not blank, after `isBlank`. */
  next = -1
  private spoiledMarker = 0
  private spoiledAt = 0

  /** Goes to the start of a line. */
  begin(text: string, start: number, end: number): void {
    this.text = text
    this.end = end
    this.position = start
    this.column = 0
    this.rest = 0
    this.next = -1
    this.spoiledMarker = 0
  }

  /** Consumes blanks, at most `limit` columns; returns the number of columns. */
  take(limit: number): number {
    let count = 0
    while (count < limit) {
      if (this.rest > 0) {
        this.rest--
        if (this.rest === 0) this.position++
      } else {
        if (this.position >= this.end) break
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

  /** Goes back. Returns false, for callers that found nothing. */
  restore(position: number, column: number, rest: number): false {
    this.position = position
    this.column = column
    this.rest = rest
    this.next = -1
    return false
  }

  /** Whether the rest of the line is blank. */
  isBlank(): boolean {
    // Cached, because nested items test the same run of blanks repeatedly.
    if (this.next < this.position) this.next = skipBlanks(this.text, this.position, this.end)
    return this.next >= this.end
  }

  /**
   * Whether the line from `start` is a thematic break: three or more equal marks, with only blanks between them.
   *
   *     * * *
   *     ^ start
   */
  isBreak(start: number, marker: number): boolean {
    // In `- - - x` every item tests this; the position of the `x` is cached.
    if (marker === this.spoiledMarker && start < this.spoiledAt) return false
    let count = 0
    for (let at = start; at < this.end; at++) {
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
}

/** The open containers, outermost first. */
export class Containers {
  private readonly cursor: LineCursor
  private readonly codeIndent: number
  /** The number of open containers. */
  count = 0
  /** 62 for a quote, otherwise the list marker; and the content column of list items. */
  private readonly marks: number[] = []
  private readonly widths: number[] = []
  /** The index of the first quote among them. */
  private firstQuote = Number.POSITIVE_INFINITY
  /** Whether the innermost list item began with a blank line, and whether a second one followed. */
  private blankStart = false
  private blankAgain = false
  /** The list item that `takeItem` started last. */
  private itemMarker = 0
  private itemWidth = 0
  private itemBlank = false
  /** Whether the line starts the last item that `match` counted: a sibling of the item before. */
  isSibling = false

  /** @param codeIndent - the indentation at which code begins. */
  constructor(cursor: LineCursor, codeIndent: number) {
    this.cursor = cursor
    this.codeIndent = codeIndent
  }

  /** Consumes the marks of the open containers in a line that is not blank. Returns how many of them the line continues. */
  match(): number {
    const { marks } = this
    this.isSibling = false
    let matched = 0
    while (matched < this.count) {
      const marker = marks[matched] as number
      if (marker === Char.GREATER) {
        if (!this.takeQuote()) break
      } else if (!this.matchItem(matched)) {
        if (!this.takeItem(marker, false)) break
        // The list stays open; the previous item and its content are closed.
        this.close(matched + 1)
        this.widths[matched] = this.itemWidth
        this.blankStart = this.itemBlank
        this.blankAgain = false
        this.isSibling = true
        return matched + 1
      }
      matched++
    }
    return matched
  }

  /** Consumes the mark of a container that starts here. Returns the mark, or 0. */
  takeMark(interrupts: boolean): number {
    const { cursor } = this
    // Most lines begin with another character.
    if (cursor.isBlank() || !'>*+-0123456789'.includes(cursor.text[cursor.next]!)) return 0
    if (this.takeQuote()) return Char.GREATER
    return this.takeItem(0, interrupts) ? this.itemMarker : 0
  }

  /** Opens the container of the mark that was taken last. */
  open(marker: number): void {
    const isQuote = marker === Char.GREATER
    if (isQuote) this.firstQuote = Math.min(this.firstQuote, this.count)
    this.count = this.marks.push(marker)
    this.widths.push(isQuote ? 0 : this.itemWidth)
    this.blankStart = !isQuote && this.itemBlank
    this.blankAgain = false
  }

  /** Closes all containers but the first `count`. */
  close(count: number): void {
    if (this.count === count) return
    if (count <= this.firstQuote) this.firstQuote = Number.POSITIVE_INFINITY
    this.count = count
    this.marks.length = count
    this.widths.length = count
    this.blankStart = false
    this.blankAgain = false
  }

  /** Handles a blank line, which continues list items and ends quotes. Returns how many containers stay open. */
  matchBlank(): number {
    if (this.firstQuote < this.count) return this.firstQuote
    if (this.blankStart) this.blankAgain = true
    return this.count
  }

  /**
   * Consumes the mark of a quote and one column after it.
   *
   *     > text
   *       ^ position
   */
  private takeQuote(): boolean {
    const { cursor } = this
    const { position, column, rest } = cursor
    cursor.take(this.codeIndent - 1)
    if (cursor.rest > 0 || cursor.position >= cursor.end || cursor.text.charCodeAt(cursor.position) !== Char.GREATER)
      return cursor.restore(position, column, rest)
    cursor.position++
    cursor.column++
    cursor.take(1)
    return true
  }

  /** Whether the line continues the list item at `index`. */
  private matchItem(index: number): boolean {
    const { cursor } = this
    const isInnermost = index === this.count - 1
    const width = this.widths[index] as number
    if (cursor.isBlank()) {
      if (isInnermost && this.blankStart) this.blankAgain = true
      cursor.take(width)
      return true
    }
    const isEnded = isInnermost && this.blankAgain
    if (isInnermost) {
      this.blankStart = false
      this.blankAgain = false
    }
    if (isEnded) return false
    const { position, column, rest } = cursor
    return cursor.take(width) === width || cursor.restore(position, column, rest)
  }

  /** Consumes the start of a list item. `marker` is the required marker, or 0 for any. */
  private takeItem(marker: number, interrupts: boolean): boolean {
    const { position, column, rest } = this.cursor
    return this.readItem(marker, interrupts) || this.cursor.restore(position, column, rest)
  }

  /**
   * Reads a list item and sets its width, the column of its content.
   *
   *      10)  text
   *           ^ position, width 5
   */
  private readItem(marker: number, interrupts: boolean): boolean {
    const { cursor } = this
    const { text, end } = cursor
    const prefix = cursor.take(this.codeIndent - 1)
    const start = cursor.position
    if (cursor.rest > 0 || start >= end) return false
    const code = text.charCodeAt(start)
    let at = start
    if (code >= Char.ZERO && code <= Char.NINE) {
      while (text.charCodeAt(at) >= Char.ZERO && text.charCodeAt(at) <= Char.NINE) at++
      const digits = at - start
      const delimiter = text.charCodeAt(at)
      if (digits > 9 || (delimiter !== Char.DOT && delimiter !== Char.CLOSE_PAREN)) return false
      if (interrupts && (digits > 1 || code !== Char.ONE)) return false
    } else if (code !== Char.PLUS && ((code !== Char.STAR && code !== Char.DASH) || cursor.isBreak(start, code)))
      return false
    this.itemMarker = text.charCodeAt(at)
    if (marker !== 0 && marker !== this.itemMarker) return false
    at++
    cursor.column += at - start
    this.itemWidth = prefix + at - start
    cursor.position = at
    this.itemBlank = cursor.isBlank()
    if (this.itemBlank) {
      this.itemWidth++
      return !interrupts
    }
    const { column } = cursor
    let blanks = cursor.take(this.codeIndent + 1)
    if (blanks > this.codeIndent) {
      cursor.restore(at, column, 0)
      blanks = cursor.take(1)
    }
    this.itemWidth += blanks
    return blanks > 0
  }
}
