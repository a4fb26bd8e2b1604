/**
 * @module
 * Checking the arguments of a tool call against a JSON Schema, without generated code.
 */
import { deepEqual } from '@x/core-model/internal'

/** A JSON Schema, draft 7 or 2020-12; TypeBox schemas are JSON Schemas. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** One argument that does not fit. */
export interface ArgumentIssue {
  /** Where: `city` or `filter.tags[2]`; empty for the object as a whole. */
  path: string
  /** What was expected and what came: `expected an integer, got "many"`. */
  message: string
}

/** Arguments after conversion, and what is wrong with them. */
export interface CheckedArguments {
  value: unknown
  issues: ArgumentIssue[]
}

/** Schemas that refer to themselves without end stop here; long values may take more checks. */
const MAX_CHECKS = 20_000
const MAX_CHECKS_PER_CHARACTER = 4
const MAX_REFERENCES = 500
const NUMERIC = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/

/**
 * Checks a value, converting text that holds a number where only a number fits. The value itself is not changed.
 *
 * Knows `type`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, `enum`, `const`, `anyOf`,
 * `oneOf`, `allOf`, `$ref` within the schema, the bounds of numbers, texts, lists and objects, and `pattern`. Other
 * keywords, and patterns that are none here, are not checked.
 * @example
 * const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
 * checkArguments(schema, { n: '3' }).value // => { n: 3 }
 * checkArguments(schema, {}).issues // => [{ path: 'n', message: 'expected an integer, got nothing' }]
 */
export function checkArguments(schema: JsonSchema, value: unknown): CheckedArguments {
  const check = new Check(schema, value)
  return { value: check.at(schema, value, ''), issues: check.issues }
}

class Check {
  issues: ArgumentIssue[] = []
  private checks = 0
  private references = 0
  private maxChecks: number | undefined
  private readonly root: JsonSchema
  private readonly whole: unknown

  constructor(root: JsonSchema, whole: unknown) {
    this.root = root
    this.whole = whole
  }

  private isEndless(): boolean {
    if (++this.checks <= MAX_CHECKS) return false
    this.maxChecks ??= Math.max(MAX_CHECKS, MAX_CHECKS_PER_CHARACTER * (JSON.stringify(this.whole)?.length ?? 0))
    return this.checks > this.maxChecks
  }

  at(given: unknown, value: unknown, path: string): unknown {
    if (given === true || given === undefined) return value
    if (given === false || this.isEndless()) return this.refuse(path, 'nothing', value)
    const schema = given as JsonSchema
    if (typeof schema['$ref'] === 'string') {
      // A chain of references ends somewhere, or nothing fits.
      if (++this.references > MAX_REFERENCES) return this.refuse(path, 'nothing', value)
      const result = this.at(this.resolve(schema['$ref']), value, path)
      this.references--
      return result
    }

    const types = typesOf(schema)
    let result = value
    if (types && !types.some((type) => isOfType(value, type))) {
      result = converted(value, types)
      if (result === undefined) return this.refuse(path, nameOf(schema), value)
    }
    if ('const' in schema && !deepEqual(schema['const'], result))
      this.refuse(path, JSON.stringify(schema['const']), value)
    const values = schema['enum'] as unknown[] | undefined
    if (values && !values.some((one) => deepEqual(one, result))) {
      this.refuse(path, `one of ${values.map((one) => JSON.stringify(one)).join(', ')}`, value)
    }
    const { allOf, anyOf, oneOf } = schema as Record<string, unknown[] | undefined>
    if (allOf) for (const part of allOf) result = this.at(part, result, path)
    if (anyOf) result = this.oneOf(anyOf, result, path)
    if (oneOf) result = this.oneOf(oneOf, result, path)
    if (typeof result === 'number') this.number(schema, result, path)
    else if (typeof result === 'string') this.text(schema, result, path)
    else if (Array.isArray(result)) return this.list(schema, result, path)
    else if (isObject(result)) return this.object(schema, result, path)
    return result
  }

  private oneOf(parts: unknown[], value: unknown, path: string): unknown {
    const before = this.issues
    const found: ArgumentIssue[][] = []
    for (const part of parts) {
      this.issues = []
      const result = this.at(part, value, path)
      if (this.issues.length === 0) {
        this.issues = before
        return result
      }
      found.push(this.issues)
    }
    this.issues = before
    // The alternative that came furthest says most; when none came anywhere, name them all.
    const deepest = found.find((issues) => issues.every((issue) => issue.path.length > path.length))
    if (deepest) for (const issue of deepest) this.issues.push(issue)
    else this.refuse(path, parts.map((part) => nameOf(part as JsonSchema)).join(' or '), value)
    return value
  }

