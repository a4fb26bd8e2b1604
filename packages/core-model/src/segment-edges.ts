/**
 * @module
 * Segments a string with `Intl.Segmenter` in linear time.
 */

/** The number of code units segmented at once: in some engines the time is quadratic in the length of the input. */
const sliceLength = 1024

/**
 * Yields the segment edges of `text` from `from` to at least `until`, in ascending order, including the end of the string.
 * The string is segmented in slices. A segment that may cross the end of a slice is read again with the next slice.
 */
export function* segmentEdges(segmenter: Intl.Segmenter, text: string, from: number, until: number): Generator<number> {
  let start = from
  let length = sliceLength
  while (start < until) {
    const end = Math.min(start + length, text.length)
    const starts: number[] = []
    for (const { index } of segmenter.segment(text.slice(start, end))) starts.push(start + index)
    if (end === text.length) {
      yield* starts
      yield end
      return
    }
    // The last segments of a slice depend on the text after it; the next slice begins at a segment whose start is certain.
    const next = starts[Math.max(0, starts.length - 3)]!
    if (next === start) {
      length *= 2
      continue
    }
    for (const index of starts) {
      if (index >= next) break
      yield index
    }
    start = next
    length = sliceLength
  }
}
