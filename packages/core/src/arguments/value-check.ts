/**
 * @module
 * Checks a value against a JSON Schema of any origin whose parts were read, without generated code.
 */

import type { ValidationIssue } from '../errors.ts'
import { jsonTypes, numberBounds, schemaWords } from '../model/check-value.ts'
import type { JsonSchema } from '../model/json-schema.ts'
import { arrayKeywords, type Keywords, numberKeywords, stringKeywords } from '../model/keywords.ts'
import type { Dict } from '../model/model-class.ts'
import { deepEqual, type Path } from '../model/plain.ts'
import { pathText } from '../model/report.ts'
import { resultText } from '../model/result-text.ts'
import { FORMATS } from './formats.ts'
import type { Matcher } from './match-pattern.ts'
import { numberIn } from './number-in.ts'

/** One invalid argument: `path` is `city` or `filter.tags[2]`, empty for the object as a whole. */
export type ArgumentIssue = Pick<ValidationIssue, 'path' | 'message'>

/** The arguments after conversion, and their issues. */
export interface CheckedArguments {
  value: unknown
  issues: ArgumentIssue[]
}

/** A part of a schema that cannot be checked. */
export interface SchemaFault {
  /** The path of the schema that contains it, such as `properties.host`; empty for the whole schema. */
  path: string
  /** Such as `the pattern (a)\1`. */
  what: string
}

/** What a check of values needs to know about a schema. */
export interface SchemaChecks {
  /** The faults by the schema that contains them: JSON Schema restricts values there, but nothing checks it. */
  readonly faults: ReadonlyMap<object, SchemaFault>
  /** All faults, also keywords and formats that are unknown, and malformed operands: JSON Schema ignores these. */
  readonly all: readonly SchemaFault[]
  /** The compiled patterns. Undefined if a pattern cannot be checked. */
  readonly matchers: ReadonlyMap<string, Matcher | undefined>
}

/** The maximum number of checks for a circular schema. Long values may need more checks. */
const MAX_CHECKS = 20_000
const MAX_CHECKS_PER_CHARACTER = 16
const MAX_REFERENCES = 500

/** The keywords of single values. The other keywords of JSON Schema are for the parts of a value. */
const keywords: Keywords = {
  ...numberKeywords,
  ...arrayKeywords,
  ...stringKeywords,
  minProperties: (least: number) => (value) =>
    isObject(value) && Object.keys(value).length < least ? `an object of at least ${least} keys` : undefined,
  maxProperties: (most: number) => (value) =>
    isObject(value) && Object.keys(value).length > most ? `an object of at most ${most} keys` : undefined,
  format: (format: string) => (value) =>
    typeof value !== 'string' || !Object.hasOwn(FORMATS, format) || FORMATS[format]!(value)
      ? undefined
      : `a string with the format ${format}`,
}

/** Returns the check of a schema whose parts were read. */
export function checkerOf(
  schema: object,
  checks: SchemaChecks,
  acceptsUnchecked: boolean,
): (value: unknown) => CheckedArguments {
  return (value) => new Check(schema, value, checks, acceptsUnchecked).whole()
}

class Check {
  private issues: ArgumentIssue[] = []
  /** The first part that cannot be checked. It refuses the whole value, because a schema may negate its parts. */
  private failed: ArgumentIssue | undefined
  private isChanged = false
  /** Whether values are checked as they are, without conversions. */
  private isExact = false
  private checks = 0
  private references = 0
  private maxChecks: number | undefined
  private readonly root: object
  private readonly value: unknown
  private readonly known: SchemaChecks
  private readonly acceptsUnchecked: boolean

  constructor(root: object, value: unknown, known: SchemaChecks, acceptsUnchecked: boolean) {
    this.root = root
    this.value = value
    this.known = known
    this.acceptsUnchecked = acceptsUnchecked
  }

  whole(): CheckedArguments {
    const value = this.at(this.root, this.value, [])
    // A conversion may contradict what was checked before it.
    if (this.isChanged && this.issues.length === 0) {
      this.isExact = true
      this.at(this.root, value, [])
    }
    return { value, issues: this.failed ? [this.failed] : this.issues }
  }

