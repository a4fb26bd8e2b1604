/**
 * @module
 * Checks the arguments of a tool call against a JSON Schema of any origin, without generated code, or with the library of the schema.
 */

import {
  arrayKeywords,
  jsonTypes,
  type Keywords,
  numberBounds,
  numberKeywords,
  schemaWords,
  stringKeywords,
} from '@x/core/json-schema'
import { deepEqual, type Path, pathText } from '@x/core/values'
import type { Dict, JsonSchema, StandardIssue, StandardResult, StandardSchema, ValidationIssue } from '@x/core-model'
import { type Matcher, patternMatcher } from './match-pattern.ts'
import { resultText } from './result-text.ts'

/** One invalid argument: `path` is `city` or `filter.tags[2]`, empty for the object as a whole. */
export type ArgumentIssue = Pick<ValidationIssue, 'path' | 'message'>

/** The arguments after conversion, and their issues. */
export interface CheckedArguments {
  value: unknown
  issues: ArgumentIssue[]
}

/** The maximum number of checks for a circular schema. Long values may need more checks. */
const MAX_CHECKS = 20_000
const MAX_CHECKS_PER_CHARACTER = 4
const MAX_REFERENCES = 500
const INTEGER = /^\s*-?\d+\s*$/
const NUMERIC = /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/

// A function, because bundlers keep a constant of the top level that is taken apart.
const lengths = (({ pattern: _, ...others }) => others)(stringKeywords)

/** The keywords of single values. The other keywords of JSON Schema are for the parts of a value. */
const keywords: Keywords = {
  ...numberKeywords,
  ...arrayKeywords,
  ...lengths,
  minProperties: (least: number) => (value) =>
    isObject(value) && Object.keys(value).length < least ? `an object of at least ${least} keys` : undefined,
  maxProperties: (most: number) => (value) =>
    isObject(value) && Object.keys(value).length > most ? `an object of at most ${most} keys` : undefined,
}

/**
 * Validates a value. A string that contains a number is converted where only a number is valid. A `null` for an optional property that
 * does not accept it counts as absent, because models write it for arguments that they leave out. An integer that a number cannot
 * represent is not valid where only a number is. The value itself is not changed.
 *
 * Checks `type`, `properties`, `required`, `additionalProperties`, `patternProperties`, `items`, `prefixItems`, `enum`, `const`,
 * `anyOf`, `oneOf` (like `anyOf`, unless `more` contains it), `allOf`, `not`, `if`, `$ref` within the schema, the bounds of numbers, strings, arrays and objects,
 * `multipleOf`, `uniqueItems`, `contains`, `propertyNames`, `dependentRequired`, `dependentSchemas` and `pattern`. Other keywords are not
 * checked, nor are patterns that are invalid in JavaScript, refer to groups or look behind. All other patterns take linear time.
 * @param more - tests of further keywords.
 * @example
 * const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
 * checkArguments(schema, { n: '3' }).value // => { n: 3 }
 * checkArguments({ type: 'object', properties: { n: { type: 'integer' } } }, { n: null }).value // => {}
 * checkArguments(schema, {}).issues // => [{ path: 'n', message: 'expected an integer, received nothing' }]
 */
export function checkArguments(schema: object, value: unknown, more: Keywords = {}): CheckedArguments {
  const check = new Check(schema, value, { ...keywords, ...more })
  return { value: check.at(schema, value, []), issues: check.issues }
}

/** Whether a schema is a Standard Schema. */
export function isStandardSchema(schema: object): schema is StandardSchema {
  // The schemas of some libraries are functions.
  return '~standard' in schema && typeof (schema as StandardSchema)['~standard']?.validate === 'function'
}

/** Validates a value against a tool schema. Strings that contain numbers are converted first. */
export function checkToolArguments(
  schema: object,
  json: object | undefined,
  value: unknown,
  more?: Keywords,
): CheckedArguments | Promise<CheckedArguments> {
  const standard = isStandardSchema(schema) ? schema['~standard'] : undefined
  const checked: CheckedArguments = json ? checkArguments(json, value, more) : { value, issues: [] }
  if (!standard) return checked
  const result = standard.validate(checked.value)
  // A promise or another thenable.
  return 'then' in result ? Promise.resolve(result).then(fromStandard) : fromStandard(result)
}

function fromStandard(result: StandardResult<unknown>): CheckedArguments {
  if (result.issues === undefined) return { value: result.value, issues: [] }
  return { value: undefined, issues: result.issues.map(toIssue) }
}

