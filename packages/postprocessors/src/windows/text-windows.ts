/**
 * @module
 * Splits a long string into windows that a model can read, so that nothing is silently truncated.
 */
import { checkOption, checkOptions, required, text as string, unchecked } from '@x/core/options'
import { countWhile } from '@x/core/values'
import {
  ConfigurationError,
  estimateTokens,
  ModelValidationError,
  type PredictingLLM,
  type ValidationIssue,
} from '@x/core-model'
import { sentenceEnds } from '@x/core-model/text'
import { newSegmenter } from '../segmenter.ts'

/** A range of a string, in UTF-16 code units; `end` is exclusive. */
export interface TextWindow {
  start: number
  end: number
}

/** The options of {@link textWindows}. */
interface TextWindowOptions {
  /** The maximum size of a window, in the unit of `measure`. */
  size: number
  /** The maximum overlap of two adjacent windows, in UTF-16 code units. @defaultValue 0 */
  overlap?: number
  /** Returns the size of a string. Must not decrease when text is appended. @defaultValue the length of the string */
  measure?: (text: string) => number
}

// Boundaries in order of preference; each is searched in the last part of the window.
const cuts = [/\n\s*\n/g, /\n/g, /[.!?。！？]["'”’)\]]*(?:\s|$)|[。！？]/g, /\s/g]
/** The share of a window, at its end, in which a boundary is searched. */
const cutShare = 0.4

/**
 * Returns consecutive windows that together cover all of `text`. A window ends at a blank line, a line end, the end of a sentence
 * or a blank if there is one near its maximum end, and never inside a surrogate pair. A string that fits, even an empty one, is
 * one window.
 * @throws {ModelValidationError} for a size below 1 or an overlap below 0.
 * @example
 * textWindows('One two. Three four.', { size: 12 }) // => [{ start: 0, end: 9 }, { start: 9, end: 20 }]
 */
export function textWindows(text: string, options: TextWindowOptions): TextWindow[] {
  checkOption('textWindows', 'text', text, required(string))
  checkOptions('textWindows', options, { size: unchecked, overlap: unchecked, measure: unchecked })
  const { size, overlap = 0, measure } = options
  // Other values would cause an endless loop, or gaps between windows.
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
    // At most half the window, so that a large overlap still makes progress.
    const back = Math.min(overlap, Math.floor((end - start) / 2))
    start = wholeCharacter(text, end - back, start)
  }
}

function atLeast(path: string, value: number, lowest: number): ValidationIssue[] {
  return value >= lowest
    ? []
    : [{ path, message: `expected a number of at least ${lowest}, received ${value}`, code: 'bound' }]
}

/** Returns the end of the longest range from `start` that fits; at least one character. */
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
  low += countWhile(high - low, (more) => fits(low + more + 1))
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

/** Returns `place`, or the position before it if `place` is inside a surrogate pair. */
function wholeCharacter(text: string, place: number, after: number): number {
  return place - 1 > after && isPair(text, place - 1) ? place - 1 : place
}

function isPair(text: string, place: number): boolean {
  return (text.codePointAt(place) ?? 0) > 0xffff
}

/** How much of the context window is available. */
interface ContextShare {
  /** The class name used in errors. */
  className: string
  /** The number of tokens reserved for the prompt and the answer. */
  reserved: number
  /** The share of the remaining tokens that a part may use. @defaultValue 1 */
  share?: number
}

/**
 * Splits `text` into parts that fit into the model's context window. Tokens are estimated. If the context window is unknown,
 * the whole string is one part.
 * @throws {ConfigurationError} if no tokens are left for a part, before any model call.
 */
export function partsForContext(
  text: string,
  { metadata }: PredictingLLM,
  { className, reserved, share = 1 }: ContextShare,
): string[] {
  const { contextWindow } = metadata
  if (contextWindow === null) return [text]
  const room = Math.floor((contextWindow - reserved) * share)
  if (room < 1)
    throw new ConfigurationError(
      `${className}: the model's context window of ${contextWindow} tokens leaves no room for the node; use a shorter prompt or a model with a larger context window.`,
    )
  return textWindows(text, { size: room, measure: estimateTokens }).map(({ start, end }) => text.slice(start, end))
}

/**
 * Splits `text` into trimmed sentences, in order, without empty ones. No other text is dropped.
 * Text without capital letters is split too. A line end ends a sentence; a title, an abbreviation or an initial (`Dr. J. Smith`) does not.
 * The time is linear in the length.
 * @throws {ModelValidationError} if `lang` is not a language tag.
 * @throws {MissingDependencyError} if the runtime has no `Intl.Segmenter`.
 * @example
 * splitSentences('Dr. Smith came. He left.') // => ['Dr. Smith came.', 'He left.']
 */
export function splitSentences(text: string, lang = 'en'): string[] {
  checkOption('splitSentences', 'text', text, required(string))
  const sentences: string[] = []
  let start = 0
  for (const end of sentenceEnds(text, newSegmenter(lang, 'sentence', 'splitSentences'))) {
    const sentence = text.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
  }
  return sentences
}
