/** Data of a provider, in an unknown form. */
export type ProviderData = Readonly<Record<string, unknown>>

/** Whether a value has properties. */
export function isData(value: unknown): value is ProviderData {
  return typeof value === 'object' && value !== null
}

/** Returns the value at a path such as `choices.0.finish_reason`; undefined if a step is missing. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = isData(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}
