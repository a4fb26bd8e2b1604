import { mapConcurrently } from '@x/core-model/async'

/** How an evaluation is followed and cancelled. */
interface Progress {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

/** Returns the result of each item in their order. After an abort no further item is started. */
export function resultsOf<T, R>(
  items: readonly T[],
  maxConcurrency: number,
  { signal, onProgress }: Progress,
  resultOf: (item: T) => Promise<R>,
): Promise<R[]> {
  let done = 0
  return mapConcurrently(items, maxConcurrency, async (item) => {
    signal?.throwIfAborted()
    const result = await resultOf(item)
    onProgress?.({ done: ++done, total: items.length })
    return result
  })
}
