/**
 * @module
 * Front matter: a block between two `---` lines at the top of a document, which is set aside before the parse.
 */

const FENCE = /---[ \t]*(?:\r\n|\n|\r|$)/y
const KEY_LINE =
  /^(?:[\p{L}_][\p{L}\p{N}_ \t.-]*|"[\p{L}_][\p{L}\p{N}_ \t.-]*"|'[\p{L}_][\p{L}\p{N}_ \t.-]*'):(?:[ \t]|$)/u

/** Where Markdown begins: after a byte-order mark and front matter. Without the end of a front matter it is not one. */
export function markdownStart(text: string): number {
  const top = text.charCodeAt(0) === 0xfeff ? 1 : 0
  return frontMatterEnd(text, top)
}

function frontMatterEnd(text: string, top: number): number {
  let lineStart = fenceEnd(text, top)
  if (lineStart < 0 || lineStart >= text.length) return top
  let hasKey = false
  for (let first = true; lineStart < text.length; first = false) {
    const closing = fenceEnd(text, lineStart)
    if (closing >= 0) return hasKey || first ? closing : top
    const lineEnd = endOfLine(text, lineStart)
    if (first && text.slice(lineStart, lineEnd).trim() === '') return top
    if (!hasKey) {
      hasKey = KEY_LINE.test(text.slice(lineStart, lineEnd))
    }
    lineStart = lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1)
  }
  return top
}

/** Offset after a `---` line, or -1. */
function fenceEnd(text: string, start: number): number {
  FENCE.lastIndex = start
  return FENCE.test(text) ? FENCE.lastIndex : -1
}

function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) return at
  }
  return text.length
}
