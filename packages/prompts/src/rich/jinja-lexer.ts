/**
 * @module
 * Splits a Jinja template into tokens, with the white space rules of `trim_blocks` and `lstrip_blocks`.
 */
import { NotSupportedError, TemplateSyntaxError } from '@x/core-model'
import { blank, Refusal, strip } from './python-text.ts'

/** A piece of text, the start or end of a tag, or a token in a tag. `at` and `end` are offsets. */
export interface Token {
  readonly kind: 'text' | 'tag' | 'name' | 'string' | 'number' | 'operator' | 'end'
  readonly value: string
  readonly at: number
  readonly end: number
}

/** Returns the error for an invalid template. */
export function syntaxError(source: string, at: number, problem: string, hint: string): TemplateSyntaxError {
  return new TemplateSyntaxError(source, Math.min(at, source.length), problem, hint, 'RichPromptTemplate: ')
}

/** Returns the error for what a running template cannot do; other errors unchanged. */
export function errorAt(source: string, at: number, what: string, error: unknown): unknown {
  const isTooLong = error instanceof RangeError && /invalid (?:string|array) length|out of memory/i.test(error.message)
  if (!(error instanceof Refusal) && !isTooLong) return error
  const hint = 'Convert the values before formatting, or test them in the template.'
  const problem = isTooLong ? ': the result is too long' : error.message
  return new NotSupportedError(syntaxError(source, at, what + problem, hint).message)
}

/** Returns the template as Jinja reads it: line feeds alone, and not the last one. */
export const normalized = (source: string) => source.replace(/\r\n?/g, '\n').replace(/\n$/, '')

const opening = /\{(?:%([-+]?)\s*raw\s*(-?)%\}|([{%#])([-+]?))/g
const closing = /([-+]?)%\}|(-?)\}\}/y
const endRaw = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g
const endComment = /([-+]?)#\}/g
const blanks = new RegExp(`${blank}*`, 'y')
const token =
  /\s+|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_]*)|(?<string>'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|(?<operator>\*\*|\/\/|[=!<>]=|[-+*/%~|.,:()[\]{}<>=])/uy
const kinds = ['number', 'name', 'string', 'operator'] as const

/** Executes an expression from an offset on. */
function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

/** Splits a normalized template. @throws {TemplateSyntaxError} */
export function lex(source: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  /** Adds the text before a tag, without what its sign removes. */
  const addText = (end: number, sign: string): void => {
    let value = source.slice(position, end)
    const line = value.lastIndexOf('\n') + 1
    const isIndented = line > 0 || position === 0 || source[position - 1] === '\n'
    if (sign === '-') value = strip(value, null, false)
    else if (sign === '' && isIndented && strip(value.slice(line)) === '') value = value.slice(0, line)
    if (value !== '') tokens.push({ kind: 'text', value, at: position, end: position + value.length })
  }
  /** Continues behind a tag and what its closing sign removes. */
  const continueAt = (end: number, sign: string): void => {
    position = end
    if (sign === '-') position += matchAt(blanks, source, end)![0].length
    else if (sign === '' && source[end] === '\n') position++
  }

  for (let found = matchAt(opening, source, 0); found; found = matchAt(opening, source, position)) {
    const { 0: whole, 1: rawSign, 2: rawEnd, 3: kind, 4: sign, index: at } = found
    const end = at + whole.length
    const never = (what: string, close: string) =>
      syntaxError(source, at, `A ${what} that is never closed`, `Close it with ${close}.`)
    // The white space around a printed value stays.
    const standard = kind === '{' ? '+' : ''
    addText(at, rawSign || sign || standard)
    if (kind === '{' || kind === '%') {
      const close = kind === '{' ? '}}' : '%}'
      tokens.push({ kind: 'tag', value: `{${kind}`, at, end })
      const last = readTag(source, end, close, tokens)
      if (last === null) throw never('tag', close)
      continueAt(tokens.at(-1)!.end, last || standard)
    } else {
      if (!kind) continueAt(end, rawEnd || '+')
      const last = matchAt(kind ? endComment : endRaw, source, kind ? end : position)
      if (!last) throw kind ? never('comment', '#}') : never('raw block', '{% endraw %}')
      if (!kind) addText(last.index, last[1]!)
      continueAt(last.index + last[0].length, last.at(-1)!)
    }
  }
  addText(source.length, '+')
  return tokens
}

/** Adds the tokens of a tag, and returns its closing sign; null if it does not end. */
function readTag(source: string, from: number, close: string, tokens: Token[]): string | null {
  let open = 0
  for (let at = from; at < source.length; at = token.lastIndex) {
    const last = open === 0 ? matchAt(closing, source, at) : null
    if (last?.[0].endsWith(close)) {
      tokens.push({ kind: 'end', value: close, at, end: closing.lastIndex })
      return last[1] ?? last[2]!
    }
    const found = matchAt(token, source, at)
    if (!found)
      throw syntaxError(source, at, 'A character that cannot be in an expression', 'Check the quotation marks.')
    const kind = kinds.find((name) => found.groups![name] !== undefined)
    if (kind) tokens.push({ kind, value: found[0], at, end: token.lastIndex })
    if (kind === 'operator') open += '([{'.includes(found[0]) ? 1 : ')]}'.includes(found[0]) ? -1 : 0
  }
  return null
}
