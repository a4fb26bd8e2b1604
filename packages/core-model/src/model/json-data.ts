/**
 * @module
 * The values that free-form data may contain: JSON values, bigints for integers of any size, and `undefined` for an absent key.
 */

import { isPlainObject, type Path } from './plain.ts'
import type { Report } from './report.ts'

/** The maximum depth. Deeper data are circular, or too deep for `JSON.stringify`. */
const maxLevels = 2_000

/** A value that is not JSON data, and the steps to it, the last one first. */
interface Foreign {
  value: unknown
  steps: Path
}

/** Reports the first value in `value` that is not JSON data. */
export function checkJsonData(value: unknown, report: Report): void {
  reportForeign(foreignIn(value, report.path.length), report)
}

/** Reports the first value in a plain object that is not JSON data. */
export function checkJsonObject(value: unknown, report: Report): void {
  reportForeign(foreignInside(value as Record<string, unknown>, report.path.length), report)
}

function reportForeign(foreign: Foreign | undefined, report: Report): void {
  if (!foreign) return
  const { value, steps } = foreign
  const { path } = report
  const levels = path.length
  const isTooDeep = isData(value)
  if (!isTooDeep) path.push(...steps.reverse())
  const advice = isTooDeep
    ? 'it is circular, or nested too deeply'
    : value instanceof Date
      ? 'use an ISO string (toISOString)'
      : value instanceof Map
        ? 'use an object (Object.fromEntries)'
        : value instanceof Set
          ? 'use an array'
          : typeof value === 'object'
            ? 'use a plain object'
            : 'use a string, or omit it'
  report.add('JSON data', value, 'json', advice)
  path.length = levels
}

/** Whether a value is an array or a plain object. */
function isData(value: unknown): value is unknown[] | Record<string, unknown> {
  return Array.isArray(value) || isPlainObject(value)
}

/** Whether a value contains other values, or is not JSON data. */
function isOther(value: unknown): boolean {
  const type = typeof value
  return type === 'object' ? value !== null : type === 'function' || type === 'symbol'
}

function foreignIn(value: unknown, level: number): Foreign | undefined {
  if (!isOther(value)) return undefined
  return level <= maxLevels && isData(value) ? foreignInside(value, level) : { value, steps: [] }
}

/** Returns the first value in an array or a plain object that is not JSON data. */
function foreignInside(data: unknown[] | Record<string, unknown>, level: number): Foreign | undefined {
  if (Array.isArray(data)) {
    for (let index = 0; index < data.length; index++) {
      const foreign = foreignIn(data[index], level + 1)
      foreign?.steps.push(index)
      if (foreign) return foreign
    }
    return undefined
  }
  // Faster than Object.keys; a plain object inherits no enumerable keys.
  for (const key in data) {
    const foreign = foreignIn(data[key], level + 1)
    foreign?.steps.push(key)
    if (foreign) return foreign
  }
  return undefined
}
