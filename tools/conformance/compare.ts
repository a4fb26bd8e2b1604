/**
 * What the conformance cases count as equal.
 */

/** How values are compared. */
export interface CompareOptions {
  /** Understand `$any`, `$match` and `$json` in the expected value. */
  matchers?: boolean
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** The first difference as `path: got …, expected …`, or null. Numbers are compared within 1e-9 relative; undefined is absent. */
export function difference(
  actual: unknown,
  expected: unknown,
  options: CompareOptions = {},
  path = 'value',
): string | null {
  const differs = `${path}: got ${short(actual)}, expected ${short(expected)}`
  if (options.matchers && isObject(expected)) {
    if (expected['$any'] === true) return null
    if (isObject(expected['$match'])) {
      const { starts_with = '', contains = [] } = expected['$match'] as { starts_with?: string; contains?: string[] }
      return typeof actual === 'string' &&
        actual.startsWith(starts_with) &&
        contains.every((part) => actual.includes(part))
        ? null
        : differs
    }
    if ('$json' in expected) {
      if (typeof actual !== 'string') return differs
      try {
        return difference(JSON.parse(actual), expected['$json'], options, `${path} as JSON`)
      } catch {
        return differs
      }
    }
  }
  if (typeof actual === 'number' && typeof expected === 'number') {
    return actual === expected || Math.abs(actual - expected) <= 1e-9 * Math.max(Math.abs(actual), Math.abs(expected))
      ? null
      : differs
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return differs
    for (let index = 0; index < Math.max(actual.length, expected.length); index++) {
      if (index >= actual.length || index >= expected.length)
        return `${path}: got ${actual.length} elements, expected ${expected.length} (${short(actual)})`
      const found = difference(actual[index], expected[index], options, `${path}[${index}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return differs
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const found = difference(actual[key], expected[key], options, `${path}.${key}`)
      if (found !== null) return found
    }
    return null
  }
  return actual === expected ? null : differs
}

/** Throws an error with the first difference. */
export function expectEqual(actual: unknown, expected: unknown, options?: CompareOptions): void {
  const found = difference(actual, expected, options)
  if (found !== null) throw new Error(found)
}

/** Throws unless `fn` throws, with the wanted error name when one is given (`*` is any error). */
export async function expectThrows(
  fn: () => unknown,
  { error = '*' }: { error?: string | undefined } = {},
): Promise<void> {
  let value: unknown
  try {
    value = await fn()
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : typeof thrown
    if (error !== '*' && name !== error)
      throw new Error(`threw ${name} (${short((thrown as Error)?.message)}), expected ${error}`)
    return
  }
  throw new Error(`gave ${short(value)}, expected ${error === '*' ? 'an error' : error}`)
}
