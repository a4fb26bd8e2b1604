/**
 * @module
 * Writes plain data as JSON and reads it back, with integers of any size.
 */
import { hasNumberTexts, hasOtherNumber, numberTextAt, readNumber } from '#number-texts'
import { SerializationError } from '../errors.ts'
import { isPlainObject, mapItems, type Path } from './plain.ts'
import { kindOf, pathText } from './report.ts'

/** Options for writing JSON. */
export interface JsonTextOptions {
  /** Spaces per level, or the string to indent with. */
  indent?: number | string
  /** Whether object keys are sorted alphabetically. @defaultValue false */
  sortKeys?: boolean
  /** Converts a value that has no JSON form to one that has. */
  encoder?: ((value: unknown) => unknown) | undefined
}

/** The start of a string, or a number. Strings are passed by hand: an expression for them needs a stack for millions of escapes. */
const token = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * The maximum depth of data that are written, or searched for large numbers. More than of free-form data, because those are written as
 * part of other data.
 */
const maxLevels = 1_100

/** Part of every long integer and of every number that is too large for a double. Searching for it is faster than `isOrdinary`. */
const longNumber = /\d(?:\d{15}|[eE]\+?\d{3})/

/** Integers with more digits are rejected, as in Python: converting them takes more than linear time. */
export const maxDigits = 4300

/**
 * Parses JSON; integers beyond ±(2^53−1) become bigints. In Node, `writeJsonText` writes numbers such as `1.0` again as they were.
 * @throws {SyntaxError} if the string is not JSON, or a number is too large for a double.
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!hasOtherNumber(text) && (!longNumber.test(text) || isOrdinary(value, 0, true))) return value
  const mark = newMark()
  return JSON.parse(withMarks(text, mark), function (this: object, key, item) {
    return typeof item === 'string' && item.startsWith(mark) ? readNumber(item.slice(mark.length), this, key) : item
  })
}

/** Returns JSON whose large integers, and numbers that `JSON.stringify` writes in another form, are strings that start with a mark. */
function withMarks(text: string, mark: string): string {
  const tokens = new RegExp(token)
  const parts: string[] = []
  let from = 0
  for (let found = tokens.exec(text); found !== null; found = tokens.exec(text)) {
    const [number] = found
    if (number === '"') tokens.lastIndex = stringEnd(text, found.index)
    else if (isLargeInteger(number) || hasOtherNumber(number)) {
      parts.push(text.slice(from, found.index), `"${mark}${number}"`)
      from = tokens.lastIndex
    }
  }
  return parts.join('') + text.slice(from)
}

/** Returns the offset after the string that starts at an offset of valid JSON. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = at - 1
    while (text[escapes] === '\\') escapes--
    if ((at - escapes) % 2 === 1) return at + 1
  }
}

/** Marks digits in strings. Random, so that no other string starts with it. */
const newMark = (): string => `${Math.random()}n`

/** Whether a token is an integer that a number cannot represent. @throws {SyntaxError} if it is too large for a bigint. */
function isLargeInteger(found: string): boolean {
  const value = Number(found)
  if (Number.isSafeInteger(value)) return false
  const isWhole = /^-?\d+$/.test(found)
  if (isWhole ? found.length > maxDigits : !Number.isFinite(value))
    throw new SyntaxError(`the number ${found.slice(0, 20)} is too large`)
  return isWhole
}

/**
 * Whether JSON keeps data as they are: all numbers are within ±(2^53−1), and all objects are plain and not too deep.
 * @param isParsed - whether `JSON.parse` made the data, whose objects are all plain.
 */
function isOrdinary(value: unknown, level: number, isParsed = false): boolean {
  if (typeof value === 'string') return true
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return value == null || typeof value === 'boolean'
  const isList = Array.isArray(value)
  if (level > maxLevels) return false
  if (!isParsed && (!(isList || isPlainObject(value)) || hasNumberTexts(value))) return false
  // `for … in` is faster, but three times as slow everywhere once it has met an object with keys that are integers.
  const items = isList ? value : Object.values(value)
  for (let index = 0; index < items.length; index++) if (!isOrdinary(items[index], level + 1, isParsed)) return false
  return true
}

