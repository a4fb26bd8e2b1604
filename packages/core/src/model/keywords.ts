/**
 * @module
 * JSON Schema keywords that the fields of built-in models do not use, and that the core therefore does not check. The tables are separate
 * values, so that a bundle contains only those that it uses.
 */
import type { JsonSchema } from './json-schema.ts'

/**
 * A function per keyword that returns a test for the operand of the keyword. The test returns a description of the expected value, or
 * undefined if the value is valid.
 */
export type Keywords = Readonly<Record<string, (operand: never) => (value: unknown) => string | undefined>>

/** The keywords of strings that the core does not check, with their tests. */
export const stringKeywords: Keywords = {
  minLength: (least: number) => (value) =>
    typeof value === 'string' && lengthOf(value, least) < least
      ? `a string of at least ${least} characters`
      : undefined,
  maxLength: (most: number) => (value) =>
    typeof value === 'string' && lengthOf(value, most + 1) > most
      ? `a string of at most ${most} characters`
      : undefined,
  // Comes last: a string that is too long is rejected before a pattern runs on it.
  pattern: (pattern: string) => {
    const expression = new RegExp(pattern, 'u')
    return (value) =>
      typeof value === 'string' && !expression.test(value) ? `a string that matches ${pattern}` : undefined
  },
}

/** The keywords of numbers that the core does not check, with their tests. */
export const numberKeywords: Keywords = {
  multipleOf: (step: number) => (value) => {
    if (typeof value !== 'number') return undefined
    const times = value / step
    return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.abs(times) ? undefined : `a multiple of ${step}`
  },
}

/** The keywords of arrays that the core does not check, with their tests. */
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

/** Returns the number of code points, or `enough` if there are at least that many. */
function lengthOf(text: string, enough: number): number {
  // A code point has at most two code units.
  if (text.length >= 2 * enough) return enough
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Returns a string that is equal for two JSON values exactly if the values are equal. */
export function keyOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(keyOf)}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : `${value}`
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`).sort()}}`
}

/** A keyword of a schema, and its test: returns a description of the expected value, or undefined if the value is valid. */
export type KeywordTest = readonly [keyword: string, test: (value: unknown) => string | undefined]

/** Returns the tests of the keywords in a schema. */
export function testsOf(schema: JsonSchema, keywords: Keywords): KeywordTest[] {
  const tests: KeywordTest[] = []
  for (const keyword in keywords)
    if (keyword in schema) tests.push([keyword, keywords[keyword]!(schema[keyword] as never)])
  return tests
}
