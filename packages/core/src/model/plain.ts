/** Plain data: arrays and plain objects, as in JSON. */
import { hasNumberTexts, keepNumberTexts, numberTextAt, withNumberText } from '#number-texts'

/** The steps to a value: field names, keys and array indexes. */
export type Path = (string | number)[]

/** Whether a value is an object made by a literal or by reading JSON, and not an array or class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Returns a copy of an object with each value mapped. A key `__proto__` stays an ordinary key. */
export function mapValues<T>(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown, key: string) => T,
): Record<string, T> {
  const mapped = keepNumberTexts({ ...object } as Record<string, T>, object)
  for (const key of Object.keys(mapped)) mapped[key] = map(mapped[key], key)
  return mapped
}

/** Returns an object with each entry mapped. Numbers that stay are written as they were read, also under another key. */
export function mapEntries(
  object: Readonly<Record<string, unknown>>,
  map: (key: string, value: unknown) => readonly [key: string, value: unknown],
): Record<string, unknown> {
  const entries = Object.entries(object).map(([key, value]) => [key, value, ...map(key, value)] as const)
  const mapped = Object.fromEntries(entries.map(([, , name, result]) => [name, result]))
  for (const [key, value, name, result] of entries) {
    const text = result === value ? numberTextAt(object, key) : undefined
    if (text !== undefined) withNumberText(text, mapped, name)
  }
  return mapped
}

/**
 * Returns an array or plain object with each item mapped, or undefined for other values. During `map`, `path` is the path of the
 * item.
 */
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
  if (Array.isArray(value)) return keepNumberTexts(value.map(mapAt), value)
  return isPlainObject(value) ? mapValues(value, mapAt) : undefined
}

/** Returns a copy at all depths. Values other than arrays and plain objects are shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return keepNumberTexts(value.map(deepCopy), value) as T
  return isPlainObject(value) ? (mapValues(value, deepCopy) as T) : value
}

/** Returns an object with the entries of all objects; later values override earlier ones. Numbers are written as they were read. */
export function merge(...objects: Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const merged = Object.fromEntries(objects.flatMap((object) => Object.entries(object)))
  if (!objects.some(hasNumberTexts)) return merged
  for (const key of Object.keys(merged)) {
    const text = numberTextAt(objects.findLast((object) => Object.hasOwn(object, key))!, key)
    if (text !== undefined) withNumberText(text, merged, key)
  }
  return merged
}

/** Returns an object with the entries for which `keep` returns true. Numbers are written as they were read. */
export function pick(
  object: Readonly<Record<string, unknown>>,
  keep: (key: string, value: unknown) => boolean,
): Record<string, unknown> {
  return keepNumberTexts(Object.fromEntries(Object.entries(object).filter(([key, value]) => keep(key, value))), object)
}

/** Returns a copy of an array or plain object, one level deep. Returns other values unchanged. */
export function copyLevel(value: unknown): unknown {
  if (Array.isArray(value)) return keepNumberTexts(value.slice(), value)
  return isPlainObject(value) ? keepNumberTexts({ ...value }, value) : value
}

/** Returns the value of an own property, or undefined. */
export function own(object: object, key: string | number): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined
}

/** Whether plain data are equal. The order of keys does not matter; an absent key equals undefined. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => deepEqual(value, b[index]))
  if (!isPlainObject(a) || !isPlainObject(b)) return false
  return Object.keys({ ...a, ...b }).every((key) => deepEqual(own(a, key), own(b, key)))
}

/** Returns the entries that are not null. */
export function present(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...data }
  for (const key in copy) if (copy[key] == null) delete copy[key]
  return copy
}
