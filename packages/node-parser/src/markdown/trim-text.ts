/**
 * @module
 * What is left of a stretch of Markdown when nothing-lines at its ends are cut off.
 */

/**
 * Drops leading and trailing lines that hold only white space and `>`, and the white space at the end of the last line;
 * the indentation of the first line stays. Null when nothing is left.
 */
export function trimText(text: string, start: number, end: number): { start: number; end: number } | null {
  let from = start
  let lineStart = start
  for (let at = start; ; at++) {
    if (at >= end) return null
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) lineStart = at + 1
    else if (code !== 62 && !isSpace(code)) {
      from = lineStart
      break
    }
  }
  let to = end
  for (;;) {
    while (isSpace(text.charCodeAt(to - 1))) to--
    let at = to
    while (text.charCodeAt(at - 1) === 62 || isInlineSpace(text.charCodeAt(at - 1))) at--
    const before = text.charCodeAt(at - 1)
    // The line holds something else, so this is its end.
    if (at <= from || (before !== 10 && before !== 13)) return { start: from, end: to }
    to = at
  }
}

/** White space as `trim` sees it. */
function isSpace(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    (code > 0x167f &&
      (code === 0x1680 ||
        (code >= 0x2000 && code <= 0x200a) ||
        code === 0x2028 ||
        code === 0x2029 ||
        code === 0x202f ||
        code === 0x205f ||
        code === 0x3000 ||
        code === 0xfeff))
  )
}

function isInlineSpace(code: number): boolean {
  return code !== 10 && code !== 13 && isSpace(code)
}
