/**
 * @module
 * Keeping the state of a task as it was, so that a step can be taken back.
 */

/** Something that can go its own way from a common state, such as a memory. */
interface Cloneable {
  clone(): unknown
}

/**
 * A copy of the state that later steps leave alone: lists, maps and plain objects are copied one level, memories are
 * cloned, everything else (tool outputs, reasoning records) never changes and is shared.
 */
export function snapshotState(state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...state }
  // Not over a list of keys: this runs at every step.
  for (const key in copy) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null) copy[key] = oneLevel(value)
  }
  return copy
}

function oneLevel(value: object): unknown {
  if (Array.isArray(value)) return value.slice()
  if (typeof (value as Cloneable).clone === 'function') return (value as Cloneable).clone()
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return { ...value }
  if (value instanceof Map) return new Map(value)
  return value instanceof Set ? new Set(value) : value
}
