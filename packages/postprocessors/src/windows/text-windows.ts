/**
 * @module
 * Cut a long text into windows that a model can take, so that no part of it is silently dropped.
 */
import { ModelValidationError, type ValidationIssue } from '@x/core-model'

/** A part of a text, in UTF-16 units. */
export interface TextWindow {
  start: number
  end: number
}

/** How large windows are and how far they overlap. */
export interface TextWindowOptions {
  /** The largest size of a window, in the unit of `measure`. */
  size: number
  /** How many UTF-16 units a window reaches back into the one before it, at most. Default 0. */
  overlap?: number
  /** The size of a text. Default its length. Must not get smaller when text is added. */
  measure?: (text: string) => number
}

// Places where a text is cut best come first; each is tried in the last part of the window.
const cuts = [/\n\s*\n/g, /\n/g, /[.!?。！？]["'”’)\]]*(?:\s|$)|[。！？]/g, /\s/g]
/** The share of a window in which a better place to cut is looked for. */
const cutShare = 0.4

/**
 * Consecutive windows that together cover all of `text`, cut at a blank line, a line end, the end of a sentence or a blank
 * where there is one near the end of the window, and never inside a surrogate pair. A text that fits is one window, also an empty one.
 * @throws {ModelValidationError} for a size below 1 or an overlap below 0.
 * @example
 * textWindows('One two. Three four.', { size: 12 }) // => [{ start: 0, end: 9 }, { start: 9, end: 20 }]
 */
export function textWindows(text: string, { size, overlap = 0, measure }: TextWindowOptions): TextWindow[] {
  // Otherwise there would be windows without end, or gaps between them.
  const faults = [...atLeast('size', size, 1), ...atLeast('overlap', overlap, 0)]
  if (faults.length > 0) throw new ModelValidationError('textWindows', faults)
  const windows: TextWindow[] = []
  let start = 0
  let guess = Math.floor(size)
  for (;;) {
    const longest = longestFit(text, start, size, guess, measure)
    guess = Math.max(1, longest - start)
    const end = longest >= text.length ? text.length : bestCut(text, start, longest)
    windows.push({ start, end })
    if (end === text.length) return windows
    // Always forward, so that an overlap as large as the window cannot stand still.
    const back = Math.min(overlap, Math.floor((end - start) / 2))
    start = wholeCharacter(text, end - back, start)
  }
}

function atLeast(path: string, value: number, lowest: number): ValidationIssue[] {
  return value >= lowest ? [] : [{ path, message: `expected a number of ${lowest} or more`, code: 'bound' }]
}

/** The end of the longest text from `start` that fits; one character when not even that fits. */
function longestFit(
  text: string,
  start: number,
  size: number,
  guess: number,
  measure: TextWindowOptions['measure'],
): number {
  const shortest = start + (isPair(text, start) ? 2 : 1)
  if (!measure) return Math.max(shortest, wholeCharacter(text, Math.min(text.length, start + guess), start))
  const fits = (end: number) => measure(text.slice(start, end)) <= size
  let low = shortest
  let high = Math.min(text.length, Math.max(shortest, start + guess))
  while (high < text.length && fits(high)) {
    low = high
    high = Math.min(text.length, start + (high - start) * 2)
  }
  if (fits(high)) return high
  // low fits (or is a single character), high does not.
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(middle)) low = middle
    else high = middle
  }
  return Math.max(shortest, wholeCharacter(text, low, start))
}

function bestCut(text: string, start: number, end: number): number {
  const from = end - Math.floor((end - start) * cutShare)
  const tail = text.slice(from, end)
  for (const cut of cuts) {
    let last = 0
    for (const found of tail.matchAll(cut)) last = found.index + found[0].length
    if (last > 0) return from + last
  }
  return end
}

/** `place`, or the one before it when it is inside a surrogate pair. */
function wholeCharacter(text: string, place: number, after: number): number {
  return place - 1 > after && isPair(text, place - 1) ? place - 1 : place
}

function isPair(text: string, place: number): boolean {
  return (text.codePointAt(place) ?? 0) > 0xffff
}
