/**
 * @module
 * JSON Schemas of structured answers: refuses what cannot be checked, checks formats, and moves a schema into an object.
 */

import type { Keywords } from '@x/core/json-schema'
import { isPlainObject, joinPath, kindOf, mapValues } from '@x/core/values'
import { ConfigurationError, type JsonSchema } from '@x/core-model'
import { resolved } from '../tool/check-arguments.ts'
import { patternMatcher } from '../tool/match-pattern.ts'

/** Keywords whose operand is a schema or an array of schemas, and those whose operand contains schemas by name. */
const PARTS =
  /^(?:allOf|anyOf|oneOf|not|if|then|else|items|prefixItems|contains|propertyNames|additional(?:Items|Properties))$/
const NAMED = /^(?:properties|patternProperties|\$defs|definitions|dependentSchemas|dependencies)$/
/** Keywords whose operand is an array. */
const LISTS = /^(?:allOf|anyOf|oneOf|prefixItems|enum|required)$/
/** Keywords that restrict values in a way that nothing checks. */
const UNCHECKED = /^(?:unevaluated(?:Items|Properties)|\$(?:dynamic|recursive)Ref)$/

const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const LABELS = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

const isDate = (text: string) =>
  DATE.test(text) && isTime(`${text}T00:00:00Z`) && new Date(text).toISOString().startsWith(text)
const isTime = (text: string) => !Number.isNaN(Date.parse(text))
const isUri = (text: string) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text)
const isIpv6 = (text: string) => {
  try {
    return /^[\da-f:.]+$/i.test(text) && new URL(`http://[${text}]/`) !== undefined
  } catch {
    return false
  }
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  'date-time': (text) => isDate(text.slice(0, 10)) && /[t ]/i.test(text.charAt(10)) && TIME.test(text.slice(11)),
  duration: (text) => /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text),
  email: (text) => /^[^\s@"(),:;<>[\\\]]{1,64}@/.test(text) && LABELS.test(text.slice(text.indexOf('@') + 1)),
  hostname: (text) => LABELS.test(text),
  ipv4: (text) => IPV4.test(text),
  ipv6: isIpv6,
  uri: isUri,
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
}

/** The keywords that are checked in answers alone: formats, and that no two alternatives of `oneOf` accept a value. */
export const ANSWER_KEYWORDS: Keywords = {
  oneOf: () => () => undefined,
  format: (format: string) => (value) =>
    typeof value !== 'string' || !Object.hasOwn(FORMATS, format) || FORMATS[format]!(value)
      ? undefined
      : `a string with the format ${format}`,
}

/** @throws {ConfigurationError} for a part of a schema that nothing checks. */
export function refuseUnchecked(schema: JsonSchema): void {
  const refuse = (path: string, what: string): never => {
    throw new ConfigurationError(
      `output: ${what}${path && ` at ${path}`} cannot be checked; leave it out, or pass a schema of a library that checks it, such as zod.`,
    )
  }
  mapSchemas(schema, (part, path) => {
    const { format, pattern, patternProperties, $ref } = part
    const found = Object.keys(part).find((keyword) => UNCHECKED.test(keyword))
    if (found) refuse(path, `the keyword ${found}`)
    const malformed = Object.entries(part).find(([keyword, operand]) => !isOperand(keyword, operand))
    if (malformed) refuse(joinPath(path, malformed[0]), `${kindOf(malformed[1])} as the operand of ${malformed[0]}`)
    if (typeof format === 'string' && !Object.hasOwn(FORMATS, format)) refuse(path, `the format "${format}"`)
    for (const one of [pattern, ...Object.keys(patternProperties ?? {})])
      if (typeof one === 'string' && !patternMatcher(one)) refuse(path, `the pattern ${one}`)
    if (typeof $ref === 'string' && resolved(schema, $ref) === undefined) refuse(path, `the reference ${$ref}`)
    return part
  })
}

/** Whether a keyword can have an operand, by the kind of the operand. */
function isOperand(keyword: string, operand: unknown): boolean {
  if (LISTS.test(keyword)) return Array.isArray(operand)
  if (NAMED.test(keyword)) return isPlainObject(operand)
  if (keyword === 'items' && Array.isArray(operand)) return true
  return !PARTS.test(keyword) || isPlainObject(operand) || typeof operand === 'boolean'
}

/** Returns the schema of an object with one property. References point to the same parts as before. */
export function wrapped(name: string, schema: JsonSchema): JsonSchema {
  const { $schema, $defs, definitions, ...value } = mapSchemas(schema, (part) => {
    const { $ref } = part
    const isMoved = typeof $ref === 'string' && /^#(?!\/(?:\$defs|definitions)\/)/.test($ref)
    return isMoved ? { ...part, $ref: $ref.replace('#', `#/properties/${name}`) } : part
  }) as JsonSchema
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { [name]: value },
    required: [name],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  } as JsonSchema
}

/** Returns a copy of a schema in which every schema is replaced, the innermost first. */
function mapSchemas(schema: unknown, change: (part: JsonSchema, path: string) => JsonSchema, path = ''): unknown {
  if (!isPlainObject(schema)) return schema
  const copy = mapValues(schema, (value, key) => {
    const where = joinPath(path, key)
    const map = (part: unknown, name: string) => mapSchemas(part, change, joinPath(where, name))
    if (NAMED.test(key) && isPlainObject(value)) return mapValues(value, map)
    if (!PARTS.test(key)) return value
    return Array.isArray(value) ? value.map((part, i) => map(part, `[${i}]`)) : mapSchemas(value, change, where)
  })
  return change(copy as JsonSchema, path)
}
