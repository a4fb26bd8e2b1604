/**
 * @module
 * Chooses the sentence that matches the subject of a question best, among the found passages.
 */
import { placeText, readPlace } from '../place.ts'
import type { TextPassage } from '../tools.ts'
import { isEmptyWord, stem, stemsOf, wordsOf } from '../words.ts'
import { coverage, hasWord, missingWords, type Question } from './question.ts'
import { sentencesOf } from './sentences.ts'

/** A sentence and its place. */
export interface Sentence {
  text: string
  place: string
  heading: string
  /** The share of the question's subject in the sentence and the headings above it. */
  coverage: number
  /** The words of the subject that neither contains. */
  missing: string[]
  /** Whether it defines the subject: `X is …`, `X: …`. */
  defines: boolean
}

/** Returns the sentence with most of the subject; prefers definitions if one is requested. Null if no sentence shares a word. */
export function pickSentence(question: Question, passages: readonly TextPassage[]): Sentence | null {
  const sentences = passages.flatMap((passage) => sentencesOf(passage.text).map((one) => ({ ...one, passage })))
  const stemmed = sentences.map(({ text }) => new Set(stemsOf(text)))
  // Words that few sentences contain have more weight.
  const rarity = new Map(
    question.subject.map((word) => {
      const having = stemmed.filter((stems) => hasWord(stems, word)).length
      return [word, Math.log(1 + sentences.length / (1 + having))]
    }),
  )
  let best: Sentence | null = null
  let bestWorth = 0
  for (const [index, { text, line, isCode, passage }] of sentences.entries()) {
    const own = stemmed[index]!
    const above = new Set(stemsOf(passage.heading))
    let worth = 0
    for (const [word, weight] of rarity) worth += hasWord(own, word) ? weight : hasWord(above, word) ? weight * 0.6 : 0
    if (worth === 0) continue
    // A long sentence contains many words by chance.
    worth /= 1 + Math.max(0, text.length - 200) / 400
    const defines = definesSubject(question, text)
    if (isCode) worth *= 0.5
    if (isBare(question, text)) worth *= 0.3
    if (defines) worth *= question.wanted === 'definition' ? (KIND.test(text) ? 2.5 : 2) : 1.2
    worth += passage.score * 0.1
    if (worth <= bestWorth) continue
    bestWorth = worth
    const place = readPlace(passage.place)
    best = {
      text,
      place: place
        ? placeText({ file: place.file, line: place.line + line, endLine: place.line + line })
        : passage.place,
      heading: passage.heading,
      coverage: coverage(question, new Set([...own, ...above])),
      missing: missingWords(question, new Set([...own, ...above])),
      defines,
    }
  }
  return best
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
  return shared > 0 && shared * 2 >= words.length
}
