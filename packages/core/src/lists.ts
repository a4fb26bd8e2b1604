/**
 * Returns how many of the indexes below `length` satisfy a condition that holds up to one of them, and for none behind it: a binary search.
 * @example
 * import { countWhile } from '@x/core/values'
 * const starts = [0, 10, 25]
 * countWhile(starts.length, (index) => starts[index]! <= 12) // => 2
 */
export function countWhile(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Adds a value to the list of a key, which is created for the first one.
 * @example
 * import { addToList } from '@x/core/values'
 * const byLength = new Map<number, string[]>()
 * for (const word of ['a', 'to', 'b']) addToList(byLength, word.length, word)
 * byLength.get(1) // => ['a', 'b']
 */
export function addToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
