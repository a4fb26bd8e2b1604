/**
 * @module
 * The similarity of texts by their sequences of words.
 */

/** The most sequences that are compared. The smallest hashes are a random sample of all. */
const maxSequences = 256
const sequenceLength = 3

/**
 * Returns the hashes of the sequences of three words in a text, ascending, and at most 256. Case, punctuation and white space do not matter.
 * Linear in the length of the text, but for sorting.
 */
export function wordSketch(text: string): readonly number[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const hashes = new Set<number>()
  const last = Math.max(1, words.length - sequenceLength + 1)
  for (let start = 0; words.length > 0 && start < last; start++)
    hashes.add(hashOf(words.slice(start, start + sequenceLength).join(' ')))
  return [...hashes].sort((one, other) => one - other).slice(0, maxSequences)
}

/** Returns the share of common hashes among the smallest ones of both sketches, from 0 to 1; 1 for two texts without words. */
export function sketchSimilarity(one: readonly number[], other: readonly number[]): number {
  let [i, j, common, seen] = [0, 0, 0, 0]
  while (seen < maxSequences && (i < one.length || j < other.length)) {
    const [a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY] = [one[i], other[j]]
    if (a === b) common++
    if (a <= b) i++
    if (b <= a) j++
    seen++
  }
  return seen === 0 ? 1 : common / seen
}

/** Returns a hash of 32 bits (FNV-1a, mixed so that small hashes are no special texts). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
