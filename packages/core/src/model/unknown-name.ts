import { ModelValidationError, type ValidationIssue } from '../errors.ts'
import { firstOf, kindOf } from './report.ts'

/**
 * Refuses options that do not exist, for functions whose values something else checks. Undefined counts as absent.
 * @param where - the name of the function, for the message.
 * @throws {ModelValidationError} naming the first one.
 * @example
 * import { checkNames } from '@x/core/options'
 * checkNames('read', { path: 'a' }, ['path'])
 * checkNames('read', { paths: 'a' }, ['path']) // => throws model_validation
 */
export function checkNames(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new ModelValidationError(where, [noOptions(options, known)])
  for (const name in options)
    if (!known.includes(name) && (options as Record<string, unknown>)[name] !== undefined)
      throw new ModelValidationError(where, [unknownName(name, known)])
}

/** Returns the issue of a value that is no object of options. */
export function noOptions(value: unknown, known: readonly string[]): ValidationIssue {
  const message = `expected an object of options${firstOf(known)}, received ${kindOf(value)}`
  return { path: '', message, code: 'type' }
}

/**
 * Returns the issue of an option that does not exist, with the most similar name that does.
 * @param right - the option that other libraries call `name`.
 */
export function unknownName(name: string, known: readonly string[], right?: string): ValidationIssue {
  let best = right
  let most = right ? 2 : 0.6
  for (const other of known) {
    const share = similarity(name, other)
    if (share < most) continue
    most = share
    best = other
  }
  return { path: name, message: `unknown option${best ? `; did you mean ${best}?` : ''}`, code: 'unknown' }
}

/** Returns how similar two names are: 1 for equal names. A name whose words are all words of the other is more similar than a longer match. */
function similarity(name: string, other: string): number {
  const words = wordsOf(name)
  const others = wordsOf(other)
  const share = likeness(words.join(''), others.join(''))
  const common = words.filter((word) => others.some((known) => isSame(word, known))).length
  if (common > 0 && common >= Math.min(words.length, others.length)) return 0.8 + share / 5
  return common > 0 && 4 * common >= words.length + others.length ? Math.max(share, 0.6 + share / 10) : share
}

const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())

/** Whether two words are equal, or one of at least four letters begins the other. */
function isSame(a: string, b: string): boolean {
  const start = Math.max(4, Math.min(a.length, b.length))
  return a === b || a.slice(0, start) === b.slice(0, start)
}

/** Returns how much of two strings their common beginning and end are: 1 for equal strings. */
function likeness(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return (start + end) / Math.max(a.length, b.length)
}
