/**
 * @module
 * Compares the scanner with plain micromark on one document.
 */
import { scanBlocks } from '../src/markdown/block-scanner.ts'
import { cellRanges } from '../src/markdown/table-row.ts'
import { extractMarkdownElements } from '../src/markdown-element/extract-elements.ts'
import { ElementStream } from '../src/markdown-element/stream-elements.ts'
import { plainMicromark } from './plain-micromark.ts'

/** Returns both results if they differ, otherwise null. */
export function compareWithMicromark(text: string): { ours: string; plain: string } | null {
  // The scanner receives the text after a byte-order mark; micromark drops one at the start.
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  if (text.charCodeAt(start) === 0xfeff) return null
  const plain = plainMicromark(text, start)
  const ours = scanBlocks(text, start)
  const cells = ours.tables.map(({ rowStarts, rowEnds }) =>
    rowStarts.map((from, row) =>
      cellRanges(text, from, rowEnds[row] as number).flatMap((at, index, all) =>
        index % 2 === 1 ? [] : at === all[index + 1] ? [-1, -1] : [at, all[index + 1] as number],
      ),
    ),
  )
  const written = {
    ours: JSON.stringify({ blocks: ours.blocks, tables: ours.tables, cells }),
    plain: JSON.stringify({ blocks: plain.blocks, tables: plain.tables, cells: plain.cells }),
  }
  return written.ours === written.plain ? null : written
}

/** Returns the elements of the whole document and of the document in chunks of `size` characters if they differ, otherwise null. */
export function compareWithStream(text: string, size: number): { ours: string; plain: string } | null {
  const options = { htmlTables: size % 2 === 0 ? ('table' as const) : ('text' as const) }
  const stream = new ElementStream(options)
  const streamed = []
  for (let at = 0; at < text.length; at += size) streamed.push(...stream.push(text.slice(at, at + size)))
  streamed.push(...stream.end())
  const ours = JSON.stringify(streamed)
  const plain = JSON.stringify(extractMarkdownElements(text, options))
  return ours === plain ? null : { ours, plain }
}

/** Removes characters while the results still differ, and returns the smallest document. */
export function shrink(text: string, compare: (text: string) => unknown = compareWithMicromark): string {
  let smallest = text
  for (let again = true; again; ) {
    again = false
    for (let index = 0; index < smallest.length; index++) {
      const shorter = smallest.slice(0, index) + smallest.slice(index + 1)
      if (compare(shorter) === null) continue
      smallest = shorter
      again = true
      break
    }
  }
  return smallest
}
