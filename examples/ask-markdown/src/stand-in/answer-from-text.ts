/**
 * @module
 * Answers by quoting a passage, or shows the closest ones.
 */
import type { TablePassage, TextPassage } from '../tools.ts'
import { stemsOf } from '../words.ts'
import { wholeRow } from './answer-from-table.ts'
import { pickListInText } from './pick-list.ts'
import { pickSection, pickSentences } from './pick-sentence.ts'
import { coverage, ENOUGH, type Question, type SubjectWord } from './question.ts'
import { listed, quotedSubject, shortened } from './wording.ts'

type Passages = readonly (TextPassage | TablePassage)[]

/** An answer that quotes a text. */
export interface TextAnswer {
  thought: string
  answer: string
  /** The share of the question's subject in the quote and the headings above it. */
  coverage: number
  /** Whether the quote contains everything that the question names. */
  isCertain: boolean
  isList: boolean
  /** Whether the sentence above a list contains the whole subject. */
  isAnnounced?: boolean
  defines: boolean
}

/** The minimum share of the subject in a certain answer. Words that no document contains must not be missing in it. */
const CERTAIN = 0.75
/** The maximum number of passages shown when none is certain. */
const SHOWN = 4

/** Returns the best quote; null if no passage shares enough with the question. */
export function textAnswer(question: Question, passages: Passages, unknown: readonly string[]): TextAnswer | null {
  const texts = passages.filter(isText)
  switch (question.wanted) {
    case 'row count':
    case 'column names':
      return null
    case 'section':
      return sectionAnswer(question, passages)
    default: {
      const list = listAnswer(question, texts, unknown)
      const sentence = sentenceAnswer(question, texts, unknown)
      const isAnnounced = list?.isAnnounced && /^(?:what|which)$/.test(question.questionWord)
      const prefersList = question.asksHow || question.things !== null || isAnnounced
      const atLeast = sentence?.isCertain ? sentence.coverage : 0
      return prefersList && list?.isCertain && list.coverage >= atLeast ? list : sentence
    }
  }
}

/** Returns a text with the closest passages, or with the statement that nothing was found. */
export function closestPassages(
  question: Question,
  passages: Passages,
  unknown: readonly string[],
): { thought: string; answer: string } {
  const thought = 'Nothing that was found has enough of what the question names.'
  const noTable = question.wanted === 'row count' || question.wanted === 'column names'
  const rows = passages.filter((one): one is TablePassage => 'table' in one).flatMap(closestRows(question))
  const sentences = pickSentences(question, passages.filter(isText)).map(({ text, place, coverage, isCode }) => ({
    text: `“${shortened(text)}” (${place})`,
    share: coverage * (isCode ? 0.5 : 1),
  }))
  const closest = [...(noTable ? [] : sentences.slice(0, SHOWN)), ...rows]
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share)
    .slice(0, SHOWN)
  if (closest.length === 0) {
    const what = noTable ? 'I found no table' : 'I found nothing'
    return { thought, answer: `${what} about ${quotedSubject(question)} in these documents.` }
  }
  const nowhere = unknown.length > 0 ? [`No document contains ${listed(unknown)}.`] : []
  const first = noTable ? 'I found no table that fits for certain' : 'No passage answers this for certain'
  return {
    thought,
    answer: [`${first}. The closest:`, ...closest.map(({ text }) => `- ${text}`), ...nowhere].join('\n'),
  }
}

/** Returns the rows of a table that match, or the table as a whole, with the share of the subject that they contain. */
function closestRows(question: Question): (table: TablePassage) => { text: string; share: number }[] {
  return ({ place, heading, columns, rows, matched }) => {
    const share = (...cells: string[]) =>
      coverage(question, new Set([place, heading, ...columns, ...cells].flatMap(stemsOf)))
    if (!matched) return [{ text: `a table with the columns ${listed(columns)} (${place})`, share: share() }]
    return rows.slice(0, 2).map((row) => ({ text: wholeRow(columns, row), share: share(...row.cells) }))
  }
}

/** Whether a passage is a text, not a table. */
function isText(passage: TextPassage | TablePassage): passage is TextPassage {
  return 'text' in passage
}

function sectionAnswer(question: Question, passages: Passages): TextAnswer | null {
  const section = pickSection(question, passages)
  if (section === null || section.coverage < ENOUGH) return null
  const { heading, place } = section.passage
  const name = heading ? `The section “${heading}” (${place})` : `The text before the first heading (${place})`
  const inSection = passages.filter(isText).filter((one) => one.heading === heading)
  const sentence = pickSentences(question, inSection)[0]
  const quote = sentence ? `: “${shortened(sentence.text)}” (${sentence.place})` : ''
  return {
    thought: 'One section has what the question names.',
    answer: `${name} speaks of it${quote}.`,
    coverage: section.coverage,
    isCertain: true,
    isList: false,
    defines: false,
  }
}

function listAnswer(question: Question, texts: readonly TextPassage[], unknown: readonly string[]): TextAnswer | null {
  const found = pickListInText(question, texts)
  if (found === null) return null
  const { list, coverage, missing, isAnnounced } = found
  const name = list.lead ? `“${list.lead}”` : list.heading ? `“${list.heading}”` : 'A list'
  const items = list.items.map(
    ({ text, place }, index) => `${list.isOrdered ? `${index + 1}.` : '-'} ${text} (${place})`,
  )
  return {
    thought: 'A list has what the question names.',
    answer: [`${name} (${list.place}):`, ...items].join('\n'),
    coverage,
    isCertain: coverage >= CERTAIN && missing.every((word) => isMinor(word, unknown, question)),
    isList: true,
    isAnnounced,
    defines: false,
  }
}

function sentenceAnswer(
  question: Question,
  texts: readonly TextPassage[],
  unknown: readonly string[],
): TextAnswer | null {
  const sentence = pickSentences(question, texts)[0]
  if (sentence === undefined || sentence.coverage < ENOUGH) return null
  const { text, place, missing, coverage, defines, answers } = sentence
  const caveat = missing.length > 0 ? `\nIt does not mention ${listed(missing.map((word) => word.text))}.` : ''
  return {
    thought: 'One sentence has most of what the question names.',
    answer: `“${shortened(text)}” (${place})${caveat}`,
    coverage,
    isCertain: answers && coverage >= CERTAIN && missing.every((word) => isMinor(word, unknown, question)),
    isList: false,
    defines,
  }
}

/** In a question with at least this many words, a certain answer may lack one of them if the documents contain it elsewhere. */
const LONG = 5

/** Whether a word may be missing: a number, a word for a kind of thing, or one of many words. */
function isMinor({ text, weight }: SubjectWord, unknown: readonly string[], { isYesNo, subject }: Question): boolean {
  return weight < 1 || NUMBERS.test(text) || (subject.length >= LONG && !isYesNo && !unknown.includes(text))
}

const NUMBERS = /^(?:\d.*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/i
