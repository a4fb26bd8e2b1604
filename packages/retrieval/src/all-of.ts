import { invalidOption } from '@x/core/options'

/**
 * Returns the items of an iterable, such as the nodes to add to your own index.
 * @param where - the method that received them, for errors.
 * @param name - the name of its parameter.
 * @throws {ModelValidationError} if `items` is not iterable, or a string.
 * @example
 * allOf(new Set(['a', 'b']), 'remove', 'ids') // => ['a', 'b']
 */
export function allOf<T>(items: Iterable<T>, where: string, name = 'nodes'): T[] {
  if (typeof items !== 'object' || items === null || !(Symbol.iterator in items))
    throw invalidOption(where, name, `an iterable of ${name}`, items)
  return [...items]
}
