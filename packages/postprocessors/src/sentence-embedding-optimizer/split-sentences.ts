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
    /** The end of a sentence in text without capitals, which the platform does not end before a small letter. */
    smallEnd: /[.!?…]["'”’)\]]{0,3}\s{1,9}(?=\p{Ll})/gu,
    /** Titles and abbreviations in small letters. */
    smallTitle: new RegExp(String.raw`${start}(?:${titles}|${abbreviations}|${counters}|etc|inc|\p{L})\.\s*$`, 'iu'),
    capital: /\p{Lu}/u,
    startsWithDigit: new RegExp(`^${digit}`, 'u'),
  }
})
/** The number of code units before an edge that are tested; longer than every abbreviation and its surroundings. */
const abbreviationLength = 24

/**
 * Splits `text` into trimmed sentences, in order, without empty ones. No other text is dropped.
 * Text without capital letters is split too. A line end ends a sentence; a title, an abbreviation or an initial (`Dr. J. Smith`) does not. The time is linear in the length.
 * @throws {ModelValidationError} when `lang` is not a language tag.
 * @throws {MissingDependencyError} when the runtime has no `Intl.Segmenter`.
 * @example
 * splitSentences('Dr. Smith came. He left.') // => ['Dr. Smith came.', 'He left.']
 */
export function splitSentences(text: string, lang = 'en'): string[] {
  const sentences: string[] = []
  const add = (from: number, until: number) => {
    const found = text.slice(from, until)
    let copied = 0
    for (const end of endsWithoutCapitals(found)) {
      sentences.push(found.slice(copied, end).trim())
      copied = end
    }
    const sentence = found.slice(copied).trim()
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

/** Returns where sentences end within a text that contains no capital letter, as transcripts do. */
function endsWithoutCapitals(text: string): number[] {
  const { capital, smallEnd, smallTitle } = patterns()
  if (capital.test(text)) return []
  return [...text.matchAll(smallEnd)]
    .map(({ 0: found, index }) => index + found.length)
    .filter((end) => !smallTitle.test(text.slice(Math.max(0, end - abbreviationLength), end)))
}

/** Whether the sentence that begins at `start` continues after `edge`. */
function isJoined(text: string, start: number, edge: number): boolean {
  const before = text.slice(Math.max(start, edge - abbreviationLength), edge)
  if (before.includes('\n')) return false
  const { title, counted, startsWithDigit } = patterns()
  return title.test(before) || (counted.test(before) && startsWithDigit.test(text.slice(edge, edge + 2)))
}
