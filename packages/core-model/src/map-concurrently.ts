/**
 * Calls a function for each item, at most `limit` at the same time, started in order; returns the results in item order.
 * After a failure no further call starts, the running ones are awaited, and the first error is thrown.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  fn: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  let failure: { error: unknown } | undefined
  async function work(): Promise<void> {
    while (next < items.length && failure === undefined) {
      const index = next++
      try {
        results[index] = await fn(items[index]!, index)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit >= 1 ? limit : 1, items.length) }, work))
  if (failure) throw failure.error
  return results
}
