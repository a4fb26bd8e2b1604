/**
 * Returns a function that computes a value at its first call and caches it.
 *
 * Use it for regular expressions with Unicode classes (`\p{L}`), created by `new RegExp`: engines compile every literal while they load a
 * module, also in functions that are never called, and take up to a millisecond for such a class.
 * @example
 * const letters = lazy(() => new RegExp(String.raw`^\p{L}+$`, 'u'))
 * letters().test('straße') // => true
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
