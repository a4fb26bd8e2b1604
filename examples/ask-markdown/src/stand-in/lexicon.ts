/**
 * @module
 * The vocabulary of the stand-in: comparing adjectives, the columns that they refer to, and question words of other languages.
 */
import { frenchStopWords, germanStopWords, spanishStopWords } from '@x/retrieval'
import { stem, wordsOf } from '../words.ts'

/** Words of questions, and the names of columns that may answer them. */
const COLUMNS: readonly (readonly [words: string, columns: string])[] = [
  ['cost costs pay expensive cheap cheaper cheapest price fee fare', 'price cost fee fare rate charge'],
  ['who whom contact person', 'person name contact owner author who by maintainer'],
  ['when date released release day', 'date when released release day time'],
  ['long longer longest takes take lasts last duration time', 'duration time length takes'],
  ['fast faster fastest quick quicker quickest slow slower slowest', 'throughput speed time latency duration'],
  [
    'old older oldest new newer newest young youngest age',
    'founded built opened date year created born established age',
  ],
  ['people inhabitants residents', 'population inhabitants residents'],
  ['heavy heavier heaviest light lighter lightest weigh weighs', 'weight mass'],
  ['tall taller tallest', 'height'],
  ['large larger largest big bigger biggest small smaller smallest', 'size area'],
  ['far farther', 'distance'],
  ['warm warmer warmest hot cold colder coldest', 'temperature'],
  ['much many', 'amount quantity count number'],
  ['where', 'place location room address city where'],
  ['leave leaves', 'departs departure'],
  ['arrive', 'arrives arrival'],
  ['start starts', 'from start'],
  ['purpose', 'description what'],
]
const columnsOf = new Map<string, Set<string>>()
for (const [words, columns] of COLUMNS) {
  const names = wordsOf(columns).map(stem)
  for (const word of words.split(' ')) columnsOf.set(word, new Set([...(columnsOf.get(word) ?? []), ...names]))
}

/** Returns the stems of columns that may answer a word, such as `price` for "cost". */
export function columnsFor(word: string): ReadonlySet<string> {
  return columnsOf.get(word.toLowerCase()) ?? new Set()
}

const LARGE = `large long high big great heavy tall wide deep old_ expensive warm hot strong late_`
const SMALL = `small low short little light cheap cold weak early_`
const comparing = new Map<string, 1 | -1>()
for (const [words, sign] of [
  [LARGE, 1],
  [SMALL, -1],
] as const)
  for (const word of words.split(' ').filter((one) => !one.endsWith('_'))) {
    const base = word.replace(/e$/, '')
    const doubled = /[^aeiou][aeiou][bdgmnpt]$/.test(base) ? base + base.at(-1) : base
    for (const form of [`${doubled}er`, `${doubled}est`]) comparing.set(form, sign)
  }
for (const [words, sign] of [
  ['most more maximum max greatest', 1],
  ['least less fewest fewer minimum min heaviest', -1],
  // Of dates and years: the newest is the largest.
  ['newest newer latest later last youngest younger', 1],
  ['oldest older earliest earlier first', -1],
  // Of times: the fastest is the smallest; for speeds it is the reverse.
  ['slowest slower', 1],
  ['fastest faster quickest quicker', -1],
] as const)
  for (const word of words.split(' ')) comparing.set(word, sign)
comparing.set('heaviest', 1)
comparing.set('heavier', 1)

/** Returns the sign of a comparative or superlative; undefined for other words. */
export function signOf(word: string): 1 | -1 | undefined {
  return comparing.get(word.toLowerCase())
}

/** All comparatives and superlatives. */
export const comparingWords: readonly string[] = [...comparing.keys()]

/** Columns in which a fast thing has a large number. */
export const SPEED = /throughput|speed|per (?:second|minute|hour)|\/s\b/i

/** Question words and superlatives of other languages, in English. */
const TRANSLATIONS: Readonly<Record<string, readonly (readonly [pattern: RegExp, english: string])[]>> = {
  german: [
    [/\bwie ?viele?s?\b/gi, 'how many'],
    [/\bwie (?:groß|hoch|lang|weit|teuer) (?:ist|sind)\b/gi, 'what is'],
    [/\bwie lange\b/gi, 'how long'],
    [/\bwann\b/gi, 'when'],
    [/\bwer\b/gi, 'who'],
    [/\bwo\b/gi, 'where'],
    [/\bwas\b/gi, 'what'],
    [/\bwelche[rsmn]?\b/gi, 'which'],
    [/\bkoste[nt]\b/gi, 'costs'],
    [/\b(?:höchste|größte)[rsmn]?\b/gi, 'highest'],
    [/\b(?:niedrigste|kleinste)[rsmn]?\b/gi, 'lowest'],
    [/\blängste[rsmn]?\b/gi, 'longest'],
    [/\bkürzeste[rsmn]?\b/gi, 'shortest'],
    [/\bmeisten\b/gi, 'most'],
    [/\bwenigsten\b/gi, 'least'],
    [/\b(?:gehör(?:t|en)|gibt)\b/gi, 'are'],
  ],
  french: [
    [/\bquels? (?:est|sont)\b|\bquelles? (?:est|sont)\b/gi, 'what is'],
    [/\bquel(?:le)?s?\b/gi, 'which'],
    [/\bcombien\b/gi, 'how many'],
    [/\bquand\b/gi, 'when'],
    [/\bqui\b/gi, 'who'],
    [/\bprix\b/gi, 'price'],
    [/\bcoûte(?:nt)?\b/gi, 'costs'],
  ],
  spanish: [
    [/\bcuál(?:es)? (?:es|son)\b/gi, 'what is'],
    [/\bcuánt[oa]s?\b/gi, 'how many'],
    [/\bcuándo\b/gi, 'when'],
    [/\bquién(?:es)?\b/gi, 'who'],
    [/\bprecio\b/gi, 'price'],
    [/\bcuesta[n]?\b/gi, 'costs'],
  ],
}
const STOP_WORDS = { german: germanStopWords, french: frenchStopWords, spanish: spanishStopWords }
/** Words that are also English. */
const SHARED = new Set('a an in on me was so also die war is no the y do son as or'.split(' '))

/** A question in English question words. */
export interface Translated {
  text: string
  /** The function words of its language. */
  stopWords: ReadonlySet<string>
}

/** Replaces the question words of German, French and Spanish; other questions are returned unchanged. */
export function translated(text: string): Translated {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{M}]+/gu))
  let best: keyof typeof STOP_WORDS | null = null
  let most = 1
  for (const [language, list] of Object.entries(STOP_WORDS) as [keyof typeof STOP_WORDS, readonly string[]][]) {
    const count = list.filter((word) => words.has(word) && !SHARED.has(word)).length
    if (count < most) continue
    most = count + 1
    best = language
  }
  const isEnglish = /\b(?:what|which|who|how|is|the|of|does|when|where|why)\b/i.test(text)
  if (best === null || isEnglish) return { text, stopWords: new Set() }
  let english = text
  for (const [pattern, word] of TRANSLATIONS[best]!) english = english.replace(wordPattern(pattern), word)
  return { text: english, stopWords: new Set(STOP_WORDS[best].flatMap(wordsOf)) }
}

/** `\b` recognizes only letters of English. */
function wordPattern(pattern: RegExp): RegExp {
  const source = pattern.source.replaceAll(/^\\b|\|\\b/g, (found) => `${found.startsWith('|') ? '|' : ''}(?<![\\p{L}])`)
  return new RegExp(source.replaceAll(/\\b/g, '(?![\\p{L}])'), 'giu')
}
