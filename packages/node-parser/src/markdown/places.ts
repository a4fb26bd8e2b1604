/**
 * @module
 * Lines and pages of a text.
 */

/** How many of some ascending offsets are at or before a place. */
export function countUpTo(offsets: readonly number[], place: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] as number) <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Where the lines of a text start. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}

/** The pages of a text. */
export interface PageMarks {
  /** The page that a stretch is on, or `first-last`; the marks at its ends do not count. */
  labelOf(start: number, end: number): string
}

/** Finds the marks between pages; a mark's first group names the page that begins, otherwise pages are counted. */
export function pageMarks(text: string, pattern: string, firstLabel: string): PageMarks {
  const labels = [firstLabel]
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: mark, 1: name, index } of text.matchAll(new RegExp(pattern, 'gm'))) {
    labels.push(name ?? String(Number(labels.at(-1)) + 1))
    starts.push(index)
    ends.push(index + mark.length)
  }
  return {
    labelOf(start, end) {
      const first = countUpTo(starts, start)
      const last = Math.max(first, countUpTo(ends, end - 1))
      return first === last ? (labels[first] as string) : `${labels[first]}-${labels[last]}`
    },
  }
}
