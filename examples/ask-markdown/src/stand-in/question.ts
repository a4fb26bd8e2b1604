/**
 * @module
 * Analyzes what a question asks for, by its words.
 */
import { readQuantity, type TableOperator } from '@x/retrieval/tables'
import { editDistance } from '../vocabulary.ts'
import { isAskingWord, isEmptyWord, isKindWord, stem, wordsOf } from '../words.ts'
import { comparingWords, signOf, translated } from './lexicon.ts'

/** The share of the subject that a text or a table must contain to be of interest. */
export const ENOUGH = 0.6

/** The kind of answer that a question asks for. */
export type Wanted =
  | 'section'
  | 'row count'
  | 'column names'
  | 'sum'
  | 'mean'
  | 'count'
  | 'difference'
  | 'extreme'
  | 'definition'
  | 'anything'

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

/** A number that values are compared with: `more than 6`, `at least 4 GB`. */
export interface Bound {
  is: TableOperator
  value: string
  /** The words behind it: of "more than 6 beaches" the word "beaches". */
  after: string[]
  /** The words before it: of "cost less than 100 €" the word "cost". */
  before: string[]
}

/** A comparing word of the question. */
export interface Comparison {
  word: string
  sign: 1 | -1
}

/** An analyzed question. */
export interface Question {
  text: string
  wanted: Wanted
  /** All words, in order. An identifier such as `taskId` is followed by its parts. */
  words: string[]
  /** The ranges of the parts of identifiers in `words`. */
  parts: { start: number; end: number }[]
  /** The words that name its subject, each once. */
  subject: SubjectWord[]
  /** `#2` if the question names a row or a column by its number. */
  rowNumber: string | null
  columnNumber: string | null
  /** The stem of the things that are to be listed: of "fields" in "Which fields does X have?". Null when no list is asked for. */
  things: string | null
  /** The words behind "which", "what" or "how many", up to a verb or a preposition. */
  asked: string[]
  /** The question word, such as `who` or `how long`. */
  questionWord: string
  /** Whether the answer is yes or no. */
  isYesNo: boolean
  /** Whether the steps or the ways of doing something are asked for. */
  asksHow: boolean
  bounds: Bound[]
  comparison: Comparison | null
}

/** `Which fields …`, `What are the packages …`, `List all errors …`: a plural behind a word that asks for several. */
const LIST =
  /^\s*(?:in |from |at |to )?(?:(?:which|what|name|list)(?:\s+(?:are|all|the|of|there))*)\s+(?:\p{L}+\s+)??((?!(?:is|was|does|has|this|its)\b)[\p{L}\p{N}_]+s)\b/iu

const KINDS: [Wanted, RegExp][] = [
  ['row count', /\bhow many (?:rows|lines|entries|records|columns)\b|\bnumber of (?:rows|lines|entries|columns)\b/i],
  [
    'column names',
    /\b(?:what|which)(?: are the)? columns\b|\b(?:columns|column names|headers?) (?:of|in) the\b.*\btable\b/i,
  ],
  ['difference', /\bhow (?:much|many) (?:more|less|fewer|[a-z]+er)\b.*\bthan\b|\bdifference between\b/i],
  ['mean', /\b(?:average|mean|on average)\b(?!\s*\?)/i],
  ['sum', /\b(?:total|sum of|in total|altogether|all together|together|combined|overall)\b/i],
  ['count', /\bhow many\b|\bnumber of\b/i],
  [
    'section',
    /\b(?:which|what|in which) (?:section|chapter|part|heading|file|document|page)s?\b|^\s*where (?:is|are|can)\b.*\b(?:described|explained|mentioned|documented|defined)\b/i,
  ],
  [
    'definition',
    /^\s*(?:what (?:is|are) (?:an?\b|[\p{L}\p{N}_@/-]+\s*\?|the meaning)|define)|\bdefin(?:ed|ition|e)\b|\bwhat does\b.*\bmean\b/iu,
  ],
]

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

