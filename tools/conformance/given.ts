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

/** Returns up to three names that contain the name, or have most of its pairs of characters, the nearest first. */
export function nearNames(name: string, names: readonly string[]): string[] {
  const pairsOf = (text: string) => new Set(Array.from(text, (_, i) => text.slice(i, i + 2)))
  const wanted = pairsOf(name)
  const nearness = (other: string) => {
    const pairs = pairsOf(other)
    const share = (2 * [...wanted].filter((pair) => pairs.has(pair)).length) / (wanted.size + pairs.size)
    return name.length >= 3 && other.includes(name) ? 1 : share
  }
  const near = names.map((other) => ({ other, nearness: nearness(other) })).filter((each) => each.nearness >= 0.6)
  return near
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, 3)
    .map(({ other }) => other)
}

/** Returns the end of a message about an unknown name. */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = nearNames(name, names)
  return near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : ''
}
