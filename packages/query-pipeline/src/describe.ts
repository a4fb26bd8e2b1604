/**
 * @module
 * Formats the inputs of a run for events and logs.
 */

import { isPlainObject } from '@x/core/values'
import { type Dict, inputText } from '@x/core-model'

/**
 * Returns the inputs as JSON, without the values of the context of the run. A value without a JSON form is replaced by its string form, or
 * else by the name of its type.
 */
export function describe(
  inputs: Readonly<Dict>,
  context: Readonly<Dict> | undefined,
  most = Number.POSITIVE_INFINITY,
): string {
  const own = withoutContext(inputs, context)
  const entries = own.map(([key, value]) => [key, cut(shown(value, context, 0), most)] as const)
  return JSON.stringify(Object.fromEntries(entries))
}

function withoutContext(inputs: Readonly<Dict>, context: Readonly<Dict> | undefined): [string, unknown][] {
  return Object.entries(inputs).filter(([key]) => !context || !Object.hasOwn(context, key))
}

function cut(value: unknown, most: number): unknown {
  if (most === Number.POSITIVE_INFINITY) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : value
}

function shown(value: unknown, context: Readonly<Dict> | undefined, depth: number): unknown {
  if (typeof value === 'string' || value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth < 8 && Array.isArray(value)) return value.map((item) => shown(item, context, depth + 1))
  if (depth < 8 && isPlainObject(value)) {
    return Object.fromEntries(
      withoutContext(value, context).map(([key, item]) => [key, shown(item, context, depth + 1)]),
    )
  }
  try {
    return inputText(value)
  } catch {
    // The value has no string form either: use the name of its type.
    return typeof value === 'object' ? (value?.constructor?.name ?? 'object') : typeof value
  }
}
