/**
 * @module
 * What a question asks for, seen from its words.
 */
import { isAskingWord, isEmptyWord, stem, wordsOf } from '../words.ts'

/** The kind of answer that is wanted. */
export type Wanted = 'section' | 'row count' | 'column names' | 'definition' | 'anything'

/** A question, read. */
export interface Question {
  text: string
  wanted: Wanted
  /** All words, in order. */
  words: string[]
  /** The words that say what it is about, each once. */
  subject: string[]
  /** `#2` when the question names a row or a column by its number. */
  rowNumber: string | null
  columnNumber: string | null
}

const KINDS: [Wanted, RegExp][] = [
  ['row count', /\bhow many (?:rows|lines|entries|records|columns)\b|\bnumber of (?:rows|lines|entries|columns)\b/i],
  [
    'column names',
    /\b(?:what|which)(?: are the)? columns\b|\b(?:columns|column names|headers?) (?:of|in) the\b.*\btable\b/i,
  ],
  ['section', /\b(?:which|what|in which) (?:section|chapter|part|heading|file|document|page)s?\b|^\s*where\b/i],
  ['definition', /^\s*(?:what (?:is|are)|who is|define)\b|\bdefin(?:ed|ition|e)\b|\bwhat does\b.*\bmean\b/i],
]

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** Reads a question. */
export function readQuestion(text: string): Question {
  const words = wordsOf(text)
  const meaning = [...new Set(words)].filter((word) => !isEmptyWord(word))
  const subject = meaning.filter((word) => !isAskingWord(word))
  return {
    text,
    words,
    wanted: KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'anything',
    subject: subject.length > 0 ? subject : meaning,
    rowNumber: numbered(text, 'row'),
    columnNumber: numbered(text, 'column'),
  }
}

/** `#2` for `row 2`, `row no. 2`, `2nd row` or `second row`. */
function numbered(text: string, what: 'row' | 'column'): string | null {
  const after = new RegExp(`\\b${what} (?:no\\.? |number |#)?(\\d+)\\b`, 'i').exec(text)?.[1]
  const before = new RegExp(`\\b(\\d+)(?:st|nd|rd|th) ${what}\\b`, 'i').exec(text)?.[1]
  const ordinal = new RegExp(`\\b(${ORDINALS.join('|')}) ${what}\\b`, 'i').exec(text)?.[1]
  if (after ?? before) return `#${after ?? before}`
  return ordinal === undefined ? null : `#${ORDINALS.indexOf(ordinal.toLowerCase()) + 1}`
}

/** Which part of the subject a set of stems holds: 1 for all of it. */
export function coverage({ subject }: Question, stems: ReadonlySet<string>): number {
  if (subject.length === 0) return 0
  return subject.filter((word) => stems.has(stem(word))).length / subject.length
}
