/** Compares values by the rules of the conformance cases, and lists the differences. */
import { isToolkitError } from '@x/core-model'
import { CaseError, isObject, type JsonObject } from './given.ts'

/** The options of a comparison. */
export interface CompareOptions {
  /** Whether `$any`, `$match` and `$json` in the expected value are matchers. @defaultValue false */
  matchers?: boolean
  /** Whether an expected null also accepts an absent value. @defaultValue false */
  nullIsAbsent?: boolean
}

/** One place where two values differ; an absent value is undefined. */
export interface Difference {
  path: string
  expected: unknown
  received: unknown
}

/** Thrown when a value is different from what the case expects. */
export class Mismatch extends CaseError {
  readonly differences: readonly Difference[]

  constructor(differences: readonly Difference[]) {
    super('the result is different')
    this.name = 'Mismatch'
    this.differences = differences
  }
}

/**
 * Returns every difference of the received value; an empty array when it is equal. Numbers are compared within 1e-9 relative; undefined
 * equals absent; the order of keys does not matter.
 */
export function differences(
  received: unknown,
  expected: unknown,
  options: CompareOptions = {},
  path = 'value',
): Difference[] {
  const differs = [{ path, expected, received }]
  const matched = options.matchers && isObject(expected) ? match(received, expected, options, path) : null
  if (matched !== null) return matched
  if (expected === null && received === undefined && options.nullIsAbsent) return []
  if (typeof received === 'number' && typeof expected === 'number')
    return numbersEqual(received, expected) ? [] : differs
  if (Array.isArray(expected)) {
    if (!Array.isArray(received)) return differs
    const length = Math.max(received.length, expected.length)
    return Array.from({ length }, (_, index) => {
      const inBoth = index < received.length && index < expected.length
      const at = `${path}[${index}]`
      if (!inBoth) return [{ path: at, expected: expected[index], received: received[index] }]
      return differences(received[index], expected[index], options, at)
    }).flat()
  }
  if (isObject(expected)) {
    if (!isObject(received)) return differs
    const keys = new Set([...Object.keys(expected), ...Object.keys(received)])
    return [...keys].flatMap((key) => differences(received[key], expected[key], options, `${path}.${key}`))
  }
  return received === expected ? [] : differs
}

function numbersEqual(received: number, expected: number): boolean {
  if (received === expected) return true
  return Math.abs(received - expected) <= 1e-9 * Math.max(Math.abs(received), Math.abs(expected))
}

/** Returns the differences when the expected object is a matcher, else null. */
function match(received: unknown, expected: JsonObject, options: CompareOptions, path: string): Difference[] | null {
  const differs = [{ path, expected, received }]
  if (expected['$any'] === true) return []
  const pattern = expected['$match']
  if (isObject(pattern)) {
    const { starts_with: start = '', contains = [] } = pattern
    const parts = Array.isArray(contains) ? contains : [contains]
    const matches =
      typeof received === 'string' &&
      received.startsWith(String(start)) &&
      parts.every((part) => received.includes(String(part)))
    return matches ? [] : differs
  }
  if (!('$json' in expected)) return null
  if (typeof received !== 'string') return differs
  try {
    return differences(JSON.parse(received), expected['$json'], options, `${path} (as JSON)`)
  } catch {
    return differs
  }
}

/** @throws {Mismatch} when the values differ. */
export function expectEqual(received: unknown, expected: unknown, options?: CompareOptions, path?: string): void {
  const found = differences(received, expected, options, path)
  if (found.length > 0) throw new Mismatch(found)
}

/** Runs `work` and checks that it throws an error with this name; `*` accepts any error. @throws {Mismatch} */
export async function expectThrows(work: () => unknown, expected = '*'): Promise<void> {
  const wanted = expected === '*' ? 'any error' : expected
  let value: unknown
  try {
    value = await work()
  } catch (error) {
    const thrown = thrownBy(error)
    if (thrown instanceof CaseError) throw thrown
    const name = thrown instanceof Error ? thrown.name : typeof thrown
    if (expected === '*' || name === expected) return
    throw new Mismatch([{ path: 'thrown error', expected: wanted, received: `${name}: ${messageOf(thrown)}` }])
  }
  throw new Mismatch([
    { path: 'thrown error', expected: wanted, received: undefined },
    { path: 'value', expected: undefined, received: value },
  ])
}

/** Where the adapters are, in stacks. */
const here = /tools[\\/]conformance[\\/]/

/**
 * Returns the error that a case refers to: for a pipeline, the cause of the error that names the failed module. A `TypeError` that comes
 * from an adapter itself is not one of the library: the case has another form than the adapter reads.
 */
export function thrownBy(error: unknown): unknown {
  if (isToolkitError(error, 'pipeline_module')) return thrownBy(error.cause)
  const [, place = ''] = error instanceof TypeError ? (error.stack ?? '').split('\n    at ') : []
  if (!here.test(place)) return error
  return new CaseError(`no operation reads a case of this form: ${(error as TypeError).message} (${place})`)
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

// Differences as lines for a reader.

const MAX_LENGTH = 100

/** Returns path, expected and received value of each difference, in at most `maxLines` lines. */
export function showDifferences(differences: readonly Difference[], maxLines = 20): string[] {
  const shown = differences.length * 3 <= maxLines ? differences : differences.slice(0, Math.floor((maxLines - 1) / 3))
  const lines = shown.flatMap(({ path, expected, received }) => {
    const start = firstDifference(expected, received)
    return [path, `  expected ${show(expected, start)}`, `  received ${show(received, start)}`]
  })
  const more = differences.length - shown.length
  return more > 0 ? [...lines, `… and ${more} more ${more === 1 ? 'difference' : 'differences'}`] : lines
}

/** Returns the position where two long strings begin to differ, minus some characters of context. */
function firstDifference(expected: unknown, received: unknown): number {
  if (typeof expected !== 'string' || typeof received !== 'string') return 0
  if (Math.max(expected.length, received.length) <= MAX_LENGTH) return 0
  let index = 0
  while (index < expected.length && expected[index] === received[index]) index++
  return Math.max(0, index - 20)
}

function show(value: unknown, start: number): string {
  if (value === undefined) return '(nothing)'
  if (typeof value === 'string' && start > 0) return `… ${cut(JSON.stringify(value.slice(start)))}`
  return cut(json(value))
}

/** Returns a value as JSON, or as a plain string if it has no JSON form. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

const cut = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
