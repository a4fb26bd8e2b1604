/**
 * @module
 * Copies of the state of a task, so that a step can be undone.
 */
import { isPlainObject } from '@x/core/values'

/** An object that can be copied and changed independently, such as a memory. */
interface Cloneable {
  clone(): unknown
}

/**
 * Returns a copy of the state that later steps do not change: arrays, maps, sets and plain objects are copied one level deep,
 * memories are cloned. Everything else (tool outputs, reasoning records) never changes and is shared.
 */
export function snapshotState(state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...state }
  // Without an array of keys, because this runs at every step.
  for (const key in copy) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null) copy[key] = oneLevel(value)
  }
  return copy
}

function oneLevel(value: object): unknown {
  if (Array.isArray(value)) return value.slice()
  if (typeof (value as Cloneable).clone === 'function') return (value as Cloneable).clone()
  if (isPlainObject(value)) return { ...value }
  if (value instanceof Map) return new Map(value)
  return value instanceof Set ? new Set(value) : value
}
