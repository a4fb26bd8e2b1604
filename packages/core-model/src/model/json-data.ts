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

/** Whether a value needs a closer look: it contains others, or is not JSON data. */
function isOther(value: unknown): boolean {
  const type = typeof value
  return type === 'object' ? value !== null : type === 'function' || type === 'symbol'
}

/** The first value that is not JSON data; `path` leads to it then. */
function foreignIn(value: unknown, path: Path): { value: unknown } | undefined {
  if (!isOther(value)) return undefined
  if (Array.isArray(value)) {
    if (path.length > mostLevels) return { value }
    for (let index = 0; index < value.length; index++) {
      if (!isOther(value[index])) continue
      path.push(index)
      const found = foreignIn(value[index], path)
      if (found) return found
      path.pop()
    }
    return undefined
  }
  if (!isPlainObject(value) || path.length > mostLevels) return { value }
  // Faster than a list of the keys; a plain object inherits none.
  for (const key in value) {
    if (!isOther(value[key])) continue
    path.push(key)
    const found = foreignIn(value[key], path)
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
