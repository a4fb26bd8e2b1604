/**
 * @module
 * Text for a terminal: without control characters, wrapped by the width of its characters.
 */

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}\uff01-\uff60]/u
const ZERO = /\p{M}|[\u200b-\u200f]/u
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Replaces control characters, so that a document cannot control the terminal, by characters that are seen. Keeps the length. */
export function withoutControls(text: string): string {
  return text.replace(CONTROL, '\ufffd').replaceAll('\t', ' ')
}

/** Returns the number of columns of a string. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

/** A line of a wrapped text: a range of the text, after a number of blanks. */
export interface WrappedLine {
  start: number
  end: number
  indent: number
}

/** Divides a string into lines of at most `width` columns, between words where possible. Items of lists keep their indentation. */
export function wrap(text: string, width: number): WrappedLine[] {
  const lines: WrappedLine[] = []
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const [before = ''] = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?/.exec(line) ?? []
    wrapLine(line.trimEnd(), index, width, Math.min(widthOf(before), Math.floor(width / 2)), lines)
  }
  return lines
}

function wrapLine(line: string, index: number, width: number, hanging: number, lines: WrappedLine[]): void {
  let [start, indent, columns, at] = [0, 0, 0, 0]
  /** The end of the last word that ends on this line, and the start of the word after it. */
  let word = { end: 0, next: 0 }
  let isBlank = true
  for (const character of line) {
    const size = widthOf(character)
    const wasBlank = isBlank
    isBlank = /\s/.test(character)
    if (isBlank && !wasBlank) word = { end: at, next: at }
    if (!isBlank && wasBlank) word.next = at
    while (!isBlank && columns + size > width && at > start) {
      const breaks = word.end > start && word.next > word.end
      const end = breaks ? word.end : at
      lines.push({ start: index + start, end: index + end, indent })
      start = breaks ? word.next : at
      indent = hanging
      columns = hanging + widthOf(line.slice(start, at))
    }
    columns += size
    at += character.length
  }
  if (at > start) lines.push({ start: index + start, end: index + at, indent })
}

/** Shortens a line to a width. */
export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = ''
  for (const character of text) {
    if (widthOf(short) + widthOf(character) > width - 1) break
    short += character
  }
  return `${short}…`
}
