/** The input of cases: free-form JSON, read under the names of the API. */

/** An error of the case or of the adapter, never one that a case may expect from the library. */
export class CaseError extends Error {}

/** A JSON object whose keys belong to the case. */
export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const exceptions: Readonly<Record<string, string>> = { id_: 'id', metadata_seperator: 'metadataSeparator' }

/** Returns the API name of a wire name. */
function apiName(wire: string): string {
  return exceptions[wire] ?? wire.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the object with API names for its own keys; keys of nested objects stay as they are. */
export function apiKeys<T = JsonObject>(object: object = {}): T {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [apiName(key), value])) as T
}

/** Returns the input of a case under API names. A key that is read leaves `unread`, which has the wire names. */
export function givenOf({ given }: { given: JsonObject }, unread: Set<string>): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(given)) {
    unread.add(key)
    const get = () => {
      unread.delete(key)
      return value
    }
    Object.defineProperty(result, apiName(key), { get, enumerable: true })
  }
  return result
}

/** Returns an entry of a table. @throws {CaseError} for a name that the table does not have */
export function named<T>(table: Readonly<Record<string, T>>, name: unknown): T {
  if (typeof name === 'string' && Object.hasOwn(table, name)) return table[name] as T
  throw new CaseError(`expected one of ${Object.keys(table).join(', ')}, received ${JSON.stringify(name)}`)
}
