/** The input of cases: free-form JSON, read under the names of the API. */

/** An error of the case or of the adapter, never one that a case may expect from the library. */
export class CaseError extends Error {}

/** A part of a case. `conformance/FORMAT-*.md` describe its form; the library itself refuses wrong values. */
// biome-ignore lint/suspicious/noExplicitAny: free-form JSON
export type Json = any

/** A JSON object whose keys belong to the case. */
export type JsonObject = Record<string, Json>

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

// Suggests names that are similar to an unknown one.

/** Returns up to `limit` names that contain the name or differ from it in few characters, the nearest first. */
export function nearNames(name: string, names: readonly string[], limit = 3): string[] {
  const wanted = name.toLowerCase()
  return names
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** Returns the end of a message about an unknown name. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearNames(name, names)
  return near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : ''
}

/** Number of characters to insert, delete or replace; a part of the other string counts as near. */
function distance(a: string, b: string): number {
  if (a.length >= 3 && (b.includes(a) || a.includes(b))) return Math.min(2, Math.abs(a.length - b.length))
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1))
    }
    previous = current
  }
  return previous[b.length]!
}