  private isEndless(): boolean {
    this.maxChecks ??= Math.max(MAX_CHECKS, MAX_CHECKS_PER_CHARACTER * resultText(this.value).length)
    return this.checks > this.maxChecks
  }

  at(given: unknown, value: unknown, path: Path): unknown {
    if (given === false) return this.refuse(path, 'nothing', value)
    // A schema may come from a server: what is not a schema, or not the operand of its keyword, is not checked.
    if (typeof given !== 'object' || given === null || this.failed) return value
    if (++this.checks > MAX_CHECKS && this.isEndless()) return this.fail(path, 'it takes too many checks')
    const schema = given as JsonSchema
    const fault = this.known.faults.get(schema)
    if (fault && !this.acceptsUnchecked) return this.fail(path, faultText(fault))
    if (typeof schema.$ref === 'string') {
      if (++this.references > MAX_REFERENCES) return this.fail(path, 'its references are circular')
      const before = this.issues.length
      const result = this.at(resolved(this.root, schema.$ref), value, path)
      this.references--
      const { $ref: _, ...others } = schema
      return this.issues.length > before ? result : this.at(others, result, path)
    }

    const types = typesOf(schema)
    let result = value
    if (types && !types.some((type) => isOfType(value, type))) {
      result = this.isExact ? undefined : converted(value, types)
      if (result === undefined) return this.refuse(path, wordsOf(schema), value)
      this.isChanged = true
    }
    const { enum: values, allOf, anyOf, oneOf } = schema as JsonSchema & Record<'allOf' | 'anyOf' | 'oneOf', unknown[]>
    const known = [...('const' in schema ? [[schema.const]] : []), ...(Array.isArray(values) ? [values] : [])]
    if (!known.every((all) => all.some((one) => deepEqual(one, result)))) this.refuse(path, schemaWords(schema), value)
    if (Array.isArray(allOf)) for (const part of allOf) result = this.at(part, result, path)
    if (Array.isArray(anyOf)) result = this.alternatives(anyOf, result, path, 1)
    if (Array.isArray(oneOf)) result = this.alternatives(oneOf, result, path, 2)
    if ('not' in schema && isSchema(schema['not']) && this.accepts(schema['not'], result, path))
      this.refuse(path, `anything but ${wordsOf(schema['not'])}`, value)
    if ('if' in schema && isSchema(schema['if']))
      result = this.at(schema[this.accepts(schema['if'], result, path) ? 'then' : 'else'], result, path)
    this.limits(schema, result, path)
    if (Array.isArray(result)) return this.list(schema, result, path)
    return typeof result === 'object' && result !== null ? this.object(schema, result as Dict, path) : result
  }

  /** Whether a value is valid as it is. */
  private accepts(schema: unknown, value: unknown, path: Path): boolean {
    const { issues, isExact } = this
    this.issues = []
    this.isExact = true
    this.at(schema, value, path)
    const isValid = this.issues.length === 0
    this.issues = issues
    this.isExact = isExact
    return isValid
  }

  /** @param enough - how many accepting alternatives decide: the first one, or, with 2, a second one against the value. */
  private alternatives(parts: unknown[], value: unknown, path: Path, enough: 1 | 2): unknown {
    const words = () => parts.map(wordsOf).join(' or ')
    let accepting = 0
    for (const part of parts) if (accepting < enough) accepting += Number(this.accepts(part, value, path))
    if (accepting === 2) return this.refuse(path, `a value that only one of ${words()} accepts`, value)
    if (accepting === 1) return value
    if (this.isExact) return this.refuse(path, words(), value)
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
    else this.refuse(path, words(), value)
    return value
  }

  private limits(schema: JsonSchema, value: unknown, path: Path): void {
    if (typeof value === 'number') {
      for (const [keyword, words, isWithin] of numberBounds) {
        const bound = schema[keyword]
        if (typeof bound === 'number' && !isWithin(value, bound)) this.refuse(path, `a number ${words} ${bound}`, value)
      }
    }
    for (const keyword in keywords) {
      // Patterns are matched in linear time, below.
      const expected =
        keyword in schema && keyword !== 'pattern' ? keywords[keyword]!(schema[keyword] as never)(value) : undefined
      if (expected !== undefined) this.refuse(path, expected, value)
    }
    const pattern = schema['pattern']
    if (typeof value === 'string' && typeof pattern === 'string' && !this.matches(pattern, value, path))
      this.refuse(path, `a string that matches ${pattern}`, value)
  }

