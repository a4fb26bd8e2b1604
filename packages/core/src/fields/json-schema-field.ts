/**
 * @module
 * Fields declared by a JSON Schema.
 */
import { ConfigurationError } from '@x/core'
import {
  arrayKeywords,
  jsonTypes,
  type Keywords,
  keyOf,
  numberKeywords,
  schemaWords,
  stringKeywords,
  testsOf,
} from '@x/core/json-schema'
import type { Check, CheckMaker } from '../model/check-value.ts'
import type { JsonSchema } from '../model/json-schema.ts'
import { inOrder } from './checks.ts'
import { type FieldOptions, fieldOf } from './field-builders.ts'
import type { Field } from './field-types.ts'

/**
 * A field whose value is checked by a JSON Schema; `T` is its type. Supported are the keywords of the other functions, `const` and
 * `anyOf`. For all others use `typebox` of `@x/core/runtime`.
 * @throws {ConfigurationError} if the class is first used, if a keyword is not supported.
 */
export function jsonSchema<T>(
  schema: JsonSchema,
  options: FieldOptions & { default: T | (() => T) },
): Field<T, 'optional'>
export function jsonSchema<T>(schema: JsonSchema, options?: FieldOptions): Field<T>
export function jsonSchema(schema: JsonSchema, options?: FieldOptions): Field {
  return fieldOf(schema, options, { check: checkAll })
}

/** Keywords that the core checks, and keywords that only describe. */
const otherKeywords =
  /^(?:type|enum|minimum|maximum|exclusiveMinimum|exclusiveMaximum|items|additionalProperties|propertyNames|anyOf|title|description|default|examples|deprecated|format|\$comment)$/

const constKeyword: Keywords = {
  const: (constant: unknown) => {
    const key = keyOf(constant)
    return (value) => (keyOf(value) === key ? undefined : JSON.stringify(constant))
  },
}

function refuse(keyword: string): never {
  throw new ConfigurationError(
    `the JSON Schema keyword "${keyword}" is not supported here; use typebox(…) of @x/core/runtime for this field`,
  )
}

/** Returns the check of a schema. @throws {ConfigurationError} for a keyword that is not supported. */
function checkAll(schema: JsonSchema, checkOf: CheckMaker): Check {
  const keywords = { ...constKeyword, ...numberKeywords, ...arrayKeywords, ...stringKeywords }
  for (const keyword of Object.keys(schema))
    if (!Object.hasOwn(keywords, keyword) && !otherKeywords.test(keyword)) refuse(keyword)
  const { type = [], items, additionalProperties, propertyNames, anyOf } = schema
  for (const name of [type].flat())
    if (!Object.hasOwn(jsonTypes, name)) throw new ConfigurationError(`"${name}" is not a type of JSON Schema`)
  if (Array.isArray(items)) refuse('items')
  if (additionalProperties === false) refuse('additionalProperties')
  const keys = propertyNames as JsonSchema | undefined
  // The core checks keys only together with their values, and only against a list of allowed keys.
  if (keys && (keys.enum === undefined || Object.keys(keys).length > 1 || typeof additionalProperties !== 'object'))
    refuse('propertyNames')
  const check = inOrder(
    checkOf(schema, (part) => checkAll(part, checkOf)),
    testsOf(schema, keywords),
  )
  return anyOf ? anyOfCheck(check, anyOf, checkOf) : check
}

function anyOfCheck(check: Check, alternatives: readonly JsonSchema[], checkOf: CheckMaker): Check {
  const checks = alternatives.map((part) => checkAll(part, checkOf))
  const expected = alternatives.map(wordsFor).join(' or ')
  return (value, report) => {
    const { issues } = report
    const before = issues.length
    check(value, report)
    if (issues.length > before) return
    const fits = checks.some((one) => {
      one(value, report)
      return issues.splice(before).length === 0
    })
    if (!fits) report.add(expected, value, 'anyOf')
  }
}

/** Describes the values that one alternative of `anyOf` accepts. */
function wordsFor(schema: JsonSchema): string {
  const { type: _, description: __, title: ___, ...rest } = schema
  const isWhole = 'const' in rest || rest.enum !== undefined || Object.keys(rest).length === 0
  return isWhole ? schemaWords(schema) : `${schemaWords(schema)} within its limits`
}
