/**
 * @module
 * The values that free-form data may contain: JSON values, bigints for integers of any size, and `undefined` for an absent key.
 */
import type { Report } from './check-value.ts'
import { isPlainObject, type Path } from './plain.ts'

/** The maximum depth. Deeper data are circular, or too deep for `JSON.stringify`. */
const maxLevels = 2_000

/** Reports the first value in `value` that is not JSON data. */
export function checkJsonData(value: unknown, report: Report): void {
  const { path } = report
  const levels = path.length
  const found = foreignIn(value, path)
  if (!found) return
  const isDeep = path.length > maxLevels
  if (isDeep) path.length = levels
  report.add(
    isDeep ? `JSON data of at most ${maxLevels} levels` : 'JSON data',
    found.value,
    'json',
    insteadOf(found.value),
  )
  path.length = levels
}

/** Whether a value needs a full check: it contains other values, or is not JSON data. */
function isOther(value: unknown): boolean {
  const type = typeof value
  return type === 'object' ? value !== null : type === 'function' || type === 'symbol'
}

/** Returns the first value that is not JSON data; `path` is its path then. */
function foreignIn(value: unknown, path: Path): { value: unknown } | undefined {
  if (!isOther(value)) return undefined
  if (Array.isArray(value)) {
    if (path.length > maxLevels) return { value }
    for (let index = 0; index < value.length; index++) {
      if (!isOther(value[index])) continue
      path.push(index)
      const found = foreignIn(value[index], path)
      if (found) return found
      path.pop()
    }
    return undefined
  }
  if (!isPlainObject(value) || path.length > maxLevels) return { value }
  // Faster than Object.keys; a plain object inherits no enumerable keys.
  for (const key in value) {
    if (!isOther(value[key])) continue
    path.push(key)
    const found = foreignIn(value[key], path)
    if (found) return found
    path.pop()
  }
  return undefined
}

/** Returns advice: the value to use instead of one that is not JSON data. */
function insteadOf(value: unknown): string {
  if (value instanceof Date) return 'use an ISO string (toISOString)'
  if (value instanceof Map) return 'use an object (Object.fromEntries)'
  if (value instanceof Set) return 'use an array'
  if (typeof value !== 'object') return 'use a string, or omit it'
  return isPlainObject(value) || Array.isArray(value) ? 'it is circular, or nested too deeply' : 'use a plain object'
}
