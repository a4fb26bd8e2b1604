/**
 * @module
 * White space, as `trim` sees it.
 */

/** Whether the character at a place is white space; not so outside the text. */
export function isSpaceAt(text: string, at: number): boolean {
  return text[at]?.trim() === ''
}

/** Whether the character at a place is a line feed or a carriage return. */
export function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r'
}

/** Moves `end` before the white space that precedes it, not before `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isSpaceAt(text, at - 1)) at--
  return at
}
