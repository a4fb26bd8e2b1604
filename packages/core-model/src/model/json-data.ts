/**
 * @module
 * Which values free-form data may contain: those of JSON, bigint for whole numbers of any size, and `undefined` for an absent key.
 */
import type { Report } from './check-value.ts'
import { isPlainObject, type Path } from './plain.ts'

/** Deeper data contain themselves, or nobody can write them. */
const mostLevels = 2_000

/** Reports the first value in `value` that is not JSON data. */
export function checkJsonData(value: unknown, report: Report): void {
  const { path } = report
  const levels = path.length
  const found = foreignIn(value, path)
  if (!found) return
  const isDeep = path.length > mostLevels
  if (isDeep) path.length = levels
  report.add(
    isDeep ? `JSON data of at most ${mostLevels} levels` : 'JSON data',
    found.value,
    'json',
    insteadOf(found.value),
  )
  path.length = levels
}

/** The first value that is not JSON data; `path` leads to it then. */
function foreignIn(value: unknown, path: Path): { value: unknown } | undefined {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol' ? { value } : undefined
  const isArray = Array.isArray(value)
  if (!isArray && !isPlainObject(value)) return { value }
  if (path.length > mostLevels) return { value }
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    path.push(key)
    const found = foreignIn((value as Record<string | number, unknown>)[key], path)
    if (found) return found
    path.pop()
  }
  return undefined
}

/** What to use in place of a value that is not JSON data. */
function insteadOf(value: unknown): string {
  if (value instanceof Date) return 'use an ISO string (toISOString)'
  if (value instanceof Map) return 'use an object (Object.fromEntries)'
  if (value instanceof Set) return 'use an array'
  if (typeof value !== 'object') return 'use a string, or leave it out'
  return isPlainObject(value) || Array.isArray(value)
    ? 'it contains itself, or is nested too deeply'
    : 'use a plain object'
}
