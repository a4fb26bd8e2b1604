/**
 * @module
 * Converts results of functions to text for models.
 */
import { errorMessage } from '../errors.ts'
import { compactJson } from './json-text.ts'

/**
 * Returns the text of a result: a string unchanged, the strings of a generator joined, everything else as JSON. Maps
 * become objects (or pairs, if a key is not a string), sets become arrays, errors their name and message, bytes their number. Where a
 * value contains itself, `[Circular]` is written. Never throws.
 */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  if (typeof result === 'function' || typeof result === 'symbol') return String(result)
  try {
    const text = jsonOf(result)
    return text === '{}' ? ownText(result) : text
  } catch (error) {
    return `[a result that cannot be written as JSON: ${errorMessage(error)}]`
  }
}

function jsonOf(result: unknown): string {
  try {
    return JSON.stringify(result, (_key, value) => plainOf(value)) ?? 'null'
  } catch {
    // A bigint, or a value that contains itself.
    return compactJson(copyOf(result, []))
  }
}

/** Returns data in place of a value that JSON would write as an empty object; other values unchanged. */
function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Set) return [...value]
  if (value instanceof Map) {
    const entries = [...value]
    return entries.every(([key]) => typeof key === 'string') ? Object.fromEntries(entries) : entries
  }
  if (isError(value)) return `${value.name}: ${value.message}`
  return ArrayBuffer.isView(value) ? `[${value.byteLength} bytes]` : value
}

/** The limit for values that contain themselves; real values are hardly ever deeper. */
const MAX_DEPTH = 200

/** Returns a copy without values that contain themselves. `inside` are the objects around the value. */
function copyOf(value: unknown, inside: readonly object[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (inside.includes(value)) return '[Circular]'
  if (inside.length > MAX_DEPTH) return '[…]'
  const around = [...inside, value]
  const { toJSON } = value as { toJSON?: unknown }
  const plain = typeof toJSON === 'function' ? toJSON.call(value) : plainOf(value)
  if (plain !== value) return copyOf(plain, around)
  if (Array.isArray(value)) return value.map((item) => copyOf(item, around))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item, around)]))
}

/** The text of an object without enumerable fields, such as search parameters, if its class has one. */
function ownText(value: unknown): string {
  const text = (value as { toString?: unknown }).toString
  return typeof text === 'function' && text !== Object.prototype.toString ? String(value) : '{}'
}

/** Whether a value is an error, also one of another realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
}
