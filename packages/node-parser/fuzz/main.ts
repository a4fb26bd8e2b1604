/**
 * @module
 * Compares the block scanner with plain micromark, and streamed elements with those of the whole document, on generated documents
 * until the time is up.
 */
import { compareWithMicromark, compareWithStream, shrink } from './compare.ts'
import { generateMarkdown } from './generate.ts'
import { type FuzzReport, fuzzUntil } from './until.ts'

export function fuzz(seconds: number, seed: number): FuzzReport {
  return fuzzUntil(seconds, seed, (random) => {
    const text = generateMarkdown(random)
    const size = 1 + Math.floor(random() * 9)
    return [compareWithMicromark, (piece: string) => compareWithStream(piece, size)].flatMap((compare) => {
      if (compare(text) === null) return []
      const smallest = shrink(text, compare)
      const both = compare(smallest)
      return `${JSON.stringify(smallest)}\n  ours  ${both?.ours}\n  plain ${both?.plain}`
    })
  })
}