/** `row 2`, `3rd column`: names a position, but not a subject. */
const NUMBERED = /\b(?:row|column) (?:no\.? |number |#)?\d+\b|\b\d+(?:st|nd|rd|th) (?:row|column)\b/gi

const BOUND =
  /\b(more than|over|above|greater than|larger than|longer than|exceeding|less than|fewer than|under|below|smaller than|shorter than|cheaper than|at least|no less than|at most|no more than|up to)\s+([$€£]?\s?\d[\d,.]*\d?(?:\s?(?:[%$€£]|[\p{L}µ²]+(?:\/\p{L}+)?))?)/giu
const OPERATOR_OF: readonly (readonly [RegExp, TableOperator])[] = [
  [/^(?:at least|no less)/i, 'at least'],
  [/^(?:at most|no more|up to)/i, 'at most'],
  [/^(?:less|fewer|under|below|smaller|shorter|cheaper)/i, 'less'],
  [/./, 'more'],
]
const KNOWN_DIMENSION = /^(?:time|data|length|area|mass|volume|frequency|power|[€$£%])/

/** "How long" asks for a time; "long" is not part of the subject. */
const HOW = /\bhow (?:long|often|far|old|big|large|high|heavy|fast|deep|wide|tall)\b/gi

/** Words that end the noun behind "which" or "how many". */
const NOUN_ENDS = new Set(
  `is are was were be do does did has have had can could may might must should will would of in on at by for from to with without
   there that than not mean means cost costs need needs take takes go goes get use uses start starts`.split(/\s+/),
)

/** Returns an analyzed question. */
export function readQuestion(written: string): Question {
  const { text, stopWords } = translated(withoutSlips(written))
  const rowNumber = numbered(text, 'row')
  const columnNumber = numbered(text, 'column')
  const { bounds, rest } = boundsOf(text.replace(NUMBERED, ' '))
  const wanted = KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'anything'
  const comparison = comparisonIn(rest)
  const isExtreme = comparison !== null && !/\bthan\b/i.test(text) && (wanted === 'anything' || wanted === 'definition')
  const meaning = subjectWords(rest.replace(HOW, 'how'), comparison?.word, stopWords)
  const things = LIST.exec(text)?.[1]
  const subject = meaning.filter((word) => !isAskingWord(wordsOf(word.text)[0]!))
  return {
    text,
    words: wordsOf(text),
    parts: partsOf(text),
    wanted: isExtreme ? 'extreme' : wanted,
    subject: subject.length > 0 ? subject : meaning,
    rowNumber,
    columnNumber,
    things: things === undefined ? null : stem(wordsOf(things)[0]!),
    asked: askedNoun(text),
    questionWord: /\b(how [a-z]+|who|whom|when|where|why|how|which|what)\b/i.exec(text)?.[1]?.toLowerCase() ?? '',
    isYesNo: /^\s*(?:is|are|was|were|does|do|did|has|have|had|can|could|may|must|should|will|would)\b/i.test(text),
    asksHow:
      /^\s*how (?:do|does|can|could|is|are|to|should|did)\b|\b(?:steps?|ways?) (?:to|of|for)\b|\bwhat(?:'s| is| are)? new\b|\bwhat (?:has )?changed\b/i.test(
        text,
      ),
    bounds,
    comparison,
  }
}

function partsOf(text: string): { start: number; end: number }[] {
  let at = 0
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].flatMap(([word]) => {
    const start = at + 1
    at += wordsOf(word).length
    return at > start ? [{ start, end: at }] : []
  })
}

/** Corrects comparing words: "hihgest" is "highest". */
function withoutSlips(text: string): string {
  return text.replace(/\b[a-z]{6,}\b/g, (word) => {
    if (signOf(word) !== undefined || !word.endsWith('est')) return word
    return (
      comparingWords.find(
        (known) => known.endsWith('est') && editDistance(word, known, 1) <= 1 && known[0] === word[0],
      ) ?? word
    )
  })
}

