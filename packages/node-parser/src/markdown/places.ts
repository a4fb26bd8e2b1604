/**
 * @module
 * Maps offsets to lines and pages.
 */
import { countWhile } from '@x/core/values'

/** Returns the number of items whose offset is at most `place`. The items must be sorted by offset. */
export function countUpTo<T>(items: readonly T[], place: number, offsetOf: (item: T) => number): number {
  return countWhile(items.length, (index) => offsetOf(items[index] as T) <= place)
}

/** Returns the start offsets of the lines of a string. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}

/** The pages of a document. */
export interface PageMarks {
  /** Returns the label of the page of a range, or `first-last`. Page breaks at its start and end are ignored. */
  labelOf(start: number, end: number): string
  /** The label of the last page. */
  lastLabel: string
}

/** Finds page breaks. The first group of the pattern is the label of the page that begins; without a group, pages are numbered. */
export function pageMarks(text: string, pattern: string, firstLabel: string): PageMarks {
  const labels = [firstLabel]
  // A line may start behind a byte-order mark.
  const top = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const marks = Array.from(text.slice(top).matchAll(new RegExp(pattern, 'gm')), ({ 0: mark, 1: name, index }) => {
    labels.push(name ?? labelAfter(labels.at(-1) as string))
    return { start: top + index, end: top + index + mark.length }
  })
  return {
    lastLabel: labels.at(-1) as string,
    labelOf(start, end) {
      const first = countUpTo(marks, start, (mark) => mark.start)
      const last = countUpTo(marks, end - 1, (mark) => mark.end)
      const from = labels[first] as string
      const to = labels[Math.max(first, last)] as string
      return from === to ? from : `${from}-${to}`
    },
  }
}

/** Returns the next number after a numeric label; any other label is returned unchanged. */
function labelAfter(label: string): string {
  const next = Number(label) + 1
  return Number.isNaN(next) ? label : String(next)
}
