/**
 * @module
 * Parses the argument object of a tool call from the text of a model: strict JSON, or the near-JSON that models sometimes write.
 * Nothing is evaluated or guessed: text that is not one complete object throws. Time is linear.
 */
import { compactJson, errorMessage, isPlainObject, parseExactly } from '@x/core/values'
import type { ToolCall } from '../task/agent-event.ts'
import { quoted, ToolArgumentsError, ToolInputError } from './tool-errors.ts'

/** White space, and the beginning of a code fence. */
const BEFORE = /^\s*(?:```[\w-]*\s*)?/

/**
 * Returns the arguments of a call as an object. A string must be one object, at most in a code fence: what else the model
 * wrote may be a second call, so nothing is left out. Some models write an empty string for no arguments.
 */
export function readCallArguments(call: ToolCall): Record<string, unknown> {
  const given: unknown = call.arguments
  if (typeof given === 'string') return given.trim() === '' ? {} : readAlone(given)
  if (isPlainObject(given)) return given
  throw new ToolInputError(call.name, [{ path: '', message: `expected an object, received ${compactJson(given)}` }])
}

function readAlone(text: string): Record<string, unknown> {
  try {
    const { value, end } = readArguments(text, BEFORE.exec(text)![0].length)
    const rest = text.slice(end).trim()
    if (rest === '' || rest === '```') return value
  } catch (error) {
    throw new ToolArgumentsError(`${errorMessage(error)} Received ${quoted(text)}.`, text)
  }
  throw new ToolArgumentsError(
    `Tool arguments: expected one JSON object and nothing after it; the call was not made. Request each call on its own. Received ${quoted(text)}.`,
    text,
  )
}

/** The maximum nesting depth. Deeper data is not a tool call, and writing it as JSON could overflow the stack. */
const MAX_DEPTH = 200

const DIGIT = /\d/

/** An argument object and its end. */
export interface ReadArguments {
  /** The arguments, in the order of the text. A duplicate key has its last value. */
  value: Record<string, unknown>
  /** The offset after the closing brace. */
  end: number
}

/**
 * Parses the object that starts with the `{` at `start`. Text after the object is ignored.
 *
 * In addition to JSON it accepts single-quoted strings, unquoted keys, trailing commas, `//` and `/* *\/` comments, raw line
 * breaks and unknown escapes in strings, hexadecimal integers, `True`, `False`, `None`, a doubled outer brace, and an
 * unescaped quote inside a string when no `,` `:` `}` `]`, comment or end follows it.
 * Integers beyond ±(2^53−1) are bigints.
 * @throws {ToolArgumentsError} for any other text, such as an expression, a bare word or a truncated object.
 * @example
 * readArguments("{'city': 'Paris', days: 3,}").value // => { city: 'Paris', days: 3 }
 */
export function readArguments(text: string, start: number = text.indexOf('{')): ReadArguments {
  if (text[start] !== '{') throw new ToolArgumentsError('Tool arguments: expected a JSON object, found no "{".', text)
  return readStrictly(text, start) ?? new ArgumentReader(text, start).read()
}

/** Parses the object as JSON. Returns undefined if it is not JSON. */
function readStrictly(text: string, start: number): ReadArguments | undefined {
  // Usually the text ends with a short object, which cannot be nested too deeply.
  const last = text.lastIndexOf('}') + 1
  const found = last - start <= MAX_DEPTH ? parseJson(text, start, last) : undefined
  if (found) return found
  const end = endOfObject(text, start)
  // The tolerant parser reports the error.
  return end < 0 ? undefined : parseJson(text, start, end)
}

function parseJson(text: string, start: number, end: number): ReadArguments | undefined {
  const json = text.slice(start, end)
  try {
    // Without digits there is no number whose digits must be kept.
    const value: unknown = DIGIT.test(json) ? parseExactly(json) : JSON.parse(json)
    return { value: value as Record<string, unknown>, end }
  } catch {
    return undefined
  }
}

