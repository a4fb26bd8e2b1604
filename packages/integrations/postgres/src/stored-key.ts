/**
 * @module
 * Ids and keys as columns. Columns of the type `text` can contain every character except U+0000 and halves of surrogate pairs.
 */

import { invalidOption } from '@x/core/options'

/** The maximum number of bytes of a key. An entry of an index, which may contain two of them, has at most 2,704 bytes. */
const MAX_BYTES = 1300

const ESCAPE = '\u001b'
const special = /[\u0000\u001b]|\p{Surrogate}/gu
const escaped = /\u001b(....)/g

/** Returns a string in a form that Postgres can store: other characters become an escape character and four hexadecimal digits. */
export function storedText(text: string): string {
  return text.replace(special, (found) => ESCAPE + found.charCodeAt(0).toString(16).padStart(4, '0'))
}

/** Returns the original string of a stored one. */
export function textOfStored(text: string): string {
  return text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Returns the text to store for an id or a key. @throws {ModelValidationError} when it is not a string, or too long for an index. */
export function storedKey(key: string): string {
  const text = storedText(String(key))
  const bytes = new TextEncoder().encode(text).length
  if (typeof key === 'string' && bytes <= MAX_BYTES) return text
  const found = typeof key === 'string' ? `, not of ${bytes}` : ''
  throw invalidOption('PostgresDatabase', 'key', `a string of at most ${MAX_BYTES} bytes${found}`, key)
}
