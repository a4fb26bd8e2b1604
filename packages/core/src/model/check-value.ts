/**
 * @module
 * Checks values against the JSON Schema of a field, without generated code.
 * Supports only the keywords that the fields of the models here use; `@x/core-model/runtime` supports all of JSON Schema.
 * The types and bounds, with their words for messages, are those of all checks of the `@x` packages.
 *
 * Free-form data may contain JSON values, bigints for integers of any size, and `undefined` for an absent key, which is null in an array,
 * as in JSON.
 */
import type { JsonSchema } from './json-schema.ts'
import { isPlainObject, mapItems, type Path } from './plain.ts'
import type { Report } from './report.ts'

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
function listed(values: readonly unknown[]): string {
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

/** Adds an issue to `report` for everything in a value that is invalid. */
export type Check = (value: unknown, report: Report) => void

/**
 * Returns the check of a schema, or undefined if every value is valid. `inner` returns the checks of items and entries. `json` says whether
 * the value must be JSON data; by default an object with any keys.
 */
export type CheckMaker = (schema: JsonSchema, inner?: CheckMaker, json?: boolean) => Check | undefined

/** The {@link CheckMaker} of this package. */
export function checkOf(schema: JsonSchema, inner: CheckMaker = checkOf, json?: boolean): Check | undefined {
  const { type = [], enum: values, items, additionalProperties, propertyNames } = schema
  const types = [type].flat()
  const allowed = types.map((name) => jsonTypes[name]!)
  const checks: Check[] = []
  if (values)
    checks.push((value, report) => {
      if (!values.includes(value)) report.add(`one of ${listed(values)}`, value, 'enum')
    })
  for (const [keyword, words, isWithin] of numberBounds) {
    const bound = schema[keyword] as number | undefined
    if (bound !== undefined)
      checks.push((value, report) => {
        if (typeof value === 'number' && !isWithin(value, bound))
          report.add(`a number ${words} ${bound}`, value, 'bound')
      })
  }
  const isFreeForm = types.includes('object') && additionalProperties === undefined
  if (json ?? isFreeForm) checks.push(checkJsonData)
  const checkItem = items && inner(items)
  const checkEntry = typeof additionalProperties === 'object' ? inner(additionalProperties) : undefined
  const keys = (propertyNames as JsonSchema | undefined)?.enum
  if (checkItem ?? checkEntry ?? keys)
    checks.push((value, report) => {
      const checkPart = (part: unknown, key: string | number): void => {
        if (typeof key === 'string' && keys?.includes(key) === false)
          report.add(`one of the keys ${listed(keys)}`, key, 'enum')
        const check = typeof key === 'number' ? checkItem : checkEntry
        check?.(part, report)
      }
      mapItems(value, checkPart, report.path)
    })
  if (allowed.length + checks.length === 0) return undefined
  // Most fields have one type; a closure for each value would cost more than its check.
  const [[, fit] = ['', () => true], ...others] = allowed
  return (value, report) => {
    if (!fit(value) && !others.some(([, fits]) => fits(value)))
      report.add(allowed.map(([words]) => words).join(' or '), value)
    else for (let index = 0; index < checks.length; index++) checks[index]!(value, report)
  }
}

/** The maximum depth, which is that of Python. Deeper data are circular, or could overflow the stack when they are copied. */
export const maxLevels = 1_000

/** A value that is not JSON data, and the steps to it, the last one first. */
interface Foreign {
  value: unknown
  steps: Path
}

/** Reports the first value in `value` that is not JSON data. */
export function checkJsonData(value: unknown, report: Report): void {
  const { path } = report
  const levels = path.length
  const foreign = isOther(value) ? foreignIn(value, levels) : undefined
  if (!foreign) return
  // Of data that are circular or too deep, the path ends at the first key.
  path.push(...(isData(foreign.value) ? foreign.steps.slice(-1) : foreign.steps.reverse()))
  report.add('JSON data', foreign.value, 'json', adviceFor(foreign.value))
  path.length = levels
}

/** Returns what to use instead of a value that is not JSON data. */
export function adviceFor(value: unknown): string {
  if (isData(value)) return 'it is circular, or nested too deeply'
  if (value === undefined) return 'use null'
  if (value instanceof Date) return 'use an ISO string (toISOString)'
  if (value instanceof Map) return 'use an object (Object.fromEntries)'
  if (value instanceof Set) return 'use an array'
  return 'use a plain object or a string, or omit it'
}

/** Whether a value is an array or a plain object. */
function isData(value: unknown): value is unknown[] | Record<string, unknown> {
  return Array.isArray(value) || isPlainObject(value)
}

/** Whether a value contains other values, or is not JSON data. Most values are strings and numbers, so these come first. */
function isOther(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number') return false
  return typeof value === 'object' ? value !== null : typeof value === 'function' || typeof value === 'symbol'
}

/** Returns the first value in `value` that is not JSON data. `value` is not a string, a number, a boolean or null. */
function foreignIn(value: unknown, level: number): Foreign | undefined {
  if (level > maxLevels) return { value, steps: [] }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item = value[index]
      const isHole = item === undefined && !(index in value)
      const foreign = isHole ? { value: item, steps: [] } : isOther(item) ? foreignIn(item, level + 1) : undefined
      if (foreign) return behind(index, foreign)
    }
    return undefined
  }
  // The constructor of nearly all plain objects is `Object`; reading it is faster than reading the prototype.
  if ((value as object).constructor === Object || isPlainObject(value)) {
    const data = value as Record<string, unknown>
    // Faster than Object.keys; a plain object inherits no enumerable keys.
    for (const key in data) {
      const item = data[key]
      const foreign = isOther(item) ? foreignIn(item, level + 1) : undefined
      if (foreign) return behind(key, foreign)
    }
    return undefined
  }
  return { value, steps: [] }
}

function behind(step: string | number, foreign: Foreign): Foreign {
  foreign.steps.push(step)
  return foreign
}