/** Returns the offset after the brace that closes the one at `start`, or -1 if it is missing or the nesting is too deep. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      for (i++; i < text.length && text.charCodeAt(i) !== 0x22; i++) if (text.charCodeAt(i) === 0x5c) i++
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return -1
    } else if ((code === 0x7d || code === 0x5d) && --depth === 0) return i + 1
  }
  return -1
}

const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])

const ESCAPES = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

const BLANK = /\s*/y
const WORD = /[A-Za-z_$][\w$-]*/y
const NUMBER = /-?(?:0[xX][\da-fA-F]+|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const LINE_END = /[\r\n\u2028\u2029]|$/g
const PLAIN_DOUBLE = /[^"\\]*/y
const PLAIN_SINGLE = /[^'\\]*/y
const UNICODE = /[\da-fA-F]{4}/y

class ArgumentReader {
  private readonly text: string
  private readonly start: number
  private at: number
  private depth = 0

  constructor(text: string, start: number) {
    this.text = text
    this.start = start
    this.at = start
  }

  read(): ReadArguments {
    // {{"a": 1}}: a model that copies a template shows its braces doubled.
    const doubled = this.text[this.start + 1] === '{'
    if (doubled) this.at++
    const value = this.object()
    if (doubled) {
      this.skipBlanks()
      this.expect('}')
    }
    return { value, end: this.at }
  }

  private object(): Record<string, unknown> {
    this.enter()
    const entries: [string, unknown][] = []
    for (;;) {
      if (this.take('}')) break
      const key = this.key()
      this.expect(':')
      entries.push([key, this.value()])
      if (this.take(',')) continue
      this.expect('}')
      break
    }
    this.depth--
    // Defines own properties for all keys, including `__proto__`.
    return Object.fromEntries(entries)
  }

  private array(): unknown[] {
    this.enter()
    const items: unknown[] = []
    for (;;) {
      if (this.take(']')) break
      items.push(this.value())
      if (this.take(',')) continue
      this.expect(']')
      break
    }
    this.depth--
    return items
  }

  private enter(): void {
    this.at++
    if (++this.depth > MAX_DEPTH) this.fail('at most 200 levels')
  }

  private key(): string {
    const quote = this.peek()
    if (quote === '"' || quote === "'") return this.string(quote)
    return this.match(WORD) ?? this.fail('a key')
  }

  private value(): unknown {
    const first = this.peek()
    if (first === '{') return this.object()
    if (first === '[') return this.array()
    if (first === '"' || first === "'") return this.string(first)
    const word = this.match(WORD)
    if (word !== undefined) return WORDS.has(word) ? WORDS.get(word) : this.fail('a value', this.at - word.length)
    const digits = this.match(NUMBER)
    if (digits === undefined) return this.fail('a value')
    const begin = this.at - digits.length
    const number = numberOf(digits)
    const next = this.peek()
    if (number === undefined || (next !== ',' && next !== ']' && next !== '}')) this.fail('a plain number', begin)
    return number
  }

  private string(quote: string): string {
    const begin = this.at
    const plain = quote === '"' ? PLAIN_DOUBLE : PLAIN_SINGLE
    let out = ''
    this.at++
    for (;;) {
      out += this.match(plain)
      const char = this.text[this.at++]
      if (char === undefined) this.fail('a closing quote', begin)
      if (char === '\\') out += this.escape()
      else if (this.closes()) return out
      else out += char
    }
  }

  /** Whether the quote before `at` ends its string. */
  private closes(): boolean {
    BLANK.lastIndex = this.at
    BLANK.test(this.text)
    const i = BLANK.lastIndex
    const next = this.text[i]
    if (next === undefined || next === ',' || next === ':' || next === '}' || next === ']') return true
    return next === '/' && (this.text[i + 1] === '/' || this.text[i + 1] === '*')
  }

  private escape(): string {
    const char = this.text[this.at]
    if (char === undefined) return '\\'
    this.at++
    if (char === 'u') {
      const digits = this.match(UNICODE)
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
    }
    return ESCAPES.get(char) ?? `\\${char}`
  }

  private skipBlanks(): void {
    BLANK.lastIndex = this.at
    BLANK.test(this.text)
    this.at = BLANK.lastIndex
  }

  /** Returns the next character after white space and comments. */
  private peek(): string | undefined {
    for (;;) {
      this.skipBlanks()
      if (this.text[this.at] !== '/') return this.text[this.at]
      if (this.text[this.at + 1] === '/') {
        LINE_END.lastIndex = this.at
        this.at = LINE_END.exec(this.text)!.index
      } else if (this.text[this.at + 1] === '*') {
        const end = this.text.indexOf('*/', this.at + 2)
        if (end < 0) this.fail('the end of the comment')
        this.at = end + 2
      } else return '/'
    }
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false
    this.at++
    return true
  }

  private expect(char: string): void {
    if (!this.take(char)) this.fail(`"${char}"`)
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  private fail(expected: string, at = this.at): never {
    const found = at < this.text.length ? JSON.stringify(this.text.slice(at, at + 20)) : 'the end of the text'
    throw new ToolArgumentsError(
      `Tool arguments: expected ${expected} at character ${at - this.start} of the object, found ${found}.`,
      this.text,
    )
  }
}

/** Returns a number; a bigint for an integer beyond ±(2^53−1), whose digits a number would lose. Undefined if it is too large. */
function numberOf(text: string): number | bigint | undefined {
  const isNegative = text.startsWith('-')
  const size = sizeOf(isNegative ? text.slice(1) : text)
  return isNegative && size !== undefined ? -size : size
}

function sizeOf(digits: string): number | bigint | undefined {
  if (/^0[xX]/.test(digits)) return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits)
  try {
    return parseExactly(digits) as number | bigint
  } catch {
    return undefined
  }
}
