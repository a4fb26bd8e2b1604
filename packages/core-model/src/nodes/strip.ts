/**
 * @module
 * Trims strings as Python does, so that contents are equal.
 */

/** The white space of Python: includes U+001C to U+001F and U+0085, but not U+FEFF. */
const blank = /[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/** Returns the string without white space at both ends, like `str.strip()` of Python. */
export function strip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && blank.test(text[start]!)) start++
  while (start < end && blank.test(text[end - 1]!)) end--
  return text.slice(start, end)
}
