/**
 * @module
 * The marks at the start of a line: headings, code fences and underlines.
 */
import { isBlank } from './blanks.ts'

const HASH = 35
const BACKTICK = 96

/** Returns the depth of an ATX heading, 1 to 6; 0 if the line is not a heading. */
export function atxDepth(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === HASH) at++
  const depth = at - start
  return depth <= 6 && (at === end || isBlank(text.charCodeAt(at))) ? depth : 0
}

/** Returns the length of the code fence that a line opens; 0 if it opens none. Backticks cannot follow a fence of backticks. */
export function fenceLength(text: string, start: number, end: number, marker: number): number {
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

/** Whether a range consists of one character. */
export function isRun(text: string, start: number, end: number, code: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== code) return false
  return true
}
