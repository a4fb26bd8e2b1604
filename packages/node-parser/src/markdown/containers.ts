/**
 * @module
 * The quotes and list items around a line of Markdown.
 */
import * as Char from './characters.ts'
import type { LineCursor } from './line-cursor.ts'

/** The open containers, outermost first. */
export class Containers {
  private readonly cursor: LineCursor
  private readonly codeIndent: number
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

  /** The number of open containers. */
  get count(): number {
    return this.marks.length
  }

  /** Consumes the marks of the open containers in a line that is not blank. Returns how many of them the line continues. */
  match(): number {
    const { marks } = this
    this.isSibling = false
    let matched = 0
    while (matched < marks.length) {
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
    if (isQuote) this.firstQuote = Math.min(this.firstQuote, this.marks.length)
    this.marks.push(marker)
    this.widths.push(isQuote ? 0 : this.itemWidth)
    this.blankStart = !isQuote && this.itemBlank
    this.blankAgain = false
  }

  /** Closes all containers but the first `count`. */
  close(count: number): void {
    if (this.marks.length === count) return
    if (count <= this.firstQuote) this.firstQuote = Number.POSITIVE_INFINITY
    this.marks.length = count
    this.widths.length = count
    this.blankStart = false
    this.blankAgain = false
  }

  /** Handles a blank line, which continues list items and ends quotes. Returns how many containers stay open. */
  matchBlank(): number {
    if (this.firstQuote < this.marks.length) return this.firstQuote
    if (this.blankStart) this.blankAgain = true
    return this.marks.length
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
    const isInnermost = index === this.marks.length - 1
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
