/**
 * @module
 * Checks options that are not fields of models: their names at any depth, their types and ranges. Entry `@x/core/options`.
 */
import { joinPath, ModelValidationError, type ValidationIssue } from './errors.ts'
import { firstOf, kindOf, mismatch } from './model/report.ts'

/** Returns what was expected of a value, or the issues inside of it; undefined if the value is valid. */
export interface OptionCheck {
  (value: unknown): string | readonly ValidationIssue[] | undefined
  /** Whether the option must be set. */
  readonly isRequired?: true
}

/** Checks of options, and the options that other libraries call by another name, such as `{ fn: callback, execute: 'fn' }`. */
export type OptionChecks = Readonly<Record<string, OptionCheck | string>>

/** One check for each option. Leaving out an option does not compile. */
export type OptionTable<Options> = Readonly<Record<keyof Options, OptionCheck>>

/**
 * Checks the options of a function or a class. Undefined counts as absent.
 * @param where - the name of the function or class, for the message.
 * @param table - the check of each option. A string instead of a check refuses a name that other libraries have for an option, and leads
 *   to that option.
 * @throws {ModelValidationError} with an issue for every option that is unknown, invalid, or required and missing.
 * @example
 * import { checkOptions, flag, wholeNumber } from '@x/core/options'
 * const table = { maxRows: wholeNumber(1), strict: flag }
 * checkOptions('readTable', { maxRows: 5 }, table)
 * checkOptions('readTable', { maxRow: 5 }, table) // => throws model_validation
 */
export function checkOptions(where: string, options: unknown, table: OptionChecks): void {
  const issues = issuesOf(options, table)
  if (issues.length > 0) throw new ModelValidationError(where, issues)
}

function issuesOf(options: unknown, table: OptionChecks): ValidationIssue[] {
  // A promise lacks an await.
  if (typeof options !== 'object' || options === null || Array.isArray(options) || options instanceof Promise)
    return [noOptions(options, namesIn(table))]
  const given = options as Readonly<Record<string, unknown>>
  const issues: ValidationIssue[] = []
  for (const name in given) {
    const check = Object.hasOwn(table, name) ? table[name] : undefined
    if (given[name] !== undefined && typeof check !== 'function') issues.push(unknownName(name, namesIn(table), check))
  }
  for (const name in table) {
    const value = given[name]
    const check = table[name]!
    if (typeof check === 'string') continue
    const found = value === undefined && !check.isRequired ? undefined : check(value)
    if (typeof found === 'string') {
      const message = value === undefined ? `expected ${found}, received nothing` : mismatch(found, value, name)
      issues.push({ path: name, message, code: 'option' })
    } else if (found) for (const issue of found) issues.push({ ...issue, path: joinPath(name, issue.path) })
  }
  return issues
}

function namesIn(table: OptionChecks): string[] {
  return Object.keys(table).filter((option) => typeof table[option] !== 'string')
}

/** The error of a single option that has a different type or is out of range. */
export function invalidOption(where: string, option: string, expected: string, value: unknown): ModelValidationError {
  return new ModelValidationError(where, [{ path: option, message: mismatch(expected, value, option), code: 'option' }])
}

/** Checks a single value, which must be set. @throws {ModelValidationError} if it is invalid. */
export function checkOption(where: string, option: string, value: unknown, check: OptionCheck): void {
  const found = check(value)
  if (typeof found === 'string') throw invalidOption(where, option, found, value)
}

/**
 * Checks arguments of a function by their names: each must be set.
 * @param what - their check, or what they are: objects with these methods or fields.
 * @throws {ModelValidationError} with the name of the first argument that is invalid.
 * @example
 * import { checkGiven, list } from '@x/core/options'
 * checkGiven('mean', { numbers: [1, 2] }, list)
 * checkGiven('mean', { numbers: null }, list) // => throws model_validation
 */
export function checkGiven(
  where: string,
  given: Readonly<Record<string, unknown>>,
  what: OptionCheck | string,
  ...names: readonly PropertyKey[]
): void {
  const check = typeof what === 'string' ? having(what, ...names) : what
  for (const name in given) {
    const found = check(given[name] ?? undefined)
    if (typeof found === 'string') throw invalidOption(where, name, found, given[name])
  }
}

/** Accepts any value: something else checks it. */
export const unchecked: OptionCheck = () => undefined

/** Accepts an integer of at least `min`, and null or infinity if `or` says so. */
export function wholeNumber(min: number, or: '' | 'or null' | 'or infinity' = ''): OptionCheck {
  const words = `an integer of at least ${min}${or && ` ${or}`}`
  const further = or === 'or null' ? null : or && Number.POSITIVE_INFINITY
  return (value) =>
    (or && value === further) || (Number.isSafeInteger(value) && (value as number) >= min) ? undefined : words
}

