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
