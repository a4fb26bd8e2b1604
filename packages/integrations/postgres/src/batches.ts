/**
 * @module
 * Rows in statements of a limited size.
 */

/** A parameter of Postgres has at most 1 GB. */
const MAX_CHARACTERS = 2 ** 24
const MAX_ROWS = 10_000

/** Returns entries, whose second part is the longest one, in arrays for one statement each. */
export function* batchesOf<T extends readonly [unknown, string | null]>(entries: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  let characters = 0
  for (const entry of entries) {
    const length = entry[1]?.length ?? 0
    if (batch.length > 0 && (batch.length === MAX_ROWS || characters + length > MAX_CHARACTERS)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(entry)
    characters += length
  }
  if (batch.length > 0) yield batch
}
