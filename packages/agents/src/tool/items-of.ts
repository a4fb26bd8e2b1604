/**
 * @module
 * The items of results that are read one after the other.
 */

/**
 * Returns the items of a generator, a stream or another iterator, or undefined for any other value. Strings, arrays, maps and sets are
 * values, not iterators.
 * @param signal - ends the reading with its reason.
 */
export function itemsOf(value: object, signal: AbortSignal | undefined): Promise<unknown[]> | undefined {
  const isAsync = typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
  const isIterator = Symbol.iterator in value && typeof (value as { next?: unknown }).next === 'function'
  return isAsync || isIterator ? collected(value as AsyncIterable<unknown>, signal) : undefined
}

async function collected(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const item of items) {
    signal?.throwIfAborted()
    found.push(item)
  }
  return found
}