  /** Whether a string matches a pattern, as far as that can be checked. */
  private matches(pattern: string, text: string, path: Path): boolean {
    const matches = this.known.matchers.get(pattern)?.(text)
    if (matches === undefined && !this.acceptsUnchecked) this.fail(path, `the pattern ${pattern} takes too many steps`)
    return matches ?? true
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
    const { propertyNames, dependentRequired, dependentSchemas, dependencies } = schema as Dict
    for (const key of Object.keys(value)) {
      if (value[key] === undefined) continue
      if (propertyNames !== undefined) this.at(propertyNames, key, [...path, key])
      for (const needed of [dependentRequired, dependentSchemas, dependencies]) {
        if (!needed || !isObject(needed) || !Object.hasOwn(needed, key)) continue
        const part = needed[key]
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
        this.refuse([...path, key], wordsOf(Object.hasOwn(properties, key) && properties[key]), undefined)
    }
    const checked = { ...value }
    for (const key of keys) {
      const item = value[key]
      if (item === undefined) continue
      const where = [...path, key]
      const isKnown = Object.hasOwn(properties, key)
      // Without a call for each key of the usual schema.
      const patterns = 'patternProperties' in schema ? this.patternsOf(schema, key, where) : []
      const part = isKnown ? properties[key] : (patterns.shift() ?? this.otherProperty(schema, properties, where))
      if (item === null && isKnown && !this.isExact && !required.includes(key) && !this.accepts(part, null, where)) {
        delete checked[key]
        this.isChanged = true
        continue
      }
      const result = patterns.reduce((checked, pattern) => this.at(pattern, checked, where), this.at(part, item, where))
      if (result !== item) checked[key] = result
    }
    return checked
  }

  /** Returns the schemas of the patterns that a key matches: all of them apply, also to a known property. */
  private patternsOf({ patternProperties: given }: JsonSchema, key: string, where: Path): unknown[] {
    if (!isObject(given)) return []
    return Object.keys(given).flatMap((one) => (this.matches(one, key, where) ? [given[one]] : []))
  }

  /** Returns the schema of an additional property. */
  private otherProperty(schema: JsonSchema, properties: object, where: Path): unknown {
    if (schema.additionalProperties !== false) return schema.additionalProperties
    const known = Object.keys(properties).join(', ') || 'none'
    this.issues.push({ path: pathText(where), message: `unknown argument; expected one of: ${known}` })
    return undefined
  }

  private fail(path: Path, why: string): undefined {
    this.failed ??= { path: pathText(path), message: `cannot be checked: ${why}` }
  }

  private refuse(path: Path, expected: string, value: unknown): unknown {
    this.issues.push({ path: pathText(path), message: `expected ${expected}, received ${show(value)}` })
    return value
  }
}

function typesOf({ type, nullable }: JsonSchema): readonly string[] | undefined {
  if (typeof type === 'string') return nullable === true ? [type, 'null'] : [type]
  return Array.isArray(type) ? type : undefined
}

/** Whether a value has a type; most arguments are strings. Class instances are objects too, because the output of a tool may be one. */
function isOfType(value: unknown, type: string): boolean {
  if (type === 'string') return typeof value === type
  return type === 'object' ? isObject(value) : jsonTypes[type]?.[1]?.(value) === true
}

/** Returns the number in a string or bigint, or undefined if it is not valid either or would lose digits. */
function converted(value: unknown, types: readonly string[]): unknown {
  const number = numberIn(value)
  return types.some((type) => (type === 'number' || type === 'integer') && isOfType(number, type)) ? number : undefined
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

/** Resolves a reference such as `#/$defs/Name`, also with escaped parts, or the name of a definition. */
export function resolved(root: object, reference: string): unknown {
  // An anchor, such as `#name`, is not a pointer.
  if (/^#[^/]/.test(reference)) return undefined
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

export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns what a message says about a fault. */
export function faultText({ path, what }: SchemaFault): string {
  return `${what}${path && ` at ${path}`} cannot be checked`
}
