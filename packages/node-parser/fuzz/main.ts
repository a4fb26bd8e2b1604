/**
 * @module
 * Compares the block scanner with plain micromark, and streamed elements with those of the whole document, on generated documents
 * until the time is up.
 */
import { compareWithMicromark, compareWithStream, shrink } from './compare.ts'
import { generateMarkdown, seededRandom } from './generate.ts'

/** The number of documents, and descriptions of the differences. */
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
