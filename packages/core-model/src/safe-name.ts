import { ModelValidationError } from '@x/core'
import { checkGiven, text as string } from '@x/core/options'

/** Options of {@link safeName}. */
interface SafeNameOptions {
  /** The most bytes of UTF-8. @defaultValue 200 */
  maxBytes?: number | undefined
  /**
   * What it becomes: a part of a path; an identifier that is quoted, which may contain separators; or a hash, of the digits `0` to `9` and
   * `a` to `f`. @defaultValue 'path'
   */
  as?: 'path' | 'identifier' | 'hash' | undefined
}

const FORMS = {
  path: /^(?!\.{1,2}$)[^/\\:\p{Cc}\p{Surrogate}]*$/u,
  identifier: /^[^\0\p{Surrogate}]*$/u,
  hash: /^[\da-f]*$/,
} as const

const WORDS = {
  path: 'a name without separators and control characters',
  identifier: 'a name without U+0000 and lone surrogates',
  hash: 'the digits of a hash, in lower case',
} as const

/**
 * Returns a name that becomes a part of a path or an identifier of a database, unchanged: it has no separators, no control characters, no
 * lone surrogates, is not `.` or `..`, and is not longer than its place allows, where some systems cut it.
 * @param where - what the name is of, for the error, such as `StorageFolder.addIndex.vectorStore`.
 * @throws {ModelValidationError} if the name has another form.
 * @example
 * safeName('StorageFolder.addIndex.vectorStore', 'images') // => 'images'
 * safeName('blob', '../x', { as: 'hash' }) // => throws model_validation
 */
export function safeName(where: string, name: unknown, { maxBytes = 200, as = 'path' }: SafeNameOptions = {}): string {
  checkGiven('safeName', { where }, string)
  const isValid =
    typeof name === 'string' && name !== '' && FORMS[as].test(name) && new TextEncoder().encode(name).length <= maxBytes
  if (isValid) return name
  const at = where.lastIndexOf('.')
  throw new ModelValidationError(where.slice(0, Math.max(at, 0)) || where, [
    { path: where.slice(at + 1), message: `expected ${WORDS[as]}, of 1 to ${maxBytes} bytes`, code: 'type' },
  ])
}
