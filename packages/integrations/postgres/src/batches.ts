/**
 * @module
 * Rows as parameters of statements of a limited size.
 */

/** A parameter of Postgres has at most 1 GB. */
const MAX_CHARACTERS = 2 ** 26
/** The characters that a row counts in addition to its longest part. */
const ROW = 1000

/** Returns entries, whose second part is the longest one, in arrays for one statement each. */
export function* batchesOf<T extends readonly [unknown, string | null]>(entries: Iterable<T>): Generator<T[]> {
  let batch: T[] = []
  let left = MAX_CHARACTERS
  for (const entry of entries) {
    const size = ROW + (entry[1]?.length ?? 0)
    if (size > left && batch.length > 0) {
      yield batch
      batch = []
      left = MAX_CHARACTERS
    }
    batch.push(entry)
    left -= size
  }
  if (batch.length > 0) yield batch
}

/** Returns an array for each of these properties, with its value in every row. */
export function columnsOf<Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]))
}
