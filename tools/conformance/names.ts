/** From the wire names of the cases to the names of the API. */

const listed: Record<string, string> = { id_: 'id', metadata_seperator: 'metadataSeparator' }

/** API name of a wire name. */
export function apiName(wire: string): string {
  return listed[wire] ?? wire.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The object with its own keys, and no deeper ones, as API names. */
export function apiKeys(object: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [apiName(key), value]))
}
