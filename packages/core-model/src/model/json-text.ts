/**
 * @module
 * JSON text from plain data and back, with integers of any size.
 */
import { SerializationError } from '../errors.ts'
import { kindOf, pathText } from './check-value.ts'
import { readExactly } from './json-reader.ts'
import { mapItems, type Path } from './plain.ts'

/** How JSON text is written. */
export interface JsonTextOptions {
  /** Spaces per level, or the string to indent with. */
  indent?: number | string
  /** Write object keys in alphabetical order. @defaultValue false */
  sortKeys?: boolean
  /** Returns the JSON form of a value that has none of its own. */
  encoder?: ((value: unknown) => unknown) | undefined
}

/**
 * The value of a JSON text, as `JSON.parse` reads it; integers beyond ±(2^53−1) are bigints.
 * @param options.nonFinite - read `NaN` and infinities, which Python writes. @defaultValue false
 * @throws {JsonTextError} saying where the text is not JSON, or where a number is too large for a double.
 */
export function readJsonText(text: string, { nonFinite = false } = {}): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (!hasLargeNumber(value)) return value
  } catch {
    // The reader below finds the place of the fault.
  }
  return readExactly(text, nonFinite)
}

/** Whether a number in data is beyond ±(2^53−1). Looking at the values costs less than looking at the text. */
function hasLargeNumber(value: unknown): boolean {
  const open: object[] = [[value]]
  while (open.length > 0) {
    const container = open.pop()!
    const items: unknown[] = Array.isArray(container) ? container : Object.values(container)
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (typeof item === 'number') {
        if (item > Number.MAX_SAFE_INTEGER || item < Number.MIN_SAFE_INTEGER) return true
      } else if (typeof item === 'object' && item !== null) open.push(item)
    }
  }
  return false
}

/**
 * The JSON text of plain data. Bigints are written digit for digit, and a number beyond ±(2^53−1) so that it is read as a
 * number again. Keys without a value are left out.
 * @param path - where the data stands, for errors.
 * @throws {SerializationError} naming the value that has no JSON form.
 */
export function writeJsonText(value: unknown, options: JsonTextOptions = {}, path: Path = []): string {
  const { indent, sortKeys } = options
  /** `JSON.stringify` writes everything as it should be. */
  let isOrdinary = true

  function plain(item: unknown, encoder: JsonTextOptions['encoder']): unknown {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item
    if (typeof item === 'bigint' || Number.isFinite(item)) {
      if (isUnsafe(item)) isOrdinary = false
      return item
    }
    const items = mapItems(
      item,
      // JSON leaves out keys without a value.
      (part, key) => (part === undefined && typeof key === 'string' ? part : plain(part, encoder)),
      path,
    )
    if (items) return sortKeys && !Array.isArray(items) ? sorted(items) : items
    if (encoder) return plain(encoder(item), undefined)
    throw new SerializationError(pathText(path), `${kindOf(item)} has no JSON form`)
  }

  const data = plain(value, options.encoder)
  return isOrdinary ? JSON.stringify(data, null, indent) : write(data, JSON.stringify([0], null, indent).slice(2, -3))
}

/**
 * The compact JSON text of any value, for prompts and messages: what `JSON.stringify` writes, with bigints as digits.
 * @throws {SerializationError} when a value beside a bigint has no JSON form.
 */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // A bigint, or an object that contains itself.
    if (!(error instanceof TypeError)) throw error
    return writeJsonText(value)
  }
}

/** Whether `JSON.stringify` refuses a value, or writes it as an integer that is read as a bigint. */
function isUnsafe(value: unknown): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object).sort()
  return Object.fromEntries(keys.map((key) => [key, object[key]]))
}

/** What `JSON.stringify` writes, but for {@link isUnsafe unsafe} values. */
function write(value: unknown, indent: string, line = '\n'): string {
  if (isUnsafe(value)) return typeof value === 'number' ? value.toExponential() : `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = line + indent
  const [start, end] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((item) => write(item, indent, inner))
    : Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : `${JSON.stringify(key)}:${indent && ' '}${write(item, indent, inner)}`,
      )
  if (!indent || parts.length === 0) return start + parts.join(',') + end
  return start + inner + parts.join(`,${inner}`) + line + end
}
