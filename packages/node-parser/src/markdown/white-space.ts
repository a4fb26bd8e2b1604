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