  private number(schema: JsonSchema, value: number, path: string): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
    if (typeof minimum === 'number' && value < minimum) this.refuse(path, `at least ${minimum}`, value)
    if (typeof maximum === 'number' && value > maximum) this.refuse(path, `at most ${maximum}`, value)
    if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
      this.refuse(path, `more than ${exclusiveMinimum}`, value)
    if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
      this.refuse(path, `less than ${exclusiveMaximum}`, value)
    if (typeof multipleOf !== 'number') return
    const times = value / multipleOf
    if (Math.abs(times - Math.round(times)) >= 1e-9) this.refuse(path, `a multiple of ${multipleOf}`, value)
  }

  private text(schema: JsonSchema, value: string, path: string): void {
    if ('minLength' in schema || 'maxLength' in schema) {
      this.size(schema['minLength'], schema['maxLength'], Array.from(value).length, 'characters', path)
    }
    const pattern = schema['pattern']
    if (typeof pattern === 'string' && !matches(pattern, value)) {
      this.refuse(path, `text that matches ${pattern}`, value)
    }
  }

  private list(schema: JsonSchema, value: unknown[], path: string): unknown[] {
    this.size(schema['minItems'], schema['maxItems'], value.length, 'items', path)
    const first = (schema['prefixItems'] ?? (Array.isArray(schema['items']) ? schema['items'] : [])) as unknown[]
    const rest = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items']
    return value.map((item, i) => this.at(i < first.length ? first[i] : rest, item, `${path}[${i}]`))
  }

  private object(schema: JsonSchema, value: Record<string, unknown>, path: string): Record<string, unknown> {
    const properties = (schema['properties'] ?? {}) as Record<string, unknown>
    const keys = Object.keys(value)
    this.size(schema['minProperties'], schema['maxProperties'], keys.length, 'fields', path)
    for (const key of (schema['required'] as string[] | undefined) ?? []) {
      if (!Object.hasOwn(value, key) || value[key] === undefined) {
        const wanted = Object.hasOwn(properties, key) ? nameOf(properties[key] as JsonSchema) : 'a value'
        this.issues.push({ path: join(path, key), message: `expected ${wanted}, got nothing` })
      }
    }
    const checked = { ...value }
    for (const key of keys) {
      const item = value[key]
      if (item === undefined) continue
      const where = join(path, key)
      const part = Object.hasOwn(properties, key) ? properties[key] : this.otherProperty(schema, properties, key, where)
      const result = this.at(part, item, where)
      if (result !== item) checked[key] = result
    }
    return checked
  }

  /** The schema of a property that is not listed. */
  private otherProperty(schema: JsonSchema, properties: Record<string, unknown>, key: string, where: string): unknown {
    const patterns = (schema['patternProperties'] ?? {}) as Record<string, unknown>
    const pattern = Object.keys(patterns).find((one) => matches(one, key))
    if (pattern !== undefined) return patterns[pattern]
    if (schema['additionalProperties'] !== false) return schema['additionalProperties']
    const known = Object.keys(properties).join(', ') || 'none'
    this.issues.push({ path: where, message: `no such argument; known are: ${known}` })
    return undefined
  }

  private size(least: unknown, most: unknown, size: number, what: string, path: string): void {
    if (typeof least === 'number' && size < least)
      this.issues.push({ path, message: `expected at least ${least} ${what}, got ${size}` })
    if (typeof most === 'number' && size > most)
      this.issues.push({ path, message: `expected at most ${most} ${what}, got ${size}` })
  }

  /** `#/$defs/Name`, also with escaped parts. */
  private resolve(reference: string): unknown {
    let target: unknown = this.root
    for (const part of reference.replace(/^#\/?/, '').split('/')) {
      if (part === '') continue
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
      target = isObject(target) || Array.isArray(target) ? (target as Record<string, unknown>)[key] : undefined
    }
    return reference.startsWith('#') ? target : undefined
  }

  private refuse(path: string, wanted: string, value: unknown): unknown {
    this.issues.push({ path, message: `expected ${wanted}, got ${show(value)}` })
    return value
  }
}

/** Patterns of other engines that ours cannot read are not checked, like unknown keywords. */
function matches(pattern: string, text: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags).test(text)
    } catch {}
  }
  return true
}

function typesOf(schema: JsonSchema): string[] | undefined {
  const type = schema['type']
  if (typeof type === 'string') return schema['nullable'] === true ? [type, 'null'] : [type]
  return Array.isArray(type) ? type : undefined
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

/** Text that holds a number, as the number; undefined when that does not help. */
function converted(value: unknown, types: string[]): unknown {
  if (typeof value !== 'string' || !NUMERIC.test(value)) return undefined
  const number = Number(value)
  return types.some((type) => (type === 'number' || type === 'integer') && isOfType(number, type)) ? number : undefined
}

function nameOf(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'a value'
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map((one) => JSON.stringify(one)).join(', ')}`
  const names: Record<string, string> = { integer: 'an integer', array: 'a list', object: 'an object', null: 'null' }
  return (
    typesOf(schema)
      ?.map((type) => names[type] ?? `a ${type}`)
      .join(' or ') ?? 'a value'
  )
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
