/**
 * @module
 * Trims blank lines and lines of quote marks from both ends of a range.
 */

import { isLineEnd, isSpaceAt, trimEnd } from './white-space.ts'

/**
 * Returns the range without leading and trailing lines that contain only white space and `>`, and without white space at the end.
 * Keeps the indentation of the first line. Returns null if nothing is left.
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
    // The line contains other characters: this is the end.
    if (at === to || !isLineEnd(text, at - 1)) return { start: from, end: to }
    to = trimEnd(text, from, at)
  }
}

function isNothing(text: string, at: number): boolean {
  return text.charCodeAt(at) === 62 || isSpaceAt(text, at)
}
