/**
 * @module
 * Splits a Jinja template into text and tags, with the white space rules of `trim_blocks` and `lstrip_blocks`.
 */
import { TemplateSyntaxError } from '@x/core-model'

/** A token of an expression or statement. */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'operator' | 'end'
  readonly value: string
  readonly at: number
}

/** A piece of a template. `start` and `end` are offsets. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'print' | 'block'
      readonly tokens: readonly Token[]
      readonly start: number
      readonly end: number
    }

/** Returns the error for an invalid template. */
export function syntaxError(source: string, at: number, problem: string, hint: string): TemplateSyntaxError {
  return new TemplateSyntaxError(source, Math.min(at, source.length), problem, hint, 'RichPromptTemplate: ')
}

/** Returns the template as Jinja reads it: line feeds alone, and not the last one. */
export const normalized = (source: string) => source.replace(/\r\n?/g, '\n').replace(/\n$/, '')

const token =
  /\s+|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_]*)|(?<string>'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|(?<operator>\*\*|\/\/|[=!<>]=|[-+*/%~|.,:()[\]{}<>=])/uy

/** Splits a normalized template. @throws {TemplateSyntaxError} */
export function lex(source: string): Piece[] {
  const pieces: Piece[] = []
  const opening = /\{[{%#]/g
  let position = 0
  let lineStarts = true
  /** Adds the text before a tag, and applies the sign of the tag. */
  const addText = (end: number, sign: string, isPrint: boolean): void => {
    let text = source.slice(position, end)
    if (sign === '-') text = text.trimEnd()
    else if (sign !== '+' && !isPrint) {
      const line = text.lastIndexOf('\n') + 1
      if ((line > 0 || lineStarts) && /^\s+$/.test(text.slice(line))) text = text.slice(0, line)
    }
    if (text !== '') pieces.push({ kind: 'text', text, start: position, end: position + text.length })
  }
  /** Continues behind a tag, and removes what its closing sign removes. */
  const continueAt = (end: number, sign: string, trims: boolean): void => {
    position = end
    if (sign === '-') while (/\s/.test(source.charAt(position))) position++
    else if (trims && sign !== '+' && source[position] === '\n') position++
    lineStarts = source[position - 1] === '\n'
  }

  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const start = found.index
    const kind = source[start + 1]!
    const sign = /[-+]/.test(source.charAt(start + 2)) ? source[start + 2]! : ''
    if (kind === '#') {
      const end = source.indexOf('#}', start + 2)
      if (end === -1) throw syntaxError(source, start, 'A comment that is never closed', 'Close it with #}.')
      addText(start, sign, false)
      continueAt(end + 2, source[end - 1]!, true)
    } else {
      addText(start, sign, kind === '{')
      const { tokens, end, closing } = readTag(source, start + 2 + sign.length, kind === '{' ? '}}' : '%}')
      continueAt(end, closing, kind === '%')
      if (kind === '%' && tokens[0]!.value === 'raw') {
        const close = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g
        close.lastIndex = position
        const last = close.exec(source)
        if (!last) throw syntaxError(source, start, 'A raw block that is never closed', 'Close it with {% endraw %}.')
        addText(last.index, last[1]!, false)
        continueAt(close.lastIndex, last[2]!, true)
      } else pieces.push({ kind: kind === '{' ? 'print' : 'block', tokens, start, end })
    }
    opening.lastIndex = position
  }
  addText(source.length, '+', true)
  return pieces
}

/** Reads the tokens of a tag. */
function readTag(source: string, from: number, delimiter: string) {
  const tokens: Token[] = []
  let open = 0
  for (let at = from; at < source.length; ) {
    const sign = /[-+]/.test(source[at]!) ? source[at]! : ''
    if (open === 0 && source.startsWith(delimiter, at + sign.length) && !(sign === '+' && delimiter === '}}')) {
      tokens.push({ kind: 'end', value: delimiter, at })
      return { tokens, end: at + sign.length + 2, closing: sign }
    }
    token.lastIndex = at
    const found = token.exec(source)
    if (!found)
      throw syntaxError(source, at, 'A character that cannot be in an expression', 'Check the quotation marks.')
    const kind = (['number', 'name', 'string', 'operator'] as const).find((name) => found.groups![name] !== undefined)
    if (kind) tokens.push({ kind, value: found[0], at })
    if (kind === 'operator') open += '([{'.includes(found[0]) ? 1 : ')]}'.includes(found[0]) ? -1 : 0
    at = token.lastIndex
  }
  throw syntaxError(source, from - 2, 'A tag that is never closed', `Close it with ${delimiter}.`)
}
