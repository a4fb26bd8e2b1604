/**
 * @module
 * Checks values against the JSON Schema of a field, without generated code.
 * Supports only the keywords that the fields of the models here use; `@x/core-model/runtime` supports all of JSON Schema.
 */
import { joinPath, ModelValidationError, type ValidationIssue } from '../errors.ts'
import { checkJsonData, checkJsonObject } from './json-data.ts'
import type { JsonSchema } from './json-schema.ts'
import { jsonTypes, listed, numberBounds } from './json-schema-words.ts'
import { isPlainObject, mapItems, type Path } from './plain.ts'

/** Formats a path: `['a', 0, 'b']` is `a[0].b`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => joinPath(text, typeof step === 'number' ? `[${step}]` : step), '')
}

/** Describes the type of a value for a message. Strings are not quoted, because they may be private data of a user. */
export function kindOf(value: unknown): string {
  if (value === null || ['undefined', 'number', 'boolean'].includes(typeof value)) return `${value}`
  if (typeof value === 'bigint') return `${value} (a bigint)`
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return `a ${typeof value}`
  return isPlainObject(value) ? 'an object' : `an instance of ${value.constructor?.name || 'a class'}`
}

/** Collects validation issues. `path` is the path of the value that is being checked. */
export class Report {
  readonly path: Path
  readonly issues: ValidationIssue[] = []

  constructor(path: Path = ['']) {
    this.path = path
  }

  /** Adds issues that were found elsewhere. */
  addAll(issues: readonly ValidationIssue[]): void {
    for (const issue of issues) this.issues.push(issue)
  }

  /** Adds an issue at `path`: the expected and the received type, and optionally advice. */
  add(expected: string, value: unknown, code = 'type', advice?: string): this {
    const message = `expected ${expected}, received ${kindOf(value)}${advice ? `; ${advice}` : ''}`
    this.issues.push({ path: pathText(this.path), message, code })
    return this
  }
}

/** Returns the error for a single invalid value. */
export function invalid(title: string, expected: string, value: unknown, path?: Path): ModelValidationError {
  return new ModelValidationError(title, new Report(path).add(expected, value).issues)
}

/** Adds an issue to `report` for everything in a value that is invalid. */
export type Check = (value: unknown, report: Report) => void

/** Returns the check of a schema, or undefined if every value is valid. `inner` returns the checks of items and entries. */
export type CheckMaker = (schema: JsonSchema, inner?: CheckMaker) => Check | undefined

/** Returns the check of a schema, or undefined if every value is valid. `freeForm` checks free-form data; null if nothing does. */
export function checkOf(schema: JsonSchema, inner: CheckMaker = checkOf, freeForm?: Check | null): Check | undefined {
  const { type = [], enum: values, items, additionalProperties, propertyNames } = schema
  const allowed = [type].flat().map((name) => jsonTypes[name]!)
  const fits = allowed.map(([, fit]) => fit)
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
  const isFreeForm = fits.includes(isPlainObject) && additionalProperties === undefined
  const checkFree = fits.length > 1 ? checkJsonData : checkJsonObject
  const checkData = freeForm === undefined && isFreeForm ? checkFree : freeForm
  if (checkData) checks.push(checkData)
  const checkItem = items && inner(items)
  const checkEntry = typeof additionalProperties === 'object' ? inner(additionalProperties) : undefined
  const keys = (propertyNames as JsonSchema | undefined)?.enum
  if (checkItem ?? checkEntry ?? keys)
    checks.push((value, report) => {
      const checkPart = (part: unknown, key: string | number): void => {
        if (typeof key === 'string' && keys?.includes(key) === false)
          report.add(`one of the keys ${listed(keys)}`, part, 'enum')
        const check = typeof key === 'number' ? checkItem : checkEntry
        check?.(part, report)
      }
      mapItems(value, checkPart, report.path)
    })
  if (fits.length + checks.length === 0) return undefined
  // Most fields have one type; a closure for each value would cost more than its check.
  const [fit = () => true] = fits
  return (value, report) => {
    if (!fit(value) && !(fits.length > 1 && fits.some((other) => other(value))))
      report.add(allowed.map(([words]) => words).join(' or '), value)
    else for (let index = 0; index < checks.length; index++) checks[index]!(value, report)
  }
}
