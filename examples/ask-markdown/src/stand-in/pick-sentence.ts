/**
 * @module
 * Chooses the sentence that matches the subject of a question best, among the found passages.
 */
import { placeText, readPlace } from '@x/retrieval/tables'
import type { TextPassage } from '../tools.ts'
import { isEmptyWord, stem, stemsOf, wordsOf } from '../words.ts'
import { coverage, hasWord, missingWords, type Question, type SubjectWord } from './question.ts'
import { sentencesOf } from './sentences.ts'

/** A sentence and its place. */
export interface Sentence {
  text: string
  place: string
  heading: string
  /** The share of the question's subject in the sentence and the headings above it. */
  coverage: number
  /** The words of the subject that neither contains. */
  missing: SubjectWord[]
  /** Whether it defines the subject: `X is …`, `X: …`. */
  defines: boolean
  /** Whether it may be the answer: it contains the kind of value that the question word asks for, such as a number, and enough of the subject. */
  answers: boolean
  isCode: boolean
}

/** Returns the sentences that share a word with the subject, best first; prefers definitions if one is requested. */
export function pickSentences(question: Question, passages: readonly TextPassage[]): Sentence[] {
  const sentences = passages.flatMap((passage) => sentencesOf(passage.text).map((one) => ({ ...one, passage })))
  const stemmed = sentences.map(({ text }) => new Set(stemsOf(text)))
  // Words that few sentences contain have more weight.
  const rarity = new Map(
    question.subject.map((word) => {
      const having = stemmed.filter((stems) => hasWord(stems, word)).length
      return [word, Math.log(1 + sentences.length / (1 + having))]
    }),
  )
  const rated = sentences.flatMap(({ text, line, isCode, passage }, index) => {
    const own = stemmed[index]!
    const above = new Set(stemsOf(`${passage.heading} ${passage.place}`))
    let worth = 0
    for (const [word, weight] of rarity) worth += hasWord(own, word) ? weight : hasWord(above, word) ? weight * 0.6 : 0
    if (worth === 0) return []
    // A long sentence contains many words by chance.
    worth /= 1 + Math.max(0, text.length - 200) / 400
    const defines = definesSubject(question, text)
    const fits = fitsQuestion(question, text)
    if (isCode) worth *= 0.5
    if (isBare(question, text)) worth *= 0.3
    if (!fits) worth *= 0.6
    worth *= 1 + earliness(question, text) * 0.15
    if (defines) worth *= question.wanted === 'definition' ? (KIND.test(text) ? 2.5 : 2) : 1.2
    worth += passage.score * 0.1
    const at = readPlace(passage.place)
    const place = at ? placeText({ file: at.file, line: at.line + line, endLine: at.line + line }) : passage.place
    const stems = new Set([...own, ...above])
    const found = { coverage: coverage(question, stems), missing: missingWords(question, stems) }
    const answers =
      fits && !isCode && (defines || !asksForDefinition(question)) && saysItself(question, own, passage.heading)
    return [{ text, place, heading: passage.heading, ...found, defines, answers, isCode, worth }]
  })
  return rated.sort((one, other) => other.worth - one.worth)
}

const NUMBER = /(?<![\p{L}\p{N}])\d/u
const NUMBER_WORD =
  /(?<![\p{L}\p{N}])\d|\b(?:half|once|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|unlimited)\b/iu
const TIME =
  /\d|\b(?:midnight|noon|morning|evening|night|spring|summer|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|when|after|before|until|once|day|days|week|month|year|hour)s?\b|\p{L}*(?:morgen|abend|tag|jahr|monat)\b/iu
const FITS: Readonly<Record<string, RegExp>> = {
  who: /(?<!^)(?<![.!?:]\s)\b\p{Lu}\p{Ll}+|\b(?:team|company|manager|people|everybody|nobody|users?|owners?)\b/u,
  when: TIME,
  'how often':
    /\bevery\b|\beach\b|\bper\b|\bdaily\b|\bweekly\b|\bmonthly\b|\byearly\b|\bonce\b|\btwice\b|\btimes\b|\bnever\b|\balways\b/i,
}

/** "What is a snapshot?" has a definition as its answer. */
function asksForDefinition({ wanted, text }: Question): boolean {
  return wanted === 'definition' && /^\s*what (?:is|are) an?\b/i.test(text)
}

