/**
 * @module
 * Decides the next turn of the stand-in: search, look into a table, or answer.
 */
import type { TableLookup } from '@x/retrieval/tables'
import type { SearchResult, TablePassage } from '../tools.ts'
import { isNamingWord } from '../words.ts'
import { answerFromTable } from './answer-from-table.ts'
import { closestPassages, type TextAnswer, textAnswer } from './answer-from-text.ts'
import { type Look, planLooks } from './plan.ts'
import { type Question, readQuestion } from './question.ts'
import type { Transcript } from './transcript.ts'
import { isUncertain, quotedSubject } from './wording.ts'

/** A turn of the model: a thought with a tool call or an answer. */
export type Turn =
  | { thought: string; tool: string; input: Record<string, unknown> }
  | { thought: string; answer: string }

/** The maximum number of lookups for one question. */
const MOST_LOOKS = 3

/** Returns the next turn for a transcript: first a search, then lookups in matching tables, then the answer. */
export function nextTurn({ tools, question: text, rounds }: Transcript): Turn {
  const search = tools.find((tool) => tool.arguments.includes('query'))
  const look = tools.find((tool) => tool.arguments.includes('table'))
  if (search === undefined) {
    return {
      thought: 'I can only quote what a search finds, and no tool searches.',
      answer: 'I cannot answer: there is no tool that searches the documents.',
    }
  }
  const searched = rounds.findLast(({ tool }) => tool === search.name)
  if (searched === undefined) {
    const question = readQuestion(text)
    const thought = `I look for passages about ${quotedSubject(question)}.`
    return { thought, tool: search.name, input: { query: queryFor(question) } }
  }
  const result = parse<SearchResult | SearchResult['passages']>(searched.observation)
  const { passages, spelling = {}, unknown = [] } = Array.isArray(result) ? { passages: result } : (result ?? {})
  if (!Array.isArray(passages))
    return { thought: 'The search failed.', answer: `The search failed: ${searched.observation}` }

  const question = readQuestion(respelt(text, spelling))
  const looked = look ? rounds.filter(({ tool }) => tool === look.name) : []
  const turn = decide(
    question,
    passages,
    unknown,
    looked.map(({ observation }) => parse<TableLookup>(observation)),
  )
  if ('answer' in turn) return { ...turn, answer: withSpelling(turn.answer, spelling) }
  return look
    ? { thought: turn.thought, tool: look.name, input: { ...turn.input } }
    : closestPassages(question, passages, unknown)
}

/** Returns the next lookup, or the answer. */
function decide(
  question: Question,
  passages: SearchResult['passages'],
  unknown: readonly string[],
  found: readonly (TableLookup | null)[],
): Look | { thought: string; answer: string } {
  const tables = passages.filter((passage): passage is TablePassage => 'table' in passage)
  const text = textAnswer(question, passages, unknown)
  const looks = planLooks(question, tables).filter(
    (look) => isCertain(question, look) && !isBetter(question, text, look),
  )
  let refusal: string | null = null
  for (const [index, table] of found.entries()) {
    const look = looks[index]
    if (look === undefined) break
    const answer = answerFromTable(question, look, table)
    if (answer !== null && !isUncertain(answer)) return { thought: 'The table has it.', answer }
    refusal ??= answer
  }
  const next = found.length < MOST_LOOKS ? looks[found.length] : undefined
  if (next) return next
  if (text?.isCertain) return text
  if (refusal !== null) return { thought: 'The table cannot answer it.', answer: refusal }
  return closestPassages(question, passages, unknown)
}

/** Whether a lookup would find everything that the question names. Words for the requested value may be missing if the cell is named. */
function isCertain({ asked }: Question, { missing, namesRow, namesColumn }: Look): boolean {
  const essential = missing.filter(
    ({ weight, text }) => weight >= 1 && !(namesRow && namesColumn && asked.includes(text.toLowerCase())),
  )
  return essential.length === 0
}

/** Whether a text answers better than a table. */
function isBetter({ wanted, things, asksHow }: Question, text: TextAnswer | null, look: Look): boolean {
  if (text === null || !text.isCertain) return false
  if (look.purpose !== 'cell' && look.purpose !== 'list' && look.purpose !== 'count') return false
  if (text.coverage !== look.coverage) return text.coverage > look.coverage
  if (text.isList) return asksHow || (things !== null && look.purpose !== 'list')
  if (wanted === 'definition' && text.defines) return true
  return look.purpose === 'cell' && look.input.column === undefined && (text.defines || !look.namesRow)
}

/** Returns the search query. It includes numbers and words such as "any", which may be names of rows. */
function queryFor({ subject, words: all, text }: Question): string {
  const names = all.filter((word) => isNamingWord(word) || /^\d+$/.test(word))
  const words = [...subject.map((word) => word.text), ...names]
  return [...new Set(words)].join(' ') || text
}

function respelt(text: string, spelling: Readonly<Record<string, string>>): string {
  return text.replace(/[\p{L}\p{M}\p{N}_]+/gu, (word) => (Object.hasOwn(spelling, word) ? spelling[word]! : word))
}

function withSpelling(answer: string, spelling: Readonly<Record<string, string>>): string {
  const read = Object.entries(spelling).map(([word, meant]) => `“${word}” as “${meant}”`)
  return read.length > 0 ? `${answer}\nI read ${read.join(' and ')}.` : answer
}

function parse<T>(json: string): T | null {
  try {
    return JSON.parse(json) as T
  } catch {
    return null
  }
}