/** Accepts a finite number from `min` to `max`. */
export function numberFrom(min: number, max = Number.MAX_VALUE): OptionCheck {
  const words = max === Number.MAX_VALUE ? `a finite number of at least ${min}` : `a number from ${min} to ${max}`
  return (value) => (typeof value === 'number' && value >= min && value <= max ? undefined : words)
}

/** The longest delay of a timer: a longer one ends at once. */
const LONGEST_DELAY = 2_147_483_647

/**
 * Accepts the milliseconds of a delay, of at least `min`. With `or`, those of a limit: any number, also infinity, and null if `or` says so.
 */
export function milliseconds(min = 0, or: '' | 'or null' | 'or infinity' = ''): OptionCheck {
  const words = `a number of milliseconds ${or ? `of at least ${min} ${or}` : `from ${min} to ${LONGEST_DELAY}`}`
  const max = or ? Number.POSITIVE_INFINITY : LONGEST_DELAY
  return (value) =>
    (or === 'or null' && value === null) || (typeof value === 'number' && value >= min && value <= max)
      ? undefined
      : words
}

/** Accepts true and false. */
export const flag: OptionCheck = (value) => (typeof value === 'boolean' ? undefined : 'a boolean')

/** Accepts a function, or null. */
export const callback: OptionCheck = (value) =>
  value === null || typeof value === 'function' ? undefined : 'a function'

/** Accepts a string, or null. */
export const text: OptionCheck = (value) => (value === null || typeof value === 'string' ? undefined : 'a string')

/** Accepts an array, or null. As an option, it has no item that is null, undefined, or false, as `[isOn && item]` leaves it. */
export const list: OptionCheck = (value) => {
  if (!Array.isArray(value)) return value === null ? undefined : 'an array'
  for (const hole of [null, undefined, false]) {
    const at = value.indexOf(hole)
    if (at >= 0) return [{ path: `[${at}]`, message: mismatch('an item', hole), code: 'option' }]
  }
  return undefined
}

/** Accepts an object that is no array and no promise, or null. */
export const dict: OptionCheck = (value) =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Promise) ? undefined : 'an object'

/** Accepts one of these values. */
export function choice(...values: readonly unknown[]): OptionCheck {
  const words = values.map((value) => JSON.stringify(value)).join(' or ')
  return (value) => (values.includes(value) ? undefined : words)
}

/** Accepts an object with these methods or fields, or null. `what` describes it for the message. */
export function having(what: string, ...names: readonly PropertyKey[]): OptionCheck {
  return (value) => {
    if (value === null) return undefined
    if (typeof value !== 'object') return what
    for (const name of names) if (!(name in value)) return what
    return undefined
  }
}

/** Accepts what receives events, or null. */
export const callbackManager: OptionCheck = /* @__PURE__ */ having('a callback manager', 'startEvent')

/** Accepts an array of objects with these methods or fields. `what` describes one of them for the message. The option must be set. */
export function listOf(what: string, ...names: readonly string[]): OptionCheck {
  const check = required(what, ...names)
  return required((value) => {
    const at = Array.isArray(value) ? value.findIndex((item) => check(item) !== undefined) : 0
    return at < 0 ? undefined : `an array whose item ${at} is ${what}`
  })
}

/** The checks of the options that any call may have: the signal that cancels it, and the event that it belongs to. */
export const callOptions = { signal: /* @__PURE__ */ having('an AbortSignal', 'aborted'), parentId: text }

/** Accepts what another check accepts but null, or an object with these methods or fields. The option must be set. */
export function required(what: string | OptionCheck, ...names: readonly string[]): OptionCheck {
  const check = typeof what === 'string' ? having(what, ...names) : what
  return Object.assign((value: unknown) => check(value ?? undefined), { isRequired: true as const })
}

/** Accepts an object whose options are checked in the same way, or null. */
export function group(table: Readonly<Record<string, OptionCheck>>): OptionCheck {
  return (value) => (value === null ? undefined : issuesOf(value, table))
}

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
function noOptions(value: unknown, known: readonly string[]): ValidationIssue {
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

/**
 * Returns how similar two names are: 1 for equal names. A name whose words are all words of the other is more similar than a longer match.
 */
function similarity(name: string, other: string): number {
  const words = wordsOf(name)
  const others = wordsOf(other)
  const share = likeness(words.join(''), others.join(''))
  const common = words.filter((word) => others.some((known) => isSame(word, known))).length
  if (common > 0 && common >= Math.min(words.length, others.length)) return 0.8 + share / 5
  return 4 * common >= words.length + others.length ? Math.max(share, 0.6 + share / 10) : share
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
