/**
 * @module
 * Checks values against the JSON Schema of a field, without generated code and without evaluation.
 * Knows the keywords that the fields of models use; anything else of JSON Schema is for `@x/core-model/runtime`.
 */
import type { ValidationIssue } from '../errors.ts'
import type { JsonSchema } from './json-schema.ts'
import { isPlainObject } from './plain.ts'

/** Steps to a value: names of fields and keys, and positions in lists. */
export type Path = readonly (string | number)[]

/** `['a', 0, 'b']` as `a[0].b`. */
export function pathText(path: Path): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step)).join('')
}

/** What kind of value this is, for messages. Texts are not repeated, because they may be a user's data. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  return isPlainObject(value) ? 'an object' : `an instance of ${value.constructor?.name || 'a class'}`
}

const fits: Record<string, (value: unknown) => boolean> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: isPlainObject,
  string: (value) => typeof value === 'string',
}

const bounds: [keyword: string, words: string, fits: (value: number, bound: number) => boolean][] = [
  ['minimum', 'at least', (value, bound) => value >= bound],
  ['maximum', 'at most', (value, bound) => value <= bound],
  ['exclusiveMinimum', 'above', (value, bound) => value > bound],
  ['exclusiveMaximum', 'below', (value, bound) => value < bound],
]

/** The issue of a value that is not what was expected. */
export function issueOf(path: Path, expected: string, value: unknown, code = 'type'): ValidationIssue {
  return { path: pathText(path), message: `expected ${expected}, got ${kindOf(value)}`, code }
}

const listed = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ')

const typeNames: Record<string, string> = {
  array: 'a list',
  integer: 'an integer',
  null: 'null',
  number: 'a finite number',
  object: 'an object',
}

/** Adds an issue for everything in a value that does not fit. */
export function checkValue(schema: JsonSchema, value: unknown, path: Path, issues: ValidationIssue[]): void {
  const { type, items, additionalProperties, propertyNames, anyOf } = schema
  const types = typeof type === 'string' ? [type] : type
  if (types && !types.some((name) => fits[name]!(value))) {
    issues.push(issueOf(path, types.map((name) => typeNames[name] ?? `a ${name}`).join(' or '), value))
    return
  }
  if (schema.enum?.includes(value) === false) issues.push(issueOf(path, `one of ${listed(schema.enum)}`, value, 'enum'))
  if (typeof value === 'number') {
    for (const [keyword, words, holds] of bounds) {
      const bound = schema[keyword] as number | undefined
      if (bound !== undefined && !holds(value, bound))
        issues.push(issueOf(path, `a number ${words} ${bound}`, value, 'bound'))
    }
  }
  if (items && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) checkValue(items, value[index], [...path, index], issues)
  }
  if (typeof additionalProperties === 'object' && isPlainObject(value)) {
    const known = (propertyNames as JsonSchema | undefined)?.enum
    for (const [key, item] of Object.entries(value)) {
      if (known?.includes(key) === false)
        issues.push(issueOf([...path, key], `one of the keys ${listed(known)}`, item, 'enum'))
      checkValue(additionalProperties, item, [...path, key], issues)
    }
  }
  if (anyOf) {
    const attempts = anyOf.map((option) => {
      const found: ValidationIssue[] = []
      checkValue(option, value, path, found)
      return found
    })
    if (attempts.every((found) => found.length > 0)) issues.push(...attempts[0]!)
  }
}
