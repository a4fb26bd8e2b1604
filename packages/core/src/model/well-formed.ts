/** Text without halves of surrogate pairs. */
import { parseExactly, writeJsonText } from './json-text.ts'
import { isPlainObject } from './plain.ts'

const LONE_SURROGATE = /\p{Surrogate}/gu
/** The escape of a code unit of a surrogate pair in JSON text. */
const ESCAPED = /\\u[dD][89a-fA-F]/

/**
 * Returns a value with U+FFFD instead of lone surrogates, which no provider accepts: in the strings and keys of plain data, and in strings
 * of JSON objects, such as the arguments of a call. Values without them are returned as they are; class instances are not searched.
 */
export function wellFormed<T>(value: T): T {
  if (typeof value !== 'string') return wellFormedData(value)
  const text: string & { isWellFormed?(): boolean } = value
  // Nearly all strings are, and the platform checks it faster. Runtimes before 2023 lack the method.
  const mended = text.isWellFormed?.() ? text : text.replace(LONE_SURROGATE, '\uFFFD')
  if (!mended.startsWith('{') || !ESCAPED.test(mended)) return mended as T
  try {
    const data = parseExactly(mended)
    const own = wellFormed(data)
    return (own === data ? mended : writeJsonText(own)) as T
  } catch {
    return mended as T
  }
}

function wellFormedData<T>(value: T): T {
  if (Array.isArray(value)) {
    const items = value.map(wellFormed)
    return items.some((item, i) => item !== value[i]) ? (items as T) : value
  }
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value)
  const mended = entries.map(wellFormed)
  return mended.every((entry, i) => entry === entries[i]) ? value : (Object.fromEntries(mended) as T)
}
