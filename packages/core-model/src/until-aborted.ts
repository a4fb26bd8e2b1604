/**
 * What `work` gives, unless `signal` is aborted before: then its reason is thrown at once, whatever becomes of the work.
 * @example
 * const signal = AbortSignal.abort(new Error('enough'))
 * await untilAborted(signal, () => 1).catch(({ message }) => message) // => 'enough'
 */
export async function untilAborted<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  if (!signal) return work()
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  // Handled also when the work, which may itself lead to the abort, throws before anybody waits.
  aborted.catch(() => {})
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
