/**
 * @module
 * The types and bounds of JSON Schema, with their words for messages. Shared by all checks of the `@x` packages.
 */
import type { JsonSchema } from './json-schema.ts'
import { isPlainObject } from './plain.ts'

/** The types: the words for a message, and a function that returns whether a value is of the type. */
export const jsonTypes: Readonly<Record<string, readonly [words: string, fits: (value: unknown) => boolean]>> = {
  array: ['an array', Array.isArray],
  boolean: ['a boolean', (value) => typeof value === 'boolean'],
  integer: ['an integer', Number.isInteger],
  null: ['null', (value) => value === null],
  number: ['a finite number', Number.isFinite],
  object: ['an object', isPlainObject],
  string: ['a string', (value) => typeof value === 'string'],
}

/** The bounds of numbers: the keyword, the words for a message, and a function that returns whether a number is within the bound. */
export const numberBounds: readonly (readonly [
  keyword: string,
  words: string,
  isWithin: (value: number, bound: number) => boolean,
])[] = [
  ['minimum', 'at least', (value, bound) => value >= bound],
  ['maximum', 'at most', (value, bound) => value <= bound],
  ['exclusiveMinimum', 'above', (value, bound) => value > bound],
  ['exclusiveMaximum', 'below', (value, bound) => value < bound],
]

/** Values as JSON, separated by commas. */
export function listed(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}

/** Returns the words for the values that a schema accepts: its constant, its enumeration or its types. */
export function schemaWords(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${listed(schema.enum)}`
  if (schema.type === undefined) return 'a value'
  return [schema.type]
    .flat()
    .map((type) => jsonTypes[type]?.[0] ?? `a ${type}`)
    .join(' or ')
}
