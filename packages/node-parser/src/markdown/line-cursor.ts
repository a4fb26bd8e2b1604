/**
 * @module
 * A position in a line of Markdown. It counts columns, because container marks consume parts of tabs.
 */

import * as Char from './characters.ts'
import { isBlank, skipBlanks } from './characters.ts'

/** Reads one line after the other. What precedes the position is consumed. */
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