function comparisonIn(text: string): Comparison | null {
  for (const [word] of text.replace(/\b(?:no|any|not) longer\b/gi, ' ').matchAll(/\p{L}+/gu)) {
    const sign = signOf(word)
    // "At what temperature is it baked first?" asks for no extreme.
    if (sign !== undefined && !/^(?:more|first|last|later|earlier)$/i.test(word))
      return withExpensive(text, { word, sign })
  }
  const verb = /\b(first|last)\s*\??\s*$|\b(?:the|come|came) (first|last)\b|\b(more)\b.*\b(?:than|or)\b/i.exec(text)
  const word = verb?.[1] ?? verb?.[2] ?? verb?.[3]
  return word === undefined ? null : withExpensive(text, { word, sign: signOf(word)! })
}

/** "The most expensive" refers to columns for "expensive". */
function withExpensive(text: string, { word, sign }: Comparison): Comparison {
  const next = new RegExp(`\\b${word}\\s+(expensive|recent)\\b`, 'i').exec(text)?.[1]?.toLowerCase()
  return { word: next === 'recent' ? 'newest' : (next ?? word), sign }
}

function boundsOf(text: string): { bounds: Bound[]; rest: string } {
  const bounds: Bound[] = []
  const rest = text.replace(BOUND, (found, operator: string, written: string, at: number) => {
    const [, number = '', unit = ''] = /^([$€£]?\s?[\d,.]*\d)\s*(.*)$/u.exec(written)!
    // "more than 6 beaches": a word that is not a unit belongs to the rest.
    const isUnit = unit !== '' && KNOWN_DIMENSION.test(readQuantity(written)?.dimension ?? '')
    const behind = `${isUnit ? '' : unit} ${text.slice(at + found.length)}`
    bounds.push({
      is: OPERATOR_OF.find(([pattern]) => pattern.test(operator))![1],
      value: isUnit ? written : number,
      after: wordsOf(behind)
        .filter((word) => !isEmptyWord(word))
        .slice(0, 2),
      before: wordsOf(text.slice(0, at))
        .filter((word) => !isEmptyWord(word))
        .slice(-2),
    })
    return ` ${isUnit ? '' : unit} `
  })
  return { bounds, rest }
}

/** Returns the noun that is asked for: of "How many public telescopes are there?" the words "public telescope". */
function askedNoun(text: string): string[] {
  const [, behind = ''] =
    /\b(?:which|what|how many|how much|number of)\s+(.*)$/i.exec(
      text.replace(/\bwhat (?:is|are|was|were)\s+(?:the\s+)?/i, 'what '),
    ) ?? []
  const noun: string[] = []
  for (const [word] of behind.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    if (NOUN_ENDS.has(word.toLowerCase())) break
    if (signOf(word) === undefined && !isEmptyWord(word.toLowerCase())) noun.push(...wordsOf(word).slice(0, 1))
    if (noun.length === 3) break
  }
  return noun
}

function subjectWords(text: string, comparing: string | undefined, stopWords: ReadonlySet<string>): SubjectWord[] {
  const words = new Map<string, SubjectWord>()
  for (const [word] of text.matchAll(/\d+(?:\.\d+)+|[\p{L}\p{M}\p{N}_]+/gu)) {
    const [whole, ...parts] = /^\d+\./.test(word) ? [word] : wordsOf(word)
    if (whole === undefined || isEmptyWord(whole) || stopWords.has(whole)) continue
    if (word === comparing || (comparing !== undefined && signOf(word) !== undefined)) continue
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
export function missingWords({ subject }: Question, stems: ReadonlySet<string>): SubjectWord[] {
  return subject.filter((word) => !hasWord(stems, word))
}

/** Returns the share of the subject that a set of stems contains: 1 for all of it. */
export function coverage({ subject }: Question, stems: ReadonlySet<string>): number {
  const total = sum(subject)
  return total === 0 ? 0 : sum(subject.filter((word) => hasWord(stems, word))) / total
}

function sum(words: readonly SubjectWord[]): number {
  return words.reduce((total, { weight }) => total + weight, 0)
}
