/** Plain data: what JSON objects and arrays are, as opposed to live objects. */

/** Steps to a value: names of fields and keys, and positions in lists. */
export type Path = (string | number)[]

/** An object made by a literal or by reading JSON; no array, no class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** The same object with each value mapped; a key `__proto__` stays an ordinary key. */
export function mapValues<T>(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown, key: string) => T,
): Record<string, T> {
  const mapped = { ...object } as Record<string, T>
  for (const key of Object.keys(mapped)) mapped[key] = map(mapped[key], key)
  return mapped
}

/** A list or plain object with each item mapped, while `path` leads to that item; undefined for everything else. */
export function mapItems(
  value: unknown,
  map: (item: unknown, key: string | number) => unknown,
  path: Path = [],
): unknown[] | Record<string, unknown> | undefined {
  const mapAt = (item: unknown, key: string | number): unknown => {
    path.push(key)
    const mapped = map(item, key)
    path.pop()
    return mapped
  }
  if (Array.isArray(value)) return value.map(mapAt)
  return isPlainObject(value) ? mapValues(value, mapAt) : undefined
}

/** A copy that shares no list or plain object at any depth; everything else is shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(deepCopy) as T
  return isPlainObject(value) ? (mapValues(value, deepCopy) as T) : value
}

/** A copy one level deep of a list or plain object; everything else as it is. */
export function copyLevel(value: unknown): unknown {
  return Array.isArray(value) ? value.slice() : isPlainObject(value) ? { ...value } : value
}

/** The value of a key of an object's own. */
export function own(object: object, key: string | number): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined
}

/** Equal plain data: key order does not count, an absent key equals undefined. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => deepEqual(value, b[index]))
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return Object.keys({ ...a, ...b }).every((key) => deepEqual(own(a, key), own(b, key)))
}
