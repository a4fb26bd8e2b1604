/**
 * @module
 * Parts of options.
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