function toIssue({ message, path }: StandardIssue): ArgumentIssue {
  const keys = (path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  return { path: keys.map(String).join('.'), message }
}

class Check {
  issues: ArgumentIssue[] = []
  private checks = 0
  private references = 0
  private maxChecks: number | undefined
  private readonly root: object
  private readonly whole: unknown
  private readonly keywords: Keywords
  private readonly matchers = new Map<string, Matcher | undefined>()

  constructor(root: object, whole: unknown, all: Keywords) {
    this.root = root
    this.whole = whole
    this.keywords = all
  }

  private isEndless(): boolean {
    if (++this.checks <= MAX_CHECKS) return false
    this.maxChecks ??= Math.max(MAX_CHECKS, MAX_CHECKS_PER_CHARACTER * resultText(this.whole).length)
    return this.checks > this.maxChecks
  }

  at(given: unknown, value: unknown, path: Path): unknown {
    if (given === true || given === undefined) return value
    if (given === false || this.isEndless()) return this.refuse(path, 'nothing', value)
    // A schema may come from a server: what is not a schema, or not the operand of its keyword, is not checked.
    if (typeof given !== 'object' || given === null) return value
    const schema = given as JsonSchema
    if (typeof schema.$ref === 'string') {
      // A circular chain of references matches no value.
      if (++this.references > MAX_REFERENCES) return this.refuse(path, 'nothing', value)
      const before = this.issues.length
      const result = this.at(resolved(this.root, schema.$ref), value, path)
      this.references--
      const { $ref: _, ...others } = schema
      return this.issues.length > before ? result : this.at(others, result, path)
    }

    const types = typesOf(schema)
    let result = value
    if (types && !types.some((type) => isOfType(value, type))) {
      result = converted(value, types)
      if (result === undefined) return this.refuse(path, wordsOf(schema), value)
    }
    const { enum: values, allOf, anyOf, oneOf } = schema as JsonSchema & Record<'allOf' | 'anyOf' | 'oneOf', unknown[]>
    const known = 'const' in schema ? [schema.const] : Array.isArray(values) ? values : undefined
    if (known && !known.some((one) => deepEqual(one, result))) this.refuse(path, schemaWords(schema), value)
    if (Array.isArray(allOf)) for (const part of allOf) result = this.at(part, result, path)
    if (Array.isArray(anyOf)) result = this.oneOf(anyOf, result, path)
    if (Array.isArray(oneOf)) {
      if ('oneOf' in this.keywords && oneOf.filter((part) => this.accepts(part, result, path)).length > 1)
        this.refuse(path, `a value that only one of ${oneOf.map(wordsOf).join(' or ')} accepts`, value)
      result = this.oneOf(oneOf, result, path)
    }
    if ('not' in schema && isSchema(schema['not']) && this.accepts(schema['not'], result, path))
      this.refuse(path, `anything but ${wordsOf(schema['not'])}`, value)
    if ('if' in schema && isSchema(schema['if']))
      result = this.at(schema[this.accepts(schema['if'], result, path) ? 'then' : 'else'], result, path)
    this.limits(schema, result, path)
    if (Array.isArray(result)) return this.list(schema, result, path)
    return isObject(result) ? this.object(schema, result, path) : result
  }

  private accepts(schema: unknown, value: unknown, path: Path): boolean {
    const before = this.issues
    this.issues = []
    const isValid = deepEqual(this.at(schema, value, path), value) && this.issues.length === 0
    this.issues = before
    return isValid
  }

  private oneOf(parts: unknown[], value: unknown, path: Path): unknown {
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
    // An alternative whose issues are all inside the value is the intended one. Without such an alternative, all are listed.
    const own = pathText(path).length
    const deepest = found.find((issues) => issues.every((issue) => issue.path.length > own))
    if (deepest) for (const issue of deepest) this.issues.push(issue)
    else this.refuse(path, parts.map(wordsOf).join(' or '), value)
    return value
  }

  private limits(schema: JsonSchema, value: unknown, path: Path): void {
    if (typeof value === 'number') {
      for (const [keyword, words, isWithin] of numberBounds) {
        const bound = schema[keyword]
        if (typeof bound === 'number' && !isWithin(value, bound)) this.refuse(path, `a number ${words} ${bound}`, value)
      }
    }
    for (const keyword in this.keywords) {
      const expected = keyword in schema ? this.keywords[keyword]!(schema[keyword] as never)(value) : undefined
      if (expected !== undefined) this.refuse(path, expected, value)
    }
    const pattern = schema['pattern']
    if (typeof value === 'string' && typeof pattern === 'string' && !this.matches(pattern, value))
      this.refuse(path, `a string that matches ${pattern}`, value)
  }

  /** Whether a string matches. Patterns that cannot be checked match everything, like unknown keywords. */
  private matches(pattern: string, text: string): boolean {
    const { matchers } = this
    if (!matchers.has(pattern)) matchers.set(pattern, patternMatcher(pattern))
    return matchers.get(pattern)?.(text) ?? true
  }

  private list(schema: JsonSchema, value: unknown[], path: Path): unknown[] {
    const items: unknown = schema.items
    if ('contains' in schema) this.contains(schema, value, path)
    const given = schema['prefixItems'] ?? items
    const first = Array.isArray(given) ? given : []
    const rest = Array.isArray(items) ? schema['additionalItems'] : items
    return value.map((item, i) => this.at(i < first.length ? first[i] : rest, item, [...path, i]))
  }

  private contains(schema: JsonSchema, value: unknown[], path: Path): void {
    const { contains, minContains = 1, maxContains = value.length } = schema as JsonSchema & Record<string, number>
    const found = value.filter((item) => this.accepts(contains, item, path)).length
    if (found < minContains || found > maxContains)
      this.refuse(path, `an array with ${minContains} to ${maxContains} items that are ${wordsOf(contains)}`, value)
  }

  /** Checks the keywords for keys. */
  private keys(schema: JsonSchema, value: Record<string, unknown>, path: Path): void {
    const {
      propertyNames,
      dependentRequired = {},
      dependentSchemas = {},
      dependencies = {},
    } = schema as Record<string, Dict>
    for (const key of Object.keys(value)) {
      if (value[key] === undefined) continue
      if (propertyNames !== undefined) this.at(propertyNames, key, [...path, key])
      for (const needed of [dependentRequired, dependentSchemas, dependencies]) {
        const part = isObject(needed) && Object.hasOwn(needed, key) ? needed[key] : undefined
        this.at(Array.isArray(part) ? { required: part } : part, value, path)
      }
    }
  }

  private object(schema: JsonSchema, value: Record<string, unknown>, path: Path): Record<string, unknown> {
    const { properties: known, required: needed } = schema as Dict
    const properties = isObject(known) ? known : {}
    const required: readonly string[] = Array.isArray(needed) ? needed : []
    const keys = Object.keys(value)
    this.keys(schema, value, path)
    for (const key of required) {
      if (!Object.hasOwn(value, key) || value[key] === undefined)
        this.refuse([...path, key], wordsOf(Object.hasOwn(properties, key) ? properties[key] : true), undefined)
    }
    const checked = { ...value }
    for (const key of keys) {
      const item = value[key]
      if (item === undefined) continue
      const where = [...path, key]
      const isKnown = Object.hasOwn(properties, key)
      const patterns = 'patternProperties' in schema ? this.patternsOf(schema, key) : []
      const part = isKnown ? properties[key] : (patterns.shift() ?? this.otherProperty(schema, properties, where))
      if (item === null && isKnown && !required.includes(key) && !this.accepts(part, null, where)) {
        delete checked[key]
        continue
      }
      const result = patterns.reduce((checked, pattern) => this.at(pattern, checked, where), this.at(part, item, where))
      if (result !== item) checked[key] = result
    }
    return checked
  }

  /** Returns the schemas of the patterns that a key matches: all of them apply, also to a known property. */
  private patternsOf({ patternProperties: given }: JsonSchema, key: string): unknown[] {
    const patterns = isObject(given) ? given : {}
    return Object.keys(patterns).flatMap((one) => (this.matches(one, key) ? [patterns[one]] : []))
  }

  /** Returns the schema of an additional property. */
  private otherProperty(schema: JsonSchema, properties: object, where: Path): unknown {
    if (schema.additionalProperties !== false) return schema.additionalProperties
    const known = Object.keys(properties).join(', ') || 'none'
    this.issues.push({ path: pathText(where), message: `unknown argument; expected one of: ${known}` })
    return undefined
  }

  private refuse(path: Path, expected: string, value: unknown): unknown {
    this.issues.push({ path: pathText(path), message: `expected ${expected}, received ${show(value)}` })
    return value
  }
}

/** Resolves a reference such as `#/$defs/Name`, also with escaped parts, or the name of a definition. */
export function resolved(root: object, reference: string): unknown {
  const pointer = reference.startsWith('#') ? reference : `#/$defs/${reference}`
  let target: unknown = root
  for (const part of pointer.replace(/^#\/?/, '').split('/')) {
    if (part === '') continue
    const key = unescaped(part)
    target =
      typeof target === 'object' && target !== null && Object.hasOwn(target, key) ? (target as Dict)[key] : undefined
  }
  return target
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

function typesOf({ type, nullable }: JsonSchema): readonly string[] | undefined {
  if (typeof type === 'string') return nullable === true ? [type, 'null'] : [type]
  return Array.isArray(type) ? type : undefined
}

/** Whether a value has a type. Class instances are objects too, because the output of a tool may be one. */
function isOfType(value: unknown, type: string): boolean {
  return type === 'object' ? isObject(value) : jsonTypes[type]?.[1]?.(value) === true
}

/** Returns the number in a string or bigint, or undefined if it is not valid either or would lose digits. */
function converted(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'bigint' && !(typeof value === 'string' && NUMERIC.test(value))) return undefined
  const number = Number(value)
  if (!types.some((type) => (type === 'number' || type === 'integer') && isOfType(number, type))) return undefined
  const isExact = Number.isSafeInteger(number) || !INTEGER.test(`${value}`) || BigInt(number) === BigInt(value)
  return isExact ? number : undefined
}

function wordsOf(schema: unknown): string {
  return isObject(schema) ? schemaWords(schema) : 'a value'
}

/** Returns the received value as truncated JSON. The model needs it to correct the call. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'bigint') return `${value}, which is too large for a number`
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value
  const text = typeof value === 'string' ? JSON.stringify(value) : resultText(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
