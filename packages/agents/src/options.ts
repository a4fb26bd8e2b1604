/**
 * @module
 * Parts of options, and values in messages.
 */

/** Returns the options with these names that are set. */
export function pick<T extends object, K extends string>(
  options: T,
  keys: Readonly<Record<K, unknown>>,
): Partial<Pick<T, K & keyof T>> {
  const picked: Record<string, unknown> = {}
  for (const key in options) if (Object.hasOwn(keys, key)) picked[key] = options[key]
  return picked as never
}

/** Returns a value as words for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 40)
}
