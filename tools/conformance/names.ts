/** From the wire names of the cases to the names of the API. */
import type { JsonObject } from './reader.ts'

const exceptions: Readonly<Record<string, string>> = { id_: 'id', metadata_seperator: 'metadataSeparator' }

/** Returns the API name of a wire name. */
function apiName(wire: string): string {
  return exceptions[wire] ?? wire.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the object with API names for its own keys; keys of nested objects stay as they are. */
export function apiKeys(object: Readonly<JsonObject> = {}): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [apiName(key), value]))
}
