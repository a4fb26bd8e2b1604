/**
 * @module
 * Functions over white space, as defined by `String.prototype.trim`.
 */

/** Whether the character at an offset is white space; false outside the string. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return code === 32 || (code >= 9 && code <= 13)
  return code >= 128 && text.charAt(at).trim() === ''
}

/** Whether the character at an offset is a line feed or a carriage return. */
export function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 10 || code === 13
}

/** Returns `end` without the white space before it; at least `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isSpaceAt(text, at - 1)) at--
  return at
}

/**
 * @module
 * The codes of characters that are significant at the start of a line.
 */
export const TAB = 9
export const SPACE = 32
export const HASH = 35
export const CLOSE_PAREN = 41
export const STAR = 42
export const PLUS = 43
export const DASH = 45
export const DOT = 46
export const ZERO = 48
export const ONE = 49
export const NINE = 57
export const COLON = 58
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const OPEN_BRACKET = 91
export const UNDERSCORE = 95
export const BACKTICK = 96
export const PIPE = 124
export const TILDE = 126

/**
 * @module
 * Functions over blanks: spaces and tabs.
 */

export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** Returns the first offset from `start` that is not a blank; at most `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) at++
  return at
}

/** Returns `end` without the blanks before it. The line must contain another character. */
export function trimBlanks(text: string, end: number): number {
  let at = end
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--
  return at
}

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
