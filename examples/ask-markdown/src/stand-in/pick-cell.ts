/**
 * @module
 * Chooses the table, the row and the column that a question names, among the found tables.
 */
import { plainText } from '../plain-text.ts'
import type { TablePassage } from '../tools.ts'
import { findPhrase, isEmptyWord, isNamingWord, stem, stemsOf, wordsOf } from '../words.ts'
import { coverage, hasWord, type Question } from './question.ts'

/** A table with a row and a column. */
export interface CellChoice {
  table: TablePassage
  /** The text of a cell in the row, or `#2`; null if the question names no row. */
  row: string | null
  /** The name of the column, or `#2`; null if the question names no column. */
  column: string | null
  /** The share of the question's subject that table, row and column contain. */
  coverage: number
  /** The confidence that the question means this row and column. */
  certainty: number
  /** Whether the question contains the whole name of the row, in its first column. */
  namesRow: boolean
}

/** A name that occurs in the question. */
interface Mention {
  name: string
  column: number
  start: number
  end: number
  weight: number
}

/** A table with a column that the question names. */
export interface ColumnChoice {
  table: TablePassage
  column: string
  /** The number of the column. */
  index: number
  coverage: number
}

/** Returns the tables with a column that the question names in full, best first. */
export function pickColumns(question: Question, tables: readonly TablePassage[]): ColumnChoice[] {
  const choices = tables.flatMap((table) =>
    table.columns
      .flatMap((name, index) => mention(question.words, name, index, 1))
      .map(({ name, column }) => ({ table, column: name, index: column, coverage: coverageOf(question, table) })),
  )
  return choices.sort((one, other) => other.coverage - one.coverage || other.table.score - one.table.score)
}

/** Returns the best choice among the tables; null if the question does not seem to be about a table. */
export function pickCell(question: Question, tables: readonly TablePassage[]): CellChoice | null {
  const choices = tables.flatMap((table) => choicesIn(question, table))
  return choices.sort((one, other) => worth(other) - worth(one))[0] ?? null
}

/** A row that the question identifies by its content: "which package contains the document store" asks for the package. */
export interface RowChoice {
  table: TablePassage
  /** The cell that contains the words. */
  cell: string
  /** The requested column. */
  column: string
}

/** Returns the only row that contains all words of the question other than column names; null if there is none, or several. */
export function pickRowByContent(question: Question, tables: readonly TablePassage[]): RowChoice | null {
  const [asking, ...rest] = question.words
  if (asking !== 'which' && asking !== 'what') return null
  const found = tables.flatMap((table) => {
    const asked = table.columns.findIndex((name) => findPhrase(rest, wordsOf(plainText(name))) === 0)
    if (asked < 0) return []
    const inColumns = stems(...table.columns)
    const wanted = rest.filter((word) => !isEmptyWord(word) && !inColumns.has(stem(word)))
    if (wanted.length === 0) return []
    return table.rows.flatMap(({ cells }) => {
      const cell = cells.find(
        (text, index) => index !== asked && wanted.every((word) => stems(plainText(text)).has(stem(word))),
      )
      return cell === undefined ? [] : [{ table, cell, column: table.columns[asked]! }]
    })
  })
  return found.length === 1 ? found[0]! : null
}

/** Returns the table that matches the whole question best. */
export function pickTable(
  question: Question,
  tables: readonly TablePassage[],
): { table: TablePassage; coverage: number } | null {
  const rated = tables.map((table) => ({ table, coverage: coverageOf(question, table) }))
  return rated.sort((one, other) => other.coverage - one.coverage || other.table.score - one.table.score)[0] ?? null
}

/** The table whose section is called like the things that are asked for, or whose first column is; the rest of the subject is in its headings. */
export function pickList(question: Question, tables: readonly TablePassage[]): TablePassage | null {
  const { things, rowNumber, columnNumber } = question
  if (things === null || rowNumber !== null || columnNumber !== null) return null
  const lists = tables.filter(({ heading, columns }) => {
    const section = stems(heading.split(' > ').at(-1) ?? '')
    const isNamed = section.has(things) || stems(columns[0] ?? '').has(things)
    return isNamed && coverage(question, stems(heading, columns[0] ?? '')) === 1
  })
  const own = ({ heading }: TablePassage) => coverage(question, stems(heading.split(' > ').at(-1) ?? ''))
  return lists.sort((one, other) => own(other) - own(one) || other.score - one.score)[0] ?? null
}

/** Returns the share of the subject that a table contains. */
function coverageOf(question: Question, table: TablePassage): number {
  return coverage(question, stems(about(table), ...table.rows.flatMap(({ cells }) => cells)))
}

