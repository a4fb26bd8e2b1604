/**
 * @module
 * What the stand-in does next: search, look into a table, or answer with what it found.
 */
import type { TableLookup, TablePassage, TextPassage } from '../tools.ts'
import { pickCell, pickTable } from './pick-cell.ts'
import { pickSection, pickSentence } from './pick-sentence.ts'
import { type Question, readQuestion } from './question.ts'
import type { OfferedTool, Transcript } from './transcript.ts'

/** A thought, with a tool call or an answer. */
export type Move =
  | { thought: string; tool: string; input: Record<string, unknown> }
  | { thought: string; answer: string }

/** The part of the subject that a text or a table must have to count as an answer. */
const ENOUGH = 0.6
/** Longer sentences are cut. */
const LONGEST_QUOTE = 400

/** Decides by the transcript alone. */
export function nextMove({ tools, question: text, rounds }: Transcript): Move {
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
    const numbers = question.text.match(/\b\d+\b/g) ?? []
    const query = [...new Set([...question.subject.map((word) => word.text), ...numbers])].join(' ') || text
    return { thought: `I look for passages about ${quoted(question)}.`, tool: search.name, input: { query } }
  }
  const passages = parse<(TextPassage | TablePassage)[]>(searched.observation)
  if (!Array.isArray(passages))
    return { thought: 'The search failed.', answer: `The search failed: ${searched.observation}` }

  const looked = look && rounds.findLast(({ tool }) => tool === look.name)
  if (looked === undefined) {
    const move = look && lookMove(question, passages, look)
    if (move) return move
  } else {
    const answer = answerFromTable(question, parse<TableLookup>(looked.observation))
    if (answer) return { thought: 'The table has it.', answer }
  }
  return answerFromText(question, passages)
}

/** A look into a table, when the question is about one of those that were found. */
function lookMove(
  question: Question,
  passages: readonly (TextPassage | TablePassage)[],
  tool: OfferedTool,
): Move | null {
  const tables = passages.filter(isTable)
  const texts = passages.filter(isText)
  if (question.wanted === 'row count' || question.wanted === 'column names') {
    const picked = pickTable(question, tables)
    if (picked === null || (picked.coverage < ENOUGH && tables.length > 1)) return null
    const { table } = picked.table
    return { thought: 'The question is about a table as a whole.', tool: tool.name, input: { table } }
  }
  if (question.wanted === 'section') return null
  const choice = pickCell(question, tables)
  if (choice === null || choice.coverage < ENOUGH) return null
  // Without a column the whole row is the answer, so the row must be the right one.
  if (choice.column === null && !choice.namesRow && choice.coverage < 1) return null
  const sentence = pickSentence(question, texts)
  const textIsBetter =
    sentence !== null &&
    (sentence.coverage > choice.coverage ||
      (choice.column === null && sentence.coverage >= choice.coverage && (sentence.defines || !choice.namesRow)))
  if (textIsBetter) return null
  const { table, row, column } = choice
  return {
    thought: `The table at ${table.place} has ${[column && `a column “${column}”`, row && `a row “${row}”`].filter(Boolean).join(' and ')}.`,
    tool: tool.name,
    input: { table: table.table, ...(row !== null && { row }), ...(column !== null && { column }) },
  }
}

function answerFromTable(question: Question, found: TableLookup | null): string | null {
  if (found === null || !Array.isArray(found.rows)) return null
  const where = `the table${found.heading ? ` in section “${found.heading}”` : ''} (${found.place})`
  if (question.wanted === 'column names')
    return `${capital(where)} has ${found.columns.length} columns: ${listed(found.columns)}.`
  if (question.wanted === 'row count') {
    return /column/i.test(question.text)
      ? `${capital(where)} has ${found.columns.length} columns.`
      : `${capital(where)} has ${found.rowCount} rows, not counting the header.`
  }
  if (found.rows.length === 0) return null
  const lines = found.rows.map(({ cells, value, place }) =>
    value === undefined
      ? `${found.columns.map((column, index) => `${column || `column ${index + 1}`}: ${shown(cells[index])}`).join('; ')} (${place})`
      : `${shown(value)} (${place}${found.rows.length > 1 ? `, row “${cells[0]}”` : ''})`,
  )
  const [first] = lines
  const note = found.note ? ` ${found.note}` : ''
  if (lines.length > 1) {
    const what = found.column === undefined ? 'These rows match' : `“${found.column}” in the rows that match`
    return `${what}:\n${lines.map((line) => `- ${line}`).join('\n')}${note}`
  }
  return found.column === undefined
    ? `The row says: ${first}.${note}`
    : `${first}: column “${found.column}”, row “${found.rows[0]!.cells[0]}”${found.heading ? `, section “${found.heading}”` : ''}.${note}`
}

function answerFromText(question: Question, passages: readonly (TextPassage | TablePassage)[]): Move {
  if (question.wanted === 'row count' || question.wanted === 'column names') {
    return {
      thought: 'No table that was found has enough of what the question names.',
      answer: `I found no table about ${quoted(question)} in these documents.`,
    }
  }
  if (question.wanted === 'section') {
    const section = pickSection(question, passages)
    if (section && section.coverage >= ENOUGH) {
      const { heading, place } = section.passage
      const sentence = pickSentence(
        question,
        passages.filter(isText).filter((one) => one.heading === heading),
      )
      const name = heading ? `The section “${heading}” (${place})` : `The text before the first heading (${place})`
      return {
        thought: 'One section has what the question names.',
        answer: `${name} speaks of it${sentence ? `: “${shortened(sentence.text)}” (${sentence.place})` : ''}.`,
      }
    }
  } else {
    const sentence = pickSentence(question, passages.filter(isText))
    if (sentence && sentence.coverage >= ENOUGH) {
      const { text, place, missing } = sentence
      const caveat = missing.length > 0 ? `\nIt does not mention ${listed(missing)}.` : ''
      return {
        thought: 'One sentence has most of what the question names.',
        answer: `“${shortened(text)}” (${place})${caveat}`,
      }
    }
  }
  return {
    thought: 'Nothing that was found has enough of what the question names.',
    answer: `I found nothing about ${quoted(question)} in these documents.`,
  }
}

function isTable(passage: TextPassage | TablePassage): passage is TablePassage {
  return 'table' in passage
}

function isText(passage: TextPassage | TablePassage): passage is TextPassage {
  return 'text' in passage
}

function quoted({ subject, text }: Question): string {
  return listed(subject.length > 0 ? subject.map((word) => word.text) : [text])
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => `“${text}”`).join(', ')
}

function shown(cell: string | undefined): string {
  return cell || '(empty)'
}

function shortened(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE).replace(/\s+\S*$/, '')} …` : text
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function parse<T>(json: string): T | null {
  try {
    return JSON.parse(json) as T
  } catch {
    return null
  }
}
