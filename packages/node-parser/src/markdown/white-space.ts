/**
 * @module
 * White space, as `trim` sees it.
 */

/** Whether the character at a place is white space; not so outside the text. */
export function isSpaceAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return code === 32 || (code >= 9 && code <= 13)
  return code >= 128 && text.charAt(at).trim() === ''
}

/** Whether the character at a place is a line feed or a carriage return. */
export function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 10 || code === 13
}

/** Moves `end` before the white space that precedes it, not before `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isSpaceAt(text, at - 1)) at--
  return at
}
