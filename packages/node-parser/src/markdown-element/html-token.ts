/**
 * @module
 * Reads the tags and comments of HTML source, like the tokenizer of the HTML standard.
 */
import { decodeReference } from '../markdown/character-reference.ts'

/** A tag; `end` is the offset after its `>`. */
export interface Tag {
  kind: 'tag'
  /** The name in lower case. */
  name: string
  closing: boolean
  start: number
  end: number
}

/** A comment, a declaration or an instruction; `until` matches its end, at or after `bodyStart`. */
export interface Comment {
  kind: 'comment'
  bodyStart: number
  until: RegExp
}

const COMMENT_END = /--!?>/g
const NEXT_GREATER = />/g
const NAME = /[a-z][^\t\n\f\r />]*/iy

/**
 * Returns the tag or comment that starts with the `<` at `start`. Returns null if the `<` is text, and `unclosed` if it begins a tag
 * that does not end before the end of `text`.
 */
export function readToken(text: string, start: number): Tag | Comment | 'unclosed' | null {
  const next = text.charAt(start + 1)
  if (next === '!' || next === '?') return readComment(text, start)
  const closing = next === '/'
  NAME.lastIndex = closing ? start + 2 : start + 1
  const name = NAME.exec(text)?.[0]
  if (name === undefined) {
    // `</>` and `</1>` are comments.
    return closing && start + 2 < text.length ? { kind: 'comment', bodyStart: start + 2, until: NEXT_GREATER } : null
  }
  const end = readAttributes(text, NAME.lastIndex)
  return end < 0 ? 'unclosed' : { kind: 'tag', name: name.toLowerCase(), closing, start, end }
}

function readComment(text: string, start: number): Comment {
  if (!text.startsWith('<!--', start)) return { kind: 'comment', bodyStart: start + 2, until: NEXT_GREATER }
  const bodyStart = start + 4
  // `<!-->` and `<!--->` are whole comments.
  const isShort = text.startsWith('>', bodyStart) || text.startsWith('->', bodyStart)
  return { kind: 'comment', bodyStart, until: isShort ? NEXT_GREATER : COMMENT_END }
}

/** Returns the attributes of a tag, with their names in lower case. If a name is repeated, the first attribute is used. */
export function attributesOf(text: string, { start, end, name, closing }: Tag): Map<string, string> {
  const attributes = new Map<string, string>()
  const nameStart = start + (closing ? 2 : 1)
  readAttributes(text.slice(0, end), nameStart + name.length, attributes)
  return attributes
}

/** Returns the offset after the `>` that ends a tag, or -1. A `>` in a quoted value does not end it. */
function readAttributes(text: string, from: number, attributes?: Map<string, string>): number {
  for (let at = from; ; ) {
    at = skip(text, at, isBlankOrSlash)
    if (at >= text.length) return -1
    if (text.charAt(at) === '>') return at + 1
    const nameStart = at
    // An attribute name may start with `=`.
    at = skip(text, at + 1, isInName)
    const name = text.slice(nameStart, at).toLowerCase()
    let value = ''
    const equals = skip(text, at, isBlank)
    if (text.charAt(equals) === '=') {
      const valueStart = skip(text, equals + 1, isBlank)
      const quote = text.charAt(valueStart)
      if (quote === '"' || quote === "'") {
        const valueEnd = text.indexOf(quote, valueStart + 1)
        if (valueEnd < 0) return -1
        value = text.slice(valueStart + 1, valueEnd)
        at = valueEnd + 1
      } else {
        at = skip(text, valueStart, isUnquoted)
        value = text.slice(valueStart, at)
      }
    }
    if (attributes?.has(name) === false) attributes.set(name, decodeReferences(value))
  }
}

function skip(text: string, from: number, belongs: (code: number) => boolean): number {
  let at = from
  while (at < text.length && belongs(text.charCodeAt(at))) at++
  return at
}

const SLASH = 47
const EQUALS = 61
const GREATER = 62

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13
}

function isBlankOrSlash(code: number): boolean {
  return code === SLASH || isBlank(code)
}

function isInName(code: number): boolean {
  return code !== SLASH && code !== EQUALS && code !== GREATER && !isBlank(code)
}

function isUnquoted(code: number): boolean {
  return code !== GREATER && !isBlank(code)
}

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z\d]+));/gi

/** Returns a string with its character references replaced, such as `&amp;`. */
export function decodeReferences(source: string): string {
  return source.replace(REFERENCE, (_, decimal?: string, hexadecimal?: string, name?: string) =>
    decodeReference(decimal ?? hexadecimal ?? name ?? '', decimal ? 10 : hexadecimal ? 16 : 0),
  )
}
