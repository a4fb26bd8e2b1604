/**
 * @module
 * What cannot be checked in a JSON Schema: found once, when a tool is made.
 */
import { checkGiven } from '../check-options.ts'
import { joinPath } from '../errors.ts'
import { jsonTypes } from '../model/check-value.ts'
import { kindOf } from '../model/report.ts'
import { FORMATS } from './formats.ts'
import { type Matcher, patternMatcher } from './match-pattern.ts'
import { faultText, isObject, isSchema, resolved, type SchemaChecks, type SchemaFault } from './value-check.ts'

/** The kinds of operands by keyword. */
const ONE = /^(?:not|if|then|else|contains|items|propertyNames|additional(?:Items|Properties))$/
const LIST = /^(?:(?:all|any|one)Of|prefixItems)$/
const NAMED = /^(?:(?:p|patternP)roperties|\$defs|definitions|depend(?:encies|ent(?:Schemas|Required)))$/
const NUMBER = /^(?:(?:m|exclusiveM)(?:in|ax)imum|multipleOf|m(?:in|ax)(?:Length|Items|Contains|Properties))$/
const ANNOTATION =
  /^(?:const|title|description|default|examples?|deprecated|(?:read|write)Only|discriminator|externalDocs|xml|\$(?:schema|id|anchor|comment|vocabulary)|id|x-.*|~.*)$/s

/** Keywords that restrict values, and are not checked. */
const UNCHECKED = /^(?:unevaluated(?:Items|Properties)|\$(?:dynamic|recursive)(?:Ref|Anchor))$/

/** Where a schema stands: a list, so that the paths of deep schemas take no quadratic time. */
interface Place {
  key: string
  outer: Place | undefined
}

/** How many faults have their path, for the same reason. */
const MAX_PATHS = 100

function textOf(place: Place | undefined): string {
  const keys: string[] = []
  for (let at = place; at; at = at.outer) keys.push(at.key)
  return keys.reduceRight(joinPath, '')
}

/** Reads a schema with all its parts. Takes time in proportion to its size. */
export function checksOf(root: object): SchemaChecks {
  const faults = new Map<object, SchemaFault>()
  const all: SchemaFault[] = []
  const matchers = new Map<string, Matcher | undefined>()
  const seen = new Set<unknown>()
  const open: [schema: object, place: Place | undefined, isResource: boolean][] = [[root, undefined, false]]
  for (const [schema, place, hasId] of open) {
    if (seen.has(schema)) continue
    seen.add(schema)
    // References within a part with its own id have another root.
    const isResource = hasId || (place !== undefined && '$id' in schema)
    const doubt = (what: string, at = place) => all.push({ path: all.length < MAX_PATHS ? textOf(at) : '…', what })
    const refuse = (what: string) => {
      doubt(what)
      faults.set(schema, all.at(-1)!)
    }
    const compile = (pattern: string) => {
      if (!matchers.has(pattern)) matchers.set(pattern, patternMatcher(pattern))
      if (!matchers.get(pattern)) refuse(`the pattern ${pattern}`)
    }
    const part = (value: unknown, at: Place) => {
      const isPart = isSchema(value)
      if (typeof value === 'object' && isPart) open.push([value as object, at, isResource])
      return isPart
    }
    for (const [keyword, operand] of Object.entries(schema) as [string, unknown][]) {
      const at = { key: keyword, outer: place }
      const each = (values: object) =>
        Object.entries(values).every(([key, value]) =>
          keyword.startsWith('depend') && Array.isArray(value)
            ? true
            : part(value, { key: Array.isArray(values) ? `[${key}]` : key, outer: at }),
        )
      let isValid = true
      if (operand === undefined || ANNOTATION.test(keyword)) continue
      else if (UNCHECKED.test(keyword)) refuse(`the keyword ${keyword}`)
      else if (keyword === 'pattern') typeof operand === 'string' ? compile(operand) : (isValid = false)
      else if (keyword === '$ref') {
        const target = typeof operand === 'string' ? resolved(root, operand) : undefined
        if (isResource || !part(target, at)) refuse(`the reference ${operand}`)
      } else if (keyword === 'format') {
        if (typeof operand !== 'string') isValid = false
        else if (!Object.hasOwn(FORMATS, operand)) doubt(`the format "${operand}"`)
      } else if (NAMED.test(keyword)) {
        isValid = isObject(operand) && each(operand)
        if (isValid && keyword === 'patternProperties') Object.keys(operand as object).forEach(compile)
      } else if (LIST.test(keyword) || (keyword === 'items' && Array.isArray(operand)))
        isValid = Array.isArray(operand) && each(operand)
      else if (ONE.test(keyword)) isValid = part(operand, at)
      else if (NUMBER.test(keyword)) isValid = Number.isFinite(operand)
      else if (keyword === 'type') isValid = [operand].flat().every((type) => Object.hasOwn(jsonTypes, type as string))
      else if (keyword === 'enum' || keyword === 'required') isValid = Array.isArray(operand)
      else if (keyword === 'uniqueItems' || keyword === 'nullable') isValid = typeof operand === 'boolean'
      else doubt(`the keyword ${keyword}`)
      if (!isValid) doubt(`${kindOf(operand)} as the operand of ${keyword}`, at)
    }
  }
  return { faults, all, matchers }
}

/** The option of tools for the parts of a schema that cannot be checked: `throw` refuses the schema. */
export type UncheckedSchema = 'throw' | 'refuse' | 'accept'

/**
 * Returns the parts of a JSON Schema that restrict values and that `checkArguments` cannot check. Takes time in proportion to its size.
 * @example
 * uncheckedParts({ properties: { a: { pattern: '(x)\\1' } } }) // => [{ path: 'properties.a', what: 'the pattern (x)\\1' }]
 */
export function uncheckedParts(schema: object): SchemaFault[] {
  checkGiven('uncheckedParts', { schema }, 'a JSON Schema')
  return [...checksOf(schema).faults.values()]
}

/** Returns what the message of an error says about the first fault. */
export function adviceOf({ all: [fault] }: SchemaChecks): string {
  return `${faultText(fault!)}; leave it out, or pass a schema of a library that checks it, such as zod.`
}