function worth({ coverage, certainty, table }: CellChoice): number {
  return coverage * 10 + certainty + table.score
}

function choicesIn(question: Question, table: TablePassage): CellChoice[] {
  const columns = mentionedColumns(question, table)
  const { rowNumber, columnNumber } = question
  const choices: CellChoice[] = []
  const choose = (row: Mention | null, column: Mention | null, cells: readonly string[]) => {
    // A name directly next to the name of its column is certain: "item 12".
    const neighbour =
      row && columns.find((one) => one.column === row.column && (one.end === row.start || row.end === one.start))
    choices.push({
      table,
      row: row?.name ?? rowNumber,
      column: column?.name ?? columnNumber,
      coverage: coverage(question, stems(about(table), ...cells)),
      namesRow: row !== null && row.column === 0 && row.start >= 0,
      certainty: (row?.weight ?? 0) + (column?.weight ?? 0) + (neighbour ? 1 : 0),
    })
  }
  for (const { cells } of table.rows) {
    for (const row of mentionedCells(question, columns, cells)) {
      const others = columns.filter((column) => column.column !== row.column && !overlap(column, row))
      choose(row, null, cells)
      for (const column of others) choose(row, column, cells)
    }
  }
  if (rowNumber !== null) for (const column of columns.length > 0 ? columns : [null]) choose(null, column, [])
  return choices
}

function mentionedColumns(question: Question, { columns }: TablePassage): Mention[] {
  const full = columns.flatMap((name, column) => mention(question.words, name, column, 1))
  return full.length > 0 ? full : columns.flatMap((name, column) => partialMention(question, name, column, 0.5))
}

/** Returns the cells of a row that the question names in full; otherwise those of which it contains most words. */
function mentionedCells(question: Question, columns: readonly Mention[], cells: readonly string[]): Mention[] {
  const full = cells.flatMap((name, column) => {
    // The 3 of "row 3" may be the name of a row, but no other cell.
    if (question.rowNumber !== null && column > 0 && !/\p{L}/u.test(name)) return []
    return mention(question.words, name, column, column === 0 ? 1.2 : 1)
  })
  if (full.length > 0 || question.rowNumber !== null) return full
  // Other columns contain longer texts, which share words by chance.
  const partial = cells.flatMap((name, column) => partialMention(question, name, column, column === 0 ? 0.5 : 0.75))
  return partial.length > 0 ? partial : explainingCell(question, columns, cells[0] ?? '')
}

/** Returns the first cell of a row if it contains all words that the columns do not. */
function explainingCell({ subject }: Question, columns: readonly Mention[], name: string): Mention[] {
  const inColumns = stems(...columns.map((column) => column.name))
  const rest = subject.filter((word) => !hasWord(inColumns, word))
  const own = stems(plainText(name))
  const explains = rest.length > 0 && rest.every((word) => hasWord(own, word))
  return explains ? [{ name, column: 0, start: -1, end: -1, weight: rest.length * 0.5 }] : []
}

/** Returns a mention if the question contains enough words of a name: 0.5 is half of them. */
function partialMention({ subject }: Question, name: string, column: number, enough: number): Mention[] {
  const asked = new Set(subject.flatMap(({ stem: whole, parts }) => [whole, ...parts]))
  const own = wordsOf(plainText(name)).filter((word) => !isEmptyWord(word))
  const shared = own.filter((word) => asked.has(stem(word))).length
  const share = shared / own.length
  return own.length > 0 && share >= enough ? [{ name, column, start: -1, end: -1, weight: share * shared * 0.5 }] : []
}

/** Finds a name as consecutive words of the question. Longer names have more weight. */
function mention(words: readonly string[], name: string, column: number, factor: number): Mention[] {
  const own = wordsOf(plainText(name))
  const start = findPhrase(words, own)
  if (start < 0) return []
  // Of several names the first one is requested: "the size of the package".
  const weight = own.every(isEmptyWord) ? (own.every(isNamingWord) ? 0.4 : 0.1) : own.length * factor - start * 0.001
  return [{ name, column, start, end: start + own.length, weight }]
}

function overlap(one: Mention, other: Mention): boolean {
  return one.start < other.end && other.start < one.end
}

/** Returns the place, the heading and the columns of a table as text. */
function about({ place, heading, columns }: TablePassage): string {
  return [place, heading, ...columns].join(' ')
}

function stems(...strings: string[]): Set<string> {
  return new Set(strings.flatMap(stemsOf))
}