/** The share of the subject that a sentence must contain itself; the headings above it contain the rest. */
const OWN_SHARE = 0.5

/** Whether a sentence itself contains the subject and the compared values, so that it can be an answer. */
function saysItself(question: Question, own: ReadonlySet<string>, heading: string): boolean {
  const { wanted, bounds, comparison, asked, asksHow, questionWord, subject, things } = question
  if (coverage(question, own) < OWN_SHARE || bounds.length > 0) return false
  // A single sentence that contains "stores" is not a list of stores.
  if (things !== null && subject.length < 2) return false
  if (wanted === 'sum' || wanted === 'mean' || wanted === 'difference') return false
  if (wanted === 'extreme') return comparison !== null && own.has(stem(comparison.word.toLowerCase()))
  // "Which plugins": the sentence names plugins itself.
  if (/^(?:which|what)$/.test(questionWord) && asked.length > 0) {
    const noun = asked.filter((word) => subject.some((one) => one.stem === stem(word)))
    if (noun.length > 0 && !noun.some((word) => own.has(stem(word)))) return false
  }
  // Instructions are below a heading that announces them.
  const above = new Set(stemsOf(heading.split(' > ').at(-1) ?? ''))
  return !asksHow || subject.some((word) => hasWord(above, word))
}

/** Returns 1 for a sentence that begins with a word of the subject, less when it comes later. */
function earliness({ subject }: Question, sentence: string): number {
  const words = stemsOf(sentence).filter((word) => !isEmptyWord(word))
  const asked = new Set(subject.map((word) => word.stem))
  const first = words.findIndex((word) => asked.has(word))
  return first < 0 ? 0 : 1 - first / words.length
}

const COUNTED = /^how (?:many|much|long|old)$/
const MEASURED = /^how (?:far|big|large|high|heavy|fast|deep|wide|tall)$/

/** Whether a sentence contains the kind of value that the question word asks for: a name, a number, a time. */
function fitsQuestion({ questionWord }: Question, sentence: string): boolean {
  const measured = COUNTED.test(questionWord) ? NUMBER_WORD : MEASURED.test(questionWord) ? NUMBER : undefined
  const needed = FITS[questionWord] ?? measured
  return needed?.test(sentence) ?? true
}

/** Returns the passage whose headings and text contain most of the subject. Headings have more weight. */
export function pickSection(
  question: Question,
  passages: readonly { heading: string; place: string; text?: string; score: number }[],
) {
  const rated = passages.map((passage) => {
    // The section itself is preferred to its subsections.
    const own = passage.heading.split(' > ').at(-1) ?? ''
    const heading = coverage(question, new Set(stemsOf(own)))
    const all = coverage(question, new Set(stemsOf(`${passage.heading} ${passage.place} ${passage.text ?? ''}`)))
    return { passage, coverage: all, worth: all * 2 + heading + passage.score * 0.2 }
  })
  return rated.sort((one, other) => other.worth - one.worth)[0] ?? null
}

/** Whether a sentence consists of words of the question only, such as an entry of a table of contents. */
function isBare({ subject }: Question, sentence: string): boolean {
  const asked = new Set(subject.flatMap(({ stem: whole, parts }) => [whole, ...parts]))
  return wordsOf(sentence).every((word) => isEmptyWord(word) || asked.has(stem(word)))
}

const DEFINITION = /^(.{1,80}?)(?:\s+(?:is|are|means|stands for|refers to|denotes)\s|\s*[:—–]|\s+-\s)/

/** Matches "X is a …", unlike "X is fast". */
const KIND = /^.{1,80}?\s(?:is|are)\s(?:an?|the|one)\s/

/** Whether a sentence begins with the subject, followed by a definition. */
function definesSubject({ subject }: Question, sentence: string): boolean {
  const [, head = ''] = DEFINITION.exec(sentence) ?? []
  const words = head.match(/[\p{L}\p{M}\p{N}_]+/gu)?.filter((word) => !isEmptyWord(word.toLowerCase())) ?? []
  const stems = new Set(words.flatMap(stemsOf))
  const shared = subject.filter((word) => hasWord(stems, word)).length
  return shared * 2 > words.length
}
