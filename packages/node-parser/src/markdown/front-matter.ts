/**
 * @module
 * Front matter: a block between two `---` lines at the top of a document, which is not parsed as Markdown.
 */

import { lazy } from '@x/core/values'

const FENCE = /^---[ \t]*$/
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_ \t.-]*`
const keyLine = lazy(() => new RegExp(String.raw`^(?:${NAME}|"${NAME}"|'${NAME}'):(?:[ \t]|$)`, 'u'))

/** Returns the offset after a byte-order mark and front matter. A block without an end or without a key is not front matter. */
export function markdownStart(text: string): number {
  return new FrontMatter().read(text, true) as number
}

/** Finds front matter in a string that grows. */
export class FrontMatter {
  private at = -1
  private hasKey = false

  /** Returns the offset at which Markdown begins, or null if more text is needed to decide. */
  read(text: string, complete: boolean): number | null {
    const top = text.charCodeAt(0) === 0xfeff ? 1 : 0
    if (this.at < 0) {
      // Fast path: for nearly every document, the first characters are enough to decide.
      if (text.length >= top + 3 && !text.startsWith('---', top)) return top
      const first = lineAt(text, top, complete)
      if (first === null) return null
      if (!FENCE.test(first.line)) return top
      this.at = first.next
      const second = lineAt(text, this.at, complete)
      if (second === null) {
        this.at = -1
        return null
      }
      if (second.line.trim() === '') return top
      if (FENCE.test(second.line)) return second.next
    }
    for (;;) {
      const found = lineAt(text, this.at, complete)
      if (found === null) return null
      if (this.at >= text.length) return top
      if (FENCE.test(found.line)) return this.hasKey ? found.next : top
      this.hasKey ||= keyLine().test(found.line)
      this.at = found.next
    }
  }
}

/** Returns the line at `start` and the start of the next line; null while the line may grow. */
function lineAt(text: string, start: number, complete: boolean): { line: string; next: number } | null {
  let end = start
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++
  // A carriage return at the end may be the first half of a line ending.
  if (!complete && (end === text.length || (text.charCodeAt(end) === 13 && end + 1 === text.length))) return null
  return { line: text.slice(start, end), next: Math.min(text.length, end + (text.startsWith('\r\n', end) ? 2 : 1)) }
}
