/**
 * @module
 * What is left of a stretch of Markdown when nothing-lines at its ends are cut off.
 */

import { isLineEnd, isSpaceAt, trimEnd } from './white-space.ts'

/**
 * Drops leading and trailing lines that hold only white space and `>`, and the white space at the end of the last line;
 * the indentation of the first line stays. Null when nothing is left.
 */
export function trimText(text: string, start: number, end: number): { start: number; end: number } | null {
  let from = start
  let at = start
  for (; at < end && isNothing(text, at); at++) if (isLineEnd(text, at)) from = at + 1
  if (at >= end) return null
  let to = trimEnd(text, from, end)
  for (;;) {
    at = to
    while (isNothing(text, at - 1) && !isLineEnd(text, at - 1)) at--
    // The line holds something else, so this is its end.
    if (at === to || !isLineEnd(text, at - 1)) return { start: from, end: to }
    to = trimEnd(text, from, at)
  }
}

function isNothing(text: string, at: number): boolean {
  return text.charCodeAt(at) === 62 || isSpaceAt(text, at)
}
