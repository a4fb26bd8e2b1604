/**
 * @module
 * The values that free-form data may contain: JSON values, bigints for integers of any size, and `undefined` for an absent key, which
 * is null in an array, as in JSON.
 */

import { isPlainObject, type Path } from './plain.ts'
import type { Report } from './report.ts'

/** The maximum depth, which is that of Python. Deeper data are circular, or could overflow the stack when they are copied. */
export const maxLevels = 1_000

/** A value that is not JSON data, and the steps to it, the last one first. */
interface Foreign {
  value: unknown
  steps: Path
}

/** Reports the first value in `value` that is not JSON data. */
export function checkJsonData(value: unknown, report: Report): void {
  const { path } = report
  const levels = path.length
  const foreign = isOther(value) ? foreignIn(value, levels) : undefined
  if (!foreign) return
  // Of data that are circular or too deep, the path ends at the first key.
  path.push(...(isData(foreign.value) ? foreign.steps.slice(-1) : foreign.steps.reverse()))
  report.add('JSON data', foreign.value, 'json', adviceFor(foreign.value))
  path.length = levels
}

/** Returns what to use instead of a value that is not JSON data. */
export function adviceFor(value: unknown): string {
  if (isData(value)) return 'it is circular, or nested too deeply'
  if (value === undefined) return 'use null'
  if (value instanceof Date) return 'use an ISO string (toISOString)'
  if (value instanceof Map) return 'use an object (Object.fromEntries)'
  if (value instanceof Set) return 'use an array'
  return 'use a plain object or a string, or omit it'
}

/** Whether a value is an array or a plain object. */
function isData(value: unknown): value is unknown[] | Record<string, unknown> {
  return Array.isArray(value) || isPlainObject(value)
}

/** Whether a value contains other values, or is not JSON data. Most values are strings and numbers, so these come first. */
function isOther(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number') return false
  return typeof value === 'object' ? value !== null : typeof value === 'function' || typeof value === 'symbol'
}

/** Returns the first value in `value` that is not JSON data. `value` is not a string, a number, a boolean or null. */
function foreignIn(value: unknown, level: number): Foreign | undefined {
  if (level > maxLevels) return { value, steps: [] }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item = value[index]
      const isHole = item === undefined && !(index in value)
      const foreign = isHole ? { value: item, steps: [] } : isOther(item) ? foreignIn(item, level + 1) : undefined
      if (foreign) return behind(index, foreign)
    }
    return undefined
  }
  // The constructor of nearly all plain objects is `Object`; reading it is faster than reading the prototype.
  if ((value as object).constructor === Object || isPlainObject(value)) {
    const data = value as Record<string, unknown>
    // Faster than Object.keys; a plain object inherits no enumerable keys.
    for (const key in data) {
      const item = data[key]
      const foreign = isOther(item) ? foreignIn(item, level + 1) : undefined
      if (foreign) return behind(key, foreign)
    }
    return undefined
  }
  return { value, steps: [] }
}

function behind(step: string | number, foreign: Foreign): Foreign {
  foreign.steps.push(step)
  return foreign
}
