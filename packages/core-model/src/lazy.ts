/**
 * A value that is made when it is first asked for, and then kept.
 *
 * Regular expressions with Unicode classes (`\p{L}`) are kept this way, and made by `new RegExp`: engines read every literal while
 * they load a module, also those in functions that are never called, and take up to a millisecond for such a class.
 * @example
 * const letters = lazy(() => new RegExp(String.raw`^\p{L}+$`, 'u'))
 * letters().test('straße') // => true
 */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
