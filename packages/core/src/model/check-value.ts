/**
 * @module
 * Checks values against the JSON Schema of a field, without generated code.
 * Supports only the keywords that the fields of the models here use; `@x/core-model/runtime` supports all of JSON Schema.
 */
import { checkJsonData } from './json-data.ts'
import type { JsonSchema } from './json-schema.ts'
import { jsonTypes, listed, numberBounds } from './json-schema-words.ts'
import { isPlainObject, mapItems } from './plain.ts'
import type { Report } from './report.ts'

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
  if (fits.length + checks.length === 0) return undefined
  // Most fields have one type; a closure for each value would cost more than its check.
  const [fit = () => true] = fits
  return (value, report) => {
    if (!fit(value) && !(fits.length > 1 && fits.some((other) => other(value))))
      report.add(allowed.map(([words]) => words).join(' or '), value)
    else for (let index = 0; index < checks.length; index++) checks[index]!(value, report)
  }
}
