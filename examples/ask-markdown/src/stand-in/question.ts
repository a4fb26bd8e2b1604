/**
 * @module
 * Analyzes what a question asks for, by its words.
 */
import { isAskingWord, isEmptyWord, isKindWord, stem, wordsOf } from '../words.ts'

/** The share of the subject that a text or a table must contain to count as an answer. */
export const ENOUGH = 0.6

/** The kind of answer that a question asks for. */
export type Wanted = 'section' | 'row count' | 'column names' | 'count' | 'extreme' | 'definition' | 'anything'

/** A word of the question. */
export interface SubjectWord {
  /** The word as written. */
  text: string
  /** Its stem; for an identifier such as `taskId` also the stems of its parts. */
  stem: string
  parts: string[]
  /** 1; less for words that name a kind of thing, such as "option". */
  weight: number
}

/** An analyzed question. */
export interface Question {
  text: string
  wanted: Wanted
  /** All words, in order. */
  words: string[]
  /** The words that name its subject, each once. */
  subject: SubjectWord[]
  /** `#2` if the question names a row or a column by its number. */
  rowNumber: string | null
  columnNumber: string | null
  /** The stem of the things that are to be listed: of "fields" in "Which fields does X have?". Null when no list is asked for. */
  things: string | null
}

/** `Which fields …`, `What are the packages …`, `List all errors …`: a plural behind a word that asks for several. */
const LIST = /^\s*(?:(?:which|what|name|list)(?:\s+(?:are|all|the|of|there))*)\s+([\p{L}\p{N}_]+s)\b/iu

/** Questions about the extreme of a column of numbers. */
const LARGEST = /\b(?:highest|largest|biggest|greatest|most|maximum|longest)\b/i
const SMALLEST = /\b(?:lowest|smallest|least|fewest|minimum|shortest)\b/i
const EXTREME = new RegExp(`${LARGEST.source}|${SMALLEST.source}`, 'i')

/** Returns 1 if the question asks for the largest number, -1 for the smallest. */
export function extremeOf({ text }: Question): 1 | -1 {
  return LARGEST.test(text) ? 1 : -1
}

const KINDS: [Wanted, RegExp][] = [
  ['row count', /\bhow many (?:rows|lines|entries|records|columns)\b|\bnumber of (?:rows|lines|entries|columns)\b/i],
  [
    'column names',
    /\b(?:what|which)(?: are the)? columns\b|\b(?:columns|column names|headers?) (?:of|in) the\b.*\btable\b/i,
  ],
  ['count', /\bhow many\b/i],
  ['section', /\b(?:which|what|in which) (?:section|chapter|part|heading|file|document|page)s?\b|^\s*where\b/i],
  ['extreme', EXTREME],
  ['definition', /^\s*(?:what (?:is|are)|who is|define)\b|\bdefin(?:ed|ition|e)\b|\bwhat does\b.*\bmean\b/i],
]

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** `row 2`, `3rd column`: says where to look, but not about what. */
const NUMBERED = /\b(?:row|column) (?:no\.? |number |#)?\d+\b|\b\d+(?:st|nd|rd|th) (?:row|column)\b/gi

/** Reads a question. */
export function readQuestion(text: string): Question {
  const rowNumber = numbered(text, 'row')
  const columnNumber = numbered(text, 'column')
  const withoutNumbers = text.replace(NUMBERED, ' ')
  const meaning = subjectWords(withoutNumbers.replace(EXTREME, ' '))
  const things = LIST.exec(text)?.[1]
  const subject = meaning.filter((word) => !isAskingWord(wordsOf(word.text)[0]!))
  return {
    text,
    words: wordsOf(text),
    wanted: KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'anything',
    subject: subject.length > 0 ? subject : meaning,
    rowNumber,
    columnNumber,
    things: things === undefined ? null : stem(wordsOf(things)[0]!),
  }
}

function subjectWords(text: string): SubjectWord[] {
  const words = new Map<string, SubjectWord>()
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    const [whole, ...parts] = wordsOf(word)
    if (whole === undefined || isEmptyWord(whole)) continue
    const key = stem(whole)
    if (!words.has(key))
      words.set(key, { text: word, stem: key, parts: parts.map(stem), weight: isKindWord(whole) ? 0.5 : 1 })
  }
  return [...words.values()]
}

/** Whether a set of stems contains a word of the subject, or all of its parts. */
export function hasWord(stems: ReadonlySet<string>, { stem: whole, parts }: SubjectWord): boolean {
  return stems.has(whole) || (parts.length > 0 && parts.every((part) => stems.has(part)))
}

/** Returns `#2` for `row 2`, `row no. 2`, `2nd row` or `second row`. */
function numbered(text: string, what: 'row' | 'column'): string | null {
  const after = new RegExp(`\\b${what} (?:no\\.? |number |#)?(\\d+)\\b`, 'i').exec(text)?.[1]
  const before = new RegExp(`\\b(\\d+)(?:st|nd|rd|th) ${what}\\b`, 'i').exec(text)?.[1]
  const ordinal = new RegExp(`\\b(${ORDINALS.join('|')}) ${what}\\b`, 'i').exec(text)?.[1]
  if (after ?? before) return `#${after ?? before}`
  return ordinal === undefined ? null : `#${ORDINALS.indexOf(ordinal.toLowerCase()) + 1}`
}

/** Returns the words of the subject that a set of stems does not contain. */
export function missingWords({ subject }: Question, stems: ReadonlySet<string>): string[] {
  return subject.filter((word) => !hasWord(stems, word)).map(({ text }) => text)
}

/** Returns the share of the subject that a set of stems contains: 1 for all of it. */
export function coverage({ subject }: Question, stems: ReadonlySet<string>): number {
  const total = sum(subject)
  return total === 0 ? 0 : sum(subject.filter((word) => hasWord(stems, word))) / total
}

function sum(words: readonly SubjectWord[]): number {
  return words.reduce((total, { weight }) => total + weight, 0)
}
