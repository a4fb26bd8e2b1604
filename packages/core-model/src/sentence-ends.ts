/**
 * @module
 * Finds sentences without a language model.
 */
import { lazy } from '@x/core/values'
import { segmentEdges } from './segment-edges.ts'

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
 * Yields the ends of the sentences of a string, in ascending order; white space after a sentence belongs to it. Text without capital
 * letters is split too. A line end ends a sentence; a title, an abbreviation or an initial (`Dr. J. Smith`) does not. Takes linear time.
 * @param segmenter - one with the granularity `sentence`.
 */
export function* sentenceEnds(text: string, segmenter: Intl.Segmenter): Generator<number> {
  let start = 0
  let previous = 0
  for (const edge of segmentEdges(segmenter, text, 0, text.length)) {
    // text.slice(previous, edge) is the current segment; text.slice(start, previous) are the segments joined so far.
    if (previous > start && !isJoined(text, start, previous)) {
      yield* endsBetween(text, start, previous)
      start = previous
    }
    previous = edge
  }
  if (start < text.length) yield* endsBetween(text, start, text.length)
}

function* endsBetween(text: string, start: number, end: number): Generator<number> {
  for (const inner of endsWithoutCapitals(text.slice(start, end))) yield start + inner
  yield end
}

/** Returns where sentences end within a string that contains no capital letter, as transcripts do. */
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
