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
  // Of data that are circular or too deep, the path ends at the first key.
  path.push(...(isData(value) ? steps.slice(-1) : steps.reverse()))
  report.add('JSON data', value, 'json', adviceFor(value))
  path.length = levels
}

/** Returns what to use instead of a value that is not JSON data. */
export function adviceFor(value: unknown): string {
  if (isData(value)) return 'it is circular, or nested too deeply'
  if (value === undefined) return 'use null'
  if (value instanceof Date) return 'use an ISO string (toISOString)'
  if (value instanceof Map) return 'use an object (Object.fromEntries)'
  if (value instanceof Set) return 'use an array'
  return typeof value === 'object' ? 'use a plain object, an array or a string' : 'use a string, or omit it'
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
      const item = data[index]
      const isHole = item === undefined && !(index in data)
      const foreign = isHole ? { value: item, steps: [] } : foreignIn(item, level + 1)
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
