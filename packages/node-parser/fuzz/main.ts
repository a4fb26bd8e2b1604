/**
 * @module
 * Compares the block scanner with plain micromark, and a stream of elements with the whole text, on generated documents until
 * the time is up.
 */
import { compareWithMicromark, compareWithStream, shrink } from './compare.ts'
import { generateMarkdown, seededRandom } from './generate.ts'

/** Documents tried, and the differences found, in words. */
export function fuzz(seconds: number, seed: number): { documents: number; differences: string[] } {
  const random = seededRandom(seed)
  const differences: string[] = []
  const end = performance.now() + seconds * 1000
  let documents = 0
  while (performance.now() < end && differences.length < 10) {
    documents++
    const text = generateMarkdown(random)
    const size = 1 + Math.floor(random() * 9)
    for (const compare of [compareWithMicromark, (piece: string) => compareWithStream(piece, size)]) {
      if (compare(text) === null) continue
      const smallest = shrink(text, compare)
      const both = compare(smallest)
      differences.push(`${JSON.stringify(smallest)}\n  ours  ${both?.ours}\n  plain ${both?.plain}`)
    }
  }
  return { documents, differences }
}
