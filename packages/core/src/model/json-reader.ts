/**
 * @module
 * A JSON reader for features that `JSON.parse` lacks: exact integers, `NaN` and infinities as Python writes them, and the position of a
 * syntax error. It is several times slower than `JSON.parse`, so it is used only when necessary. Time is linear, depth is unlimited.
 */

import { withNumberText } from '#number-texts'
import { checkGiven, text as string } from '../check-options.ts'
import { maxDigits, parseExactly } from './json-text.ts'

/** Thrown for a string that is not JSON, or that contains a number that is too large. */
export class JsonTextError extends SyntaxError {
  /** Offset of the first invalid character, in UTF-16 code units. */
  readonly position: number

  constructor(text: string, position: number, reason: string) {
    const lines = text.slice(0, position).split('\n')
    super(`position ${position} (line ${lines.length}, column ${lines.at(-1)!.length + 1}): ${reason}`)
    this.position = position
  }
}

/** A string and the offset of the next character. */
interface Source {
  text: string
  at: number
  /** The text of the value before, if it is a number that `JSON.stringify` writes in another form. */
  number?: string | undefined
}

type Container = unknown[] | Record<string, unknown>

const blanks = /[ \t\n\r]*/y
const literal = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null|NaN|-?Infinity/y
const stringPart = /[^"\\\0-\x1f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/**
 * Parses JSON; integers beyond ±(2^53−1) become bigints.
 * @param options.nonFinite - whether `NaN` and infinities, which Python writes, are accepted. @defaultValue false
 * @throws {JsonTextError} with the position, if the string is not JSON or a number is too large for a double.
 */
export function readJsonText(text: string, { nonFinite = false } = {}): unknown {
  checkGiven('readJsonText', { text }, string)
  try {
    return parseExactly(text)
  } catch {
    // The reader below finds the position of the error.
    return readExactly(text, nonFinite)
  }
}

/**
 * Parses JSON, with integers beyond ±(2^53−1) as bigints.
 * @param nonFinite - whether `NaN`, `Infinity` and `-Infinity` are accepted.
 * @throws {JsonTextError}
 */
function readExactly(text: string, nonFinite: boolean): unknown {
  const source: Source = { text, at: 0 }
  const open: [container: Container, key: string][] = []
  for (;;) {
    let value = readStart(source, nonFinite)
    // A container that is not empty stays open; its first value is read next.
    if (isContainer(value) && !take(source, endOf(value))) {
      open.push([value, readKey(source, value)])
      continue
    }
    for (;;) {
      const parent = open.at(-1)
      if (!parent) {
        match(source, blanks)
        return source.at < text.length ? fail(source, 'the end of the text') : value
      }
      const [container, key] = parent
      put(container, key, value)
      if (source.number) withNumberText(source.number, container, Array.isArray(container) ? container.length - 1 : key)
      source.number = undefined
      if (take(source, ',')) {
        parent[1] = readKey(source, container)
        break
      }
      if (!take(source, endOf(container))) fail(source, `"," or "${endOf(container)}"`)
      value = container
      open.pop()
    }
  }
}

/** Reads a scalar value, or the start of a container. */
function readStart(source: Source, nonFinite: boolean): unknown {
  if (take(source, '[')) return []
  if (take(source, '{')) return {}
  if (source.text[source.at] === '"') return readString(source)
  const start = source.at
  const found = match(source, literal)
  if (!found) return fail(source, 'a value')
  const [word, fraction, exponent] = found
  if (/^[tfn]/.test(word)) return JSON.parse(word)
  const value = Number(word)
  const isWord = /[NI]/.test(word)
  if (isWord ? nonFinite : fraction || exponent ? Number.isFinite(value) : Number.isSafeInteger(value)) {
    if (!isWord && String(value) !== word) source.number = word
    return value
  }
  if (!isWord && !fraction && !exponent && word.length <= maxDigits) return BigInt(word)
  source.at = start
  return fail(source, isWord ? 'a value' : `a finite number of at most ${maxDigits} digits`, word.slice(0, 20))
}

/** Reads the key before a value. Returns an empty string in an array. */
function readKey(source: Source, container: Container): string {
  if (Array.isArray(container)) return ''
  match(source, blanks)
  const key = readString(source)
  if (!take(source, ':')) fail(source, '":"')
  return key
}

function readString(source: Source): string {
  const start = source.at
  if (!take(source, '"')) fail(source, 'a key in double quotes')
  while (match(source, stringPart));
  if (source.text[source.at] !== '"') fail(source, 'the rest of a string')
  return JSON.parse(source.text.slice(start, ++source.at))
}

/** Skips white space, then `character` if it is next. Returns whether it was. */
function take(source: Source, character: string): boolean {
  match(source, blanks)
  const isNext = source.text[source.at] === character
  if (isNext) source.at++
  return isNext
}

function match(source: Source, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = source.at
  const found = pattern.exec(source.text)
  if (found) source.at = pattern.lastIndex
  return found
}

/** Throws. The message quotes only the invalid character, because the rest of the string may be private data of a user. */
function fail({ text, at }: Source, expected: string, received?: string): never {
  const code = text.codePointAt(at)
  const found = received ?? (code === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(code)))
  throw new JsonTextError(text, at, `expected ${expected}, received ${found}`)
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

function put(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) container.push(value)
  else if (key !== '__proto__') container[key] = value
  // Assigning would set the prototype; in JSON it is an ordinary key.
  else Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}

function endOf(container: Container): string {
  return Array.isArray(container) ? ']' : '}'
}
