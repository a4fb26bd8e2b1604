/**
 * @module
 * Answers by quoting a passage, or states that nothing was found.
 */
import type { TablePassage, TextPassage } from '../tools.ts'
import type { Turn } from './next-turn.ts'
import { pickSection, pickSentence } from './pick-sentence.ts'
import { ENOUGH, type Question } from './question.ts'
import { listed, quotedSubject, shortened } from './wording.ts'

type Passages = readonly (TextPassage | TablePassage)[]

/** Answers with a section or a sentence if it contains enough of the subject. */
export function answerFromText(question: Question, passages: Passages): Turn {
  const { wanted } = question
  if (wanted === 'row count' || wanted === 'column names') return nothing('I found no table', question)
  const found = wanted === 'section' ? sectionAnswer(question, passages) : sentenceAnswer(question, passages)
  return found ?? nothing('I found nothing', question)
}

/** Whether a passage is a text, not a table. */
export function isText(passage: TextPassage | TablePassage): passage is TextPassage {
  return 'text' in passage
}

function sectionAnswer(question: Question, passages: Passages): Turn | null {
  const section = pickSection(question, passages)
  if (section === null || section.coverage < ENOUGH) return null
  const { heading, place } = section.passage
  const name = heading ? `The section “${heading}” (${place})` : `The text before the first heading (${place})`
  const inSection = passages.filter(isText).filter((one) => one.heading === heading)
  const sentence = pickSentence(question, inSection)
  const quote = sentence ? `: “${shortened(sentence.text)}” (${sentence.place})` : ''
  return { thought: 'One section has what the question names.', answer: `${name} speaks of it${quote}.` }
}

function sentenceAnswer(question: Question, passages: Passages): Turn | null {
  const sentence = pickSentence(question, passages.filter(isText))
  if (sentence === null || sentence.coverage < ENOUGH) return null
  const { text, place, missing } = sentence
  const caveat = missing.length > 0 ? `\nIt does not mention ${listed(missing)}.` : ''
  return {
    thought: 'One sentence has most of what the question names.',
    answer: `“${shortened(text)}” (${place})${caveat}`,
  }
}

function nothing(what: string, question: Question): Turn {
  return {
    thought: 'Nothing that was found has enough of what the question names.',
    answer: `${what} about ${quotedSubject(question)} in these documents.`,
  }
}
