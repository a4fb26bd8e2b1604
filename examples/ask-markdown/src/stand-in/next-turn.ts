/**
 * @module
 * Decides the next turn of the stand-in: search, look into a table, or answer.
 */
import { plainText } from '../plain-text.ts'
import type { TableLookup, TablePassage, TextPassage } from '../tools.ts'
import { isNamingWord } from '../words.ts'
import { answerFromTable } from './answer-from-table.ts'
import { answerFromText, isText } from './answer-from-text.ts'
import { pickCell, pickColumns, pickList, pickRowByContent, pickTable } from './pick-cell.ts'
import { pickSentence } from './pick-sentence.ts'
import { ENOUGH, type Question, readQuestion } from './question.ts'
import type { Transcript } from './transcript.ts'
import { quotedSubject } from './wording.ts'

/** A turn of the model: a thought with a tool call or an answer. */
export type Turn =
  | { thought: string; tool: string; input: Record<string, unknown> }
  | { thought: string; answer: string }

/** A table lookup that may answer the question. */
interface Look {
  thought: string
  input: { table: string; row?: string; column?: string }
}

/** Returns the next turn for a transcript: first a search, then a lookup in a matching table, then the answer. */
export function nextTurn({ tools, question: text, rounds }: Transcript): Turn {
  const question = readQuestion(text)
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
    const thought = `I look for passages about ${quotedSubject(question)}.`
    return { thought, tool: search.name, input: { query: queryFor(question) } }
  }
  const passages = parse<(TextPassage | TablePassage)[]>(searched.observation)
  if (!Array.isArray(passages))
    return { thought: 'The search failed.', answer: `The search failed: ${searched.observation}` }

  const looked = rounds.findLast(({ tool }) => tool === look?.name)
  if (looked !== undefined) {
    const answer = answerFromTable(question, looked.input, parse<TableLookup>(looked.observation))
    return answer === null ? answerFromText(question, passages) : { thought: 'The table has it.', answer }
  }
  const wanted = look && lookFor(question, passages)
  return wanted
    ? { thought: wanted.thought, tool: look.name, input: { ...wanted.input } }
    : answerFromText(question, passages)
}

/** Returns the search query. It includes numbers and words such as "any", which may be names of rows. */
function queryFor({ subject, words: all, text }: Question): string {
  const names = all.filter((word) => isNamingWord(word) || /^\d+$/.test(word))
  const words = [...subject.map((word) => word.text), ...names]
  return [...new Set(words)].join(' ') || text
}

/** Returns the lookup in one of the found tables; null if the question is not about a table. */
function lookFor(question: Question, passages: readonly (TextPassage | TablePassage)[]): Look | null {
  const tables = passages.filter((passage): passage is TablePassage => 'table' in passage)
  const byContent = rowByContent(question, tables)
  if (byContent !== null) return byContent
  switch (question.wanted) {
    case 'section':
      return null
    case 'row count':
    case 'column names':
      return wholeTable(question, tables)
    case 'count':
      return listOfThings(question, tables) ?? cell(question, tables, passages.filter(isText))
    case 'extreme':
      return wholeColumn(question, tables) ?? cell(question, tables, passages.filter(isText))
    default:
      return tableOfThings(question, tables) ?? cell(question, tables, passages.filter(isText))
  }
}

function rowByContent(question: Question, tables: readonly TablePassage[]): Look | null {
  const choice = pickRowByContent(question, tables)
  if (choice === null) return null
  const row = plainText(choice.cell)
  const column = plainText(choice.column)
  return {
    thought: `The table at ${choice.table.place} has a row with “${row}”; asked for is its “${column}”.`,
    input: { table: choice.table.table, row, column },
  }
}

function wholeTable(question: Question, tables: readonly TablePassage[]): Look | null {
  const picked = pickTable(question, tables)
  if (picked === null || (picked.coverage < ENOUGH && tables.length > 1)) return null
  return { thought: 'The question is about a table as a whole.', input: { table: picked.table.table } }
}

/** "How many packages" asks for the number of rows of a table whose first column is called "package". */
function listOfThings(question: Question, tables: readonly TablePassage[]): Look | null {
  const list = pickColumns(question, tables).find(({ index }) => index === 0)
  if (list === undefined || list.coverage < ENOUGH) return null
  return { thought: `A table has a row for each “${list.column}”.`, input: { table: list.table.table } }
}

/** The table that lists what is asked for: "Which fields does X have?" is the table of a section "Fields of X". */
function tableOfThings(question: Question, tables: readonly TablePassage[]): Look | null {
  const list = pickList(question, tables)
  if (list === null) return null
  return { thought: `The table at ${list.place} lists them.`, input: { table: list.table } }
}

function wholeColumn(question: Question, tables: readonly TablePassage[]): Look | null {
  const choice = pickColumns(question, tables).find(({ index }) => index > 0)
  if (choice === undefined || choice.coverage < ENOUGH) return null
  const column = plainText(choice.column)
  return {
    thought: `The answer is in the numbers of the column “${column}”.`,
    input: { table: choice.table.table, column },
  }
}

/** Returns the lookup of a cell or a row, unless a sentence contains as much of the subject. */
function cell(question: Question, tables: readonly TablePassage[], texts: readonly TextPassage[]): Look | null {
  const choice = pickCell(question, tables)
  if (choice === null) return null
  const { table, namesRow, coverage } = choice
  // A row that the question names in full is relevant, even if it does not contain all words.
  if (coverage < (namesRow ? 0.5 : ENOUGH)) return null
  const row = choice.row && plainText(choice.row)
  const column = choice.column && plainText(choice.column)
  // Without a column the whole row is the answer, so the row must be certain.
  if (column === null && !namesRow && coverage < 1) return null
  const sentence = pickSentence(question, texts)
  if (sentence?.defines && question.wanted === 'definition' && sentence.coverage >= coverage) return null
  if (sentence !== null && sentence.coverage > coverage) return null
  if (sentence !== null && column === null && sentence.coverage === coverage && (sentence.defines || !namesRow))
    return null
  const names = [...(column ? [`a column “${column}”`] : []), ...(row ? [`a row “${row}”`] : [])]
  return {
    thought: `The table at ${table.place} has ${names.join(' and ')}.`,
    input: { table: table.table, ...(row !== null && { row }), ...(column !== null && { column }) },
  }
}

function parse<T>(json: string): T | null {
  try {
    return JSON.parse(json) as T
  } catch {
    return null
  }
}
