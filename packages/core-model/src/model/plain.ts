/** Plain data: what JSON objects and arrays are, as opposed to live objects. */

/** An object made by a literal or by reading JSON; no array, no class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The same object with each value mapped; a key `__proto__` stays an ordinary key. */
export function mapValues<T>(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown, key: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
}

/** A copy that shares no list or plain object at any depth; everything else is shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(deepCopy) as T
  return isPlainObject(value) ? (mapValues(value, deepCopy) as T) : value
}

/** Equal plain data: key order does not count, an absent key equals undefined. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => deepEqual(value, b[index]))
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => deepEqual(a[key], b[key]))
}