/**
 * Returns plain data as a JSON string. Bigints are written digit for digit. A number beyond ±(2^53−1) is written so that it is read
 * back as a number. Keys whose value is undefined are omitted; an array item is null.
 * @param path - the path of the data, for errors.
 * @throws {SerializationError} naming the value that has no JSON form.
 */
export function writeJsonText(value: unknown, options: JsonTextOptions = {}, path: Path = []): string {
  const { indent, sortKeys } = options
  if (!sortKeys && value !== undefined && isOrdinary(value, 0)) return JSON.stringify(value, null, indent)
  let mark = ''
  const marked = (number: string | undefined) => number && (mark ||= newMark()) + number

  function plain(item: unknown, encoder: JsonTextOptions['encoder']): unknown {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item
    const isNumber = Number.isFinite(item)
    // `JSON.stringify` throws for a bigint, and writes a large number as an integer that would be read back as a bigint.
    if (typeof item === 'bigint' || (isNumber && Number.isInteger(item) && !Number.isSafeInteger(item))) {
      return marked(isNumber ? (item as number).toExponential() : String(item))
    }
    if (isNumber) return item
    if (path.length > maxLevels)
      throw new SerializationError(pathText(path.slice(0, 5)), 'it is circular, or nested too deeply')
    const items = mapItems(
      item,
      // JSON omits keys whose value is undefined; in an array it is null.
      (part, key) =>
        part === undefined && typeof key === 'string'
          ? part
          : (marked(numberTextAt(item as object, key)) ?? plain(part ?? null, encoder)),
      path,
    )
    if (items)
      return sortKeys && !Array.isArray(items)
        ? Object.fromEntries(Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1)))
        : items
    if (encoder) return plain(encoder(item), undefined)
    throw new SerializationError(pathText(path), `${kindOf(item)} has no JSON form`)
  }

  const text = JSON.stringify(plain(value, options.encoder), null, indent)
  return mark ? text.replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1') : text
}

/**
 * Returns a string unchanged, and any other value as compact JSON, as in {@link compactJson}.
 * @example
 * [textOrJson('{"a": 1}'), textOrJson({ a: 1 })] // => ['{"a": 1}', '{"a":1}']
 */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : compactJson(value)
}

/**
 * Returns the value of a JSON string, or `instead` if the string is not JSON.
 * @example
 * [jsonOr('{"a": 1}'), jsonOr('so', 'so')] // => [{ a: 1 }, 'so']
 */
export function jsonOr(text: string, instead?: unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return instead
  }
}

/**
 * Returns the position behind the bracket that closes the one at `start`, for JSON with other text around it; -1 if it is not closed.
 * Brackets in strings do not count.
 * @param quotes - the characters that may begin a string
 * @example
 * const answer = 'Here: {"a": "}"}.'
 * answer.slice(6, jsonEnd(answer, 6)) // => '{"a": "}"}'
 */
export function jsonEnd(text: string, start: number, quotes = '"'): number {
  const [open, close] = text[start] === '[' ? '[]' : '{}'
  let depth = 0
  let closing = ''
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (closing !== '') {
      if (char === '\\') at++
      else if (char === closing) closing = ''
    } else if (quotes.includes(char)) closing = char === '“' ? '”' : char
    else if (char === open) depth++
    else if (char === close && --depth === 0) return at + 1
  }
  return -1
}

/**
 * Returns any value as compact JSON, for prompts and messages: like `JSON.stringify`, but bigints are written as digits.
 * @throws {SerializationError} if the data contain a bigint and also a value that has no JSON form, or if they are circular.
 */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // A bigint, or a circular object.
    if (!(error instanceof TypeError)) throw error
    return writeJsonText(value)
  }
}
