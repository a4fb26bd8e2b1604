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
  for (const key of Object.keys(copy)) {
    const value = copy[key]
    if (typeof value === 'object' && value !== null) copy[key] = oneLevel(value)
  }
  return copy
}

function oneLevel(value: object): unknown {
  if (Array.isArray(value)) return value.slice()
  if (value instanceof Map) return new Map(value)
  if (value instanceof Set) return new Set(value)
  if (typeof (value as Cloneable).clone === 'function') return (value as Cloneable).clone()
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null ? { ...value } : value
}
