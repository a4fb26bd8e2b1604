/**
 * @module
 * Lines and pages of a text.
 */

/** How many of some items, whose offsets ascend, are at or before a place. */
export function countUpTo<T>(items: readonly T[], place: number, offsetOf: (item: T) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsetOf(items[middle] as T) <= place) low = middle + 1
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
  const marks = Array.from(text.matchAll(new RegExp(pattern, 'gm')), ({ 0: mark, 1: name, index }) => {
    labels.push(name ?? labelAfter(labels.at(-1) as string))
    return { start: index, end: index + mark.length }
  })
  return {
    labelOf(start, end) {
      const first = countUpTo(marks, start, (mark) => mark.start)
      const last = countUpTo(marks, end - 1, (mark) => mark.end)
      const from = labels[first] as string
      const to = labels[Math.max(first, last)] as string
      return from === to ? from : `${from}-${to}`
    },
  }
}

/** The number after a label; a label that is no number stays. */
function labelAfter(label: string): string {
  const next = Number(label) + 1
  return Number.isNaN(next) ? label : String(next)
}
