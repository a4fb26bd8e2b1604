/**
 * @module
 * Checks constructor options: refuses unknown keys at any depth, and values that are out of range or of the wrong type.
 */
import { ConfigurationError } from '@x/core-model'

/** Returns what was expected of a value, or undefined if it is valid. Throws for a key inside of it. */
export interface Check {
  (value: unknown, path: string): string | undefined
  /** Whether the option must be set. */
  readonly isRequired?: true
}

/** One check per option. Leaving out an option does not compile. */
export type OptionTable<Options> = Readonly<Record<keyof Options, Check>>

/**
 * @param where - the name of the class, for the message.
 * @throws {ConfigurationError} for the first option that is unknown, invalid, or required and missing. Undefined counts as absent.
 */
export function checkOptions(where: string, options: object, table: Readonly<Record<string, Check>>): void {
  if (typeof options !== 'object' || options === null)
    throw new ConfigurationError(`${where}: expected an object of options, received ${shown(options)}.`)
  const unknown = Object.keys(options).filter((key) => !Object.hasOwn(table, key))
  if (unknown.length > 0) throw new ConfigurationError(`${where}: unknown option ${unknown.join(', ')}.`)
  for (const key in table) {
    const check = table[key]!
    const value = (options as Record<string, unknown>)[key]
    const expected = value === undefined && !check.isRequired ? undefined : check(value, `${where}.${key}`)
    if (expected) throw new ConfigurationError(`${where}.${key}: expected ${expected}, received ${shown(value)}.`)
  }
}

/** Returns the options with these names that are set. */
export function pick<T extends object, K extends string>(
  options: T,
  keys: Readonly<Record<K, unknown>>,
): Partial<Pick<T, K & keyof T>> {
  const picked: Record<string, unknown> = {}
  for (const key in options) if (Object.hasOwn(keys, key)) picked[key] = options[key]
  return picked as never
}

/** For options that something else checks. */
export const anything: Check = () => undefined

/** An integer. @param nullable - whether null means no limit. */
export function integer(min: number, nullable: '' | 'or null' = ''): Check {
  const words = `an integer of at least ${min}${nullable && ' or null'}`
  return (value) =>
    (nullable && value === null) || (Number.isSafeInteger(value) && (value as number) >= min) ? undefined : words
}

/** A number of milliseconds, or null for no limit. */
export const milliseconds: Check = (value) =>
  value === null || (typeof value === 'number' && value >= 0) ? undefined : 'milliseconds (0 or more) or null'

/** True or false. */
export const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'a boolean')

/** A function, or null. */
export const callback: Check = (value) => (value === null || typeof value === 'function' ? undefined : 'a function')

/** A string, or null. */
export const text: Check = (value) => (value === null || typeof value === 'string' ? undefined : 'a string')

/** An array, or null. */
export const array: Check = (value) => (value === null || Array.isArray(value) ? undefined : 'an array')

/** One of these values. */
export function oneOf(...values: readonly unknown[]): Check {
  const words = values.map((value) => JSON.stringify(value)).join(' or ')
  return (value) => (values.includes(value) ? undefined : words)
}

/** An object with these methods or fields, or null. */
export function having(what: string, ...names: readonly string[]): Check {
  return (value) =>
    value === null || (typeof value === 'object' && names.every((name) => name in value)) ? undefined : what
}

/** An object with these methods or fields, which must be set. */
export function required(what: string, ...names: readonly string[]): Check {
  const check = having(what, ...names)
  return Object.assign((value: unknown, path: string) => (value === null ? what : check(value, path)), {
    isRequired: true as const,
  })
}

/** An object whose keys are checked in the same way, or null. */
export function nested(table: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (value === null) return undefined
    if (typeof value !== 'object' || Array.isArray(value)) return 'an object'
    checkOptions(path, value, table)
    return undefined
  }
}

/** Returns a value as words for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 40)
}
