/**
 * @module
 * Blanks: spaces and tabs.
 */

export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** Moves `start` behind the blanks that follow it, not behind `end`. */
export function skipBlanks(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isBlank(text.charCodeAt(at))) at++
  return at
}

/** Moves `end` before the blanks that precede it; the line is known to hold something else. */
export function trimBlanks(text: string, end: number): number {
  let at = end
  while (at > 0 && isBlank(text.charCodeAt(at - 1))) at--
  return at
}
