/**
 * @module
 * Compares the block scanner with plain micromark on generated documents until the time is up.
 */
import { compareWithMicromark, shrink } from './compare.ts'
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
    if (compareWithMicromark(text) === null) continue
    const smallest = shrink(text)
    const both = compareWithMicromark(smallest)
    differences.push(`${JSON.stringify(smallest)}\n  ours  ${both?.ours}\n  plain ${both?.plain}`)
  }
  return { documents, differences }
}
