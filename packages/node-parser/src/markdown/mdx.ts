/**
 * @module
 * The syntax of MDX: JSX, expressions, imports and exports between the blocks of Markdown.
 */
import { having } from '@x/core/options'
import { isLineEnd, skipBlanks } from './characters.ts'

/**
 * Returns the offset after the construct that begins at `start`, or -1 if no construct begins there. `start` is the first offset of a line
 * after container marks; a construct ends at the end of a line. `interrupts`: whether the construct would interrupt a paragraph.
 */
export type ConstructReader = (start: number, interrupts: boolean) => number

/** A syntax that replaces HTML and indented code of Markdown, such as {@link mdx}. */
export interface MarkdownSyntax {
  /** Returns the reader of one document. */
  reader(text: string): ConstructReader
}

/** The check of a syntax. */
export const aSyntax = /* @__PURE__ */ having('a syntax, such as mdx', 'reader')

/**
 * The syntax of MDX files: import and export statements, JSX tags and expressions on separate lines are text, not Markdown. Everything
 * between the tags is Markdown, at any indentation. There is no indented code and no HTML, so HTML tables are text. Invalid MDX is parsed
 * as Markdown. Takes linear time.
 * @example
 * const text = 'import { Tabs } from "./tabs"\n\n<Tabs items={["a"]}>\n    ## Fruit\n\n    | name | price |\n    |---|---|\n    | apple | 2 |\n</Tabs>'
 * readBlocks(text, { syntax: mdx }).map(({ kind }) => kind) // => ['mdx', 'mdx', 'heading', 'table', 'mdx']
 */
export const mdx: MarkdownSyntax = {
  reader(text) {
    // Unclosed constructs are searched to the end of the document. After a total of two passes, no more of them are searched.
    let left = 2 * text.length + 1000
    return (start, interrupts) => {
      if (left < 0) return -1
      const { at, read } = constructEnd(text, start, interrupts)
      left -= Math.max(0, read - Math.max(at, start))
      return at
    }
  },
}

/** The end of a construct, or -1, and the offset up to which the text was read. */
interface Reading {
  at: number
  read: number
}

const IMPORT = /import(?:[ \t]*["'{*]|[ \t]+[\w$]+[ \t]*(?:,|[ \t]from[ \t]))/y
const EXPORT = /export[ \t]+(?:[{*]|(?:default|const|let|var|function|async|class|type|interface|enum)(?![\w$]))/y

function constructEnd(text: string, start: number, interrupts: boolean): Reading {
  const code = text[start]
  if (code === '<' || code === '{') return flowEnd(text, start)
  const isStatement =
    (start === 0 || isLineEnd(text, start - 1)) &&
    !interrupts &&
    (code === 'i' ? matches(IMPORT, text, start) : code === 'e' && matches(EXPORT, text, start))
  return isStatement ? statementsEnd(text, start) : { at: -1, read: start }
}

function matches(pattern: RegExp, text: string, start: number): boolean {
  pattern.lastIndex = start
  return pattern.test(text)
}

/** Reads tags and expressions up to the end of a line. */
function flowEnd(text: string, start: number): Reading {
  let at = start
  for (;;) {
    const end = text[at] === '<' ? tagEnd(text, at) : codeEnd(text, at + 1, '}')
    if (end.at < 0) return end
    at = skipBlanks(text, end.at, text.length)
    if (at === text.length || isLineEnd(text, at)) return { at: end.at, read: at }
    if (text[at] !== '<' && text[at] !== '{') return { at: -1, read: at }
  }
}

/** Reads a tag such as `<Tabs items={x} {...y}>`, `</Tabs>` or `<>`. */
function tagEnd(text: string, start: number): Reading {
  if (!/[A-Za-z_$/>]/.test(text[start + 1] ?? '')) return { at: -1, read: start }
  let at = start + 1
  while (at < text.length) {
    const character = text[at] as string
    if (character === '>') return { at: at + 1, read: at }
    if (character === '<') return { at: -1, read: at }
    if (character === '{') {
      const end = codeEnd(text, at + 1, '}')
      if (end.at < 0) return end
      at = end.at
    } else if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1)
      if (end < 0) return { at: -1, read: text.length }
      at = end + 1
    } else at++
  }
  return { at: -1, read: at }
}

/** Reads statements up to a blank line outside of all brackets. */
function statementsEnd(text: string, start: number): Reading {
  const end = codeEnd(text, start, null)
  // With unclosed brackets, the construct is the paragraph.
  return end.at < 0 ? { at: paragraphEnd(text, start), read: end.read } : end
}

/** Returns the end of the last line before a blank one. */
function paragraphEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) if (isLineEnd(text, at) && isBeforeBlankLine(text, at)) return at
  return text.length
}

/** Whether the line after the one that ends at an offset is blank. */
function isBeforeBlankLine(text: string, lineEnd: number): boolean {
  const next = skipBlanks(text, lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1), text.length)
  return next === text.length || isLineEnd(text, next)
}

/**
 * Reads JavaScript up to the bracket that closes the one before `start`, or with null up to a blank line outside of all brackets.
 * Strings, templates and comments are skipped; a quote that is not closed on its line is an apostrophe in JSX.
 */
function codeEnd(text: string, start: number, closing: '}' | null): Reading {
  /** The open brackets; a backtick is an open template. */
  const open: string[] = []
  /** The end of a line with an unclosed quote: further quotes on the line are not tried. */
  let unquoted = -1
  let at = start
  while (at < text.length) {
    const character = text[at] as string
    if (open.at(-1) === '`') {
      if (character === '\\') at++
      else if (character === '`') open.pop()
      else if (character === '$' && text[at + 1] === '{') {
        open.push('{')
        at++
      }
    } else if (isLineEnd(text, at)) {
      if (closing === null && open.length === 0 && isBeforeBlankLine(text, at)) return { at, read: at }
    } else if (character === '`' || '([{'.includes(character)) open.push(character)
    else if (')]}'.includes(character)) {
      if (open.length === 0) return character === closing ? { at: at + 1, read: at } : { at: -1, read: at }
      open.pop()
    } else if ((character === '"' || character === "'") && at > unquoted) {
      const end = quoteEnd(text, at)
      if (end < 0) unquoted = -end
      else at = end
    } else if (character === '/' && (text[at + 1] === '*' || text[at + 1] === '/')) at = commentEnd(text, at)
    at++
  }
  return { at: closing === null && open.length === 0 ? text.length : -1, read: text.length }
}

/** Returns the offset of the quote that closes a string on its line, or the negative end of the line. */
function quoteEnd(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length && !isLineEnd(text, at); at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at
  }
  return -at
}

/** Returns the offset of the last character of a comment. */
function commentEnd(text: string, start: number): number {
  if (text[start + 1] === '*') {
    const end = text.indexOf('*/', start + 2)
    return end < 0 ? text.length : end + 1
  }
  let at = start
  // `//` may also be a part of an address in JSX.
  if (text[start - 1] === ':') return start + 1
  while (at + 1 < text.length && !isLineEnd(text, at + 1)) at++
  return at
}
