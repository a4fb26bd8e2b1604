/**
 * @module
 * The marks at the start of a line: headings, code fences and underlines.
 */

import { type ContentLines, contentText } from './block.ts'
import { BACKTICK, HASH, isBlank, skipBlanks, trimBlanks } from './characters.ts'
import { afterDefinitions } from './micromark.ts'

/** Returns the depth of an ATX heading, 1 to 6; 0 if the line is not a heading. */
export function atxDepth(text: string, start: number, end: number): number {
  let at = start
  while (at < end && text.charCodeAt(at) === HASH) at++
  const depth = at - start
  return depth <= 6 && (at === end || isBlank(text.charCodeAt(at))) ? depth : 0
}

/** Returns the range of the text of an ATX heading after its marks, without a closing run of marks. */
export function atxText(text: string, start: number, end: number): { textStart: number; textEnd: number } {
  const from = skipBlanks(text, start, end)
  let to = trimBlanks(text, end)
  let run = to
  while (run > from && text.charCodeAt(run - 1) === HASH) run--
  if (run < to && (run === from || isBlank(text.charCodeAt(run - 1)))) to = Math.max(from, trimBlanks(text, run))
  return to <= from ? { textStart: start, textEnd: start } : { textStart: from, textEnd: to }
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

/**
 * Whether a line ends a code block: it consists of at least as many marks as the fence.
 *
 *     ~~~~~
 *     ^ first
 */
export function isFenceEnd(text: string, first: number, end: number, marker: number, size: number): boolean {
  if (text.charCodeAt(first) !== marker) return false
  const last = trimBlanks(text, end)
  return last - first >= size && isRun(text, first, last, marker)
}

/** Whether a range consists of one character. */
export function isRun(text: string, start: number, end: number, code: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== code) return false
  return true
}

/**
 * Returns the index in `lines` of the first line after the link definitions; -1 if there are only definitions.
 *
 *     [a]: /url
 *     Title        ← 3, because each line has three numbers
 *     =====
 */
export function firstHeadingLine(text: string, lines: ContentLines): number {
  const paragraph = contentText(text, lines)
  const left = afterDefinitions(paragraph)
  if (left < 0) return -1
  let index = 0
  for (let at = paragraph.indexOf('\n'); at >= 0 && at < left; at = paragraph.indexOf('\n', at + 1)) index += 3
  return index
}
