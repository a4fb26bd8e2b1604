/**
 * @module
 * Splits a string into sentences without a language model.
 */
import { lazy } from '@x/core-model/internal'
import { segmentEdges } from '../keyword/word-boundaries.ts'
import { newSegmenter } from '../segmenter.ts'

const patterns = /* @__PURE__ */ lazy(() => {
  const digit = String.raw`\p{N}`
  const start = String.raw`(?:^|[^\p{L}${digit}])`
  const titles = 'Mr|Mrs|Ms|Dr|Prof|St|Gen|Sen|Rep|Gov|Capt|Lt|Col|Sgt|Rev|Hon|Mme|Mlle'
  const abbreviations = String.raw`vs|cf|approx|resp|e\.g|i\.e|al|bzw|ca|z\.\s?B|d\.\s?h|u\.\s?a`
  const counters = '[Nn]o|[Nn]os|Nr|Figs?|Abb|Eq|Sec|Ch|Vol|pp?|S|Art'
  return {
    /** A full stop after one of these does not end the sentence. */
    title: new RegExp(String.raw`${start}(?:${titles}|${abbreviations}|\p{Lu})\.\s*$`, 'u'),
    /** A full stop after one of these does not end the sentence if a number follows: `No. 5`, `Fig. 2`. */
    counted: new RegExp(String.raw`${start}(?:${counters})\.\s*$`, 'u'),
    startsWithDigit: new RegExp(`^${digit}`, 'u'),
  }
})
/** The number of code units before an edge that are tested; longer than every abbreviation and its surroundings. */
const abbreviationLength = 24

/**
 * Splits `text` into trimmed sentences, in order, without empty ones. No other text is dropped.
 * A line end ends a sentence; a title, an abbreviation or an initial (`Dr. J. Smith`) does not. The time is linear in the length.
 * @throws {ModelValidationError} when `lang` is not a language tag.
 * @throws {MissingDependencyError} when the runtime has no `Intl.Segmenter`.
 * @example
 * splitSentences('Dr. Smith came. He left.') // => ['Dr. Smith came.', 'He left.']
 */
export function splitSentences(text: string, lang = 'en'): string[] {
  const sentences: string[] = []
  const add = (from: number, until: number) => {
    const sentence = text.slice(from, until).trim()
    if (sentence !== '') sentences.push(sentence)
  }
  let start = 0
  let previous = 0
  for (const edge of segmentEdges(newSegmenter(lang, 'sentence', 'splitSentences'), text, 0, text.length)) {
    // text.slice(previous, edge) is the current segment; text.slice(start, previous) are the segments joined so far.
    if (previous > start && !isJoined(text, start, previous)) {
      add(start, previous)
      start = previous
    }
    previous = edge
  }
  add(start, text.length)
  return sentences
}

/** Whether the sentence that begins at `start` continues after `edge`. */
function isJoined(text: string, start: number, edge: number): boolean {
  const before = text.slice(Math.max(start, edge - abbreviationLength), edge)
  if (before.includes('\n')) return false
  const { title, counted, startsWithDigit } = patterns()
  return title.test(before) || (counted.test(before) && startsWithDigit.test(text.slice(edge, edge + 2)))
}
