/**
 * @module
 * Finds consecutive words.
 */
import { checkGiven, list } from '@x/core/options'

/** Returns the index of the consecutive words `phrase` in `words`; -1 if they do not occur, or `phrase` is empty. */
export function findPhrase(words: readonly string[], phrase: readonly string[]): number {
  checkGiven('findPhrase', { words, phrase }, list)
  if (phrase.length === 0) return -1
  const last = words.length - phrase.length
  for (let start = 0; start <= last; start++) {
    if (phrase.every((word, index) => words[start + index] === word)) return start
  }
  return -1
}
