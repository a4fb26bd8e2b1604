/**
 * @module
 * The keywords of JSON Schema that only own models use, beside those of the core. Each word brings its own, so that a bundle
 * contains those alone that it needs.
 */
import type { Check } from '../model/check-value.ts'
import type { JsonSchema } from '../model/json-schema.ts'
import type { FieldSpec } from '../model/model-spec.ts'

/** For the operand of a keyword: what a value should be, when it is not. Values that the keyword does not apply to fit. */
export type Keywords = Readonly<Record<string, (operand: never) => (value: unknown) => string | undefined>>

export const stringKeywords: Keywords = {
  minLength: (least: number) => (value) =>
    typeof value === 'string' && lengthOf(value, least) < least
      ? `a string of at least ${least} characters`
      : undefined,
  maxLength: (most: number) => (value) =>
    typeof value === 'string' && lengthOf(value, most + 1) > most
      ? `a string of at most ${most} characters`
      : undefined,
  // The last one: a string that is too long is refused before a pattern runs on it.
  pattern: (pattern: string) => {
    const expression = new RegExp(pattern, 'u')
    return (value) =>
      typeof value === 'string' && !expression.test(value) ? `a string that matches ${pattern}` : undefined
  },
}

export const numberKeywords: Keywords = {
  multipleOf: (step: number) => (value) => {
    if (typeof value !== 'number') return undefined
    const times = value / step
    return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.abs(times) ? undefined : `a multiple of ${step}`
  },
}

export const arrayKeywords: Keywords = {
  minItems: (least: number) => (value) =>
    Array.isArray(value) && value.length < least ? `an array of at least ${least} items` : undefined,
  maxItems: (most: number) => (value) =>
    Array.isArray(value) && value.length > most ? `an array of at most ${most} items` : undefined,
  uniqueItems: (unique: boolean) => (value) =>
    unique && Array.isArray(value) && new Set(value.map(keyOf)).size < value.length
      ? 'an array of unique items'
      : undefined,
}

/** The number of code points, counted up to `enough`. */
function lengthOf(text: string, enough: number): number {
  // Half of the code units or more are code points.
  if (text.length >= 2 * enough) return enough
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** A string that is the same for equal JSON values alone. */
export function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf)}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : `${value}`
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`).sort()}}`
}

/** The check by the core, then by `keywords`, with `part` for items and entries; undefined when the core's suffices. */
export function checkBy(schema: JsonSchema, keywords: Keywords, part?: FieldSpec): FieldSpec['check'] {
  const used = Object.keys(keywords).filter((keyword) => keyword in schema)
  const checkPart = part?.check
  if (used.length === 0 && !checkPart) return undefined
  return (whole, checkOf) => {
    const inner = checkPart && ((item: JsonSchema) => checkPart(item, checkOf))
    return inOrder(checkOf(whole, inner), testsOf(whole, keywords))
  }
}

type Test = readonly [keyword: string, test: (value: unknown) => string | undefined]

/** The tests of the keywords that a schema has. */
export function testsOf(schema: JsonSchema, keywords: Keywords): Test[] {
  const used = Object.keys(keywords).filter((keyword) => keyword in schema)
  return used.map((keyword) => [keyword, keywords[keyword]!(schema[keyword] as never)])
}

/** Reports the first fault: that of the core, or of a test. */
export function inOrder(core: Check | undefined, tests: readonly Test[]): Check {
  return (value, report) => {
    const before = report.issues.length
    core?.(value, report)
    for (const [keyword, test] of tests) {
      if (report.issues.length > before) return
      const expected = test(value)
      if (expected !== undefined) report.add(expected, value, keyword)
    }
  }
}
