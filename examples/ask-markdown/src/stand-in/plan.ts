/**
 * @module
 * Plans the lookups in tables.
 */
import { findPhrase, plainText, readQuantity, type TableCondition, type TableLookupRequest } from '@x/retrieval/tables'
import type { TablePassage } from '../tools.ts'
import { isEmptyWord, stem, stemsOf, wordsOf } from '../words.ts'
import { columnsFor, SPEED } from './lexicon.ts'
import {
  aboutCoverage,
  columnName,
  columnsOfWord,
  hintWords,
  isFlag,
  matchTable,
  numberColumns,
  type TableMatch,
} from './match-table.ts'
import { type Bound, coverage, ENOUGH, type Question, type SubjectWord } from './question.ts'

/** The purpose of a lookup. */
export type Purpose =
  | 'cell'
  | 'rows'
  | 'list'
  | 'row count'
  | 'column names'
  | 'count'
  | 'sum'
  | 'mean'
  | 'extreme'
  | 'comparison'
  | 'difference'

/** A lookup that may answer the question. */
export interface Look {
  purpose: Purpose
  thought: string
  /** The place of the table. */
  place: string
  input: TableLookupRequest & { table: string }
  /** The words of the subject that neither the table nor the row contains. */
  missing: SubjectWord[]
  coverage: number
  certainty: number
  namesRow: boolean
  namesColumn: boolean
  /** The places of other tables that list the same things. */
  others?: string[]
  /** The wanted end of the order: 1 for the largest, -1 for the smallest. */
  sign: 1 | -1
}

/** Returns the lookups that may answer a question, best first. */
export function planLooks(question: Question, tables: readonly TablePassage[]): Look[] {
  if (question.wanted === 'section') return []
  const looks = tables.flatMap((table) => looksInto(question, matchTable(question, table)))
  const content = rowByContent(question, tables)
  const lists = looks.filter(({ purpose }) => purpose === 'list')
  const scores = new Map(tables.map(({ table, score }) => [table, score]))
  const worth = (look: Look) => look.coverage * 10 + look.certainty + (scores.get(look.input.table) ?? 0)
  const best = [...content, ...looks.sort((one, other) => worth(other) - worth(one))]
  return best.map((look) => (look.purpose === 'list' ? { ...look, others: othersOf(look, lists) } : look))
}

/** Returns the places of the other tables that fit as well. */
function othersOf(look: Look, lists: readonly Look[]): string[] {
  const same = lists.filter((one) => one.input.table !== look.input.table && one.certainty >= look.certainty)
  return same.map(({ place }) => place)
}

function looksInto(question: Question, match: TableMatch): Look[] {
  const { wanted } = question
  if (wanted === 'row count' || wanted === 'column names') return wholeTable(question, match, wanted)
  if (wanted === 'difference' || isComparison(question, match)) return comparisonLook(question, match)
  if (wanted === 'extreme') return extremeLook(question, match)
  if (question.bounds.length > 0) return boundLook(question, match)
  if (wanted === 'sum' || wanted === 'mean') return totalLook(question, match, wanted)
  if (wanted === 'count') return [...countLook(question, match), ...cellLook(question, match)]
  return [...listLook(question, match), ...cellLook(question, match)]
}

function look(
  match: TableMatch,
  purpose: Purpose,
  thought: string,
  input: TableLookupRequest,
  more: Partial<Look> = {},
): Look {
  const { table, missing, coverage, certainty, namesRow, namesColumn } = match
  return {
    purpose,
    thought,
    place: table.place,
    input: { table: table.table, ...(match.where.length > 0 && { where: match.where }), ...input },
    ...{ missing, coverage, certainty, namesRow, namesColumn, sign: 1 },
    ...more,
  }
}

/** Marks words of a question as found: those of the headings, the columns and the conditions. */
function withoutRows(question: Question, match: TableMatch, ...found: string[]): Pick<Look, 'missing' | 'coverage'> {
  const names = match.where.flatMap(({ value, column }) => [...[value].flat(), column])
  const stems = new Set(
    [match.table.place, match.table.heading, ...match.table.columns, ...names, ...found].flatMap(stemsOf),
  )
  return { coverage: coverage(question, stems), missing: question.subject.filter((word) => !has(stems, word)) }
}

function has(stems: ReadonlySet<string>, { stem: whole, parts }: SubjectWord): boolean {
  return stems.has(whole) || (parts.length > 0 && parts.every((part) => stems.has(part)))
}

function wholeTable(question: Question, match: TableMatch, purpose: 'row count' | 'column names'): Look[] {
  const cells = match.table.rows.flatMap(({ cells }) => cells)
  const found = withoutRows(question, match, ...cells)
  return [look({ ...match, where: [] }, purpose, 'The question is about a table as a whole.', {}, found)]
}

function isComparison({ comparison }: Question, { where }: TableMatch): boolean {
  return comparison !== null && where.some(({ value }) => Array.isArray(value))
}

/** Two rows side by side: "Which is faster, A or B?" */
function comparisonLook(question: Question, match: TableMatch): Look[] {
  const names = match.where.find(({ value }) => Array.isArray(value))
  const { comparison } = question
  if (names === undefined) return []
  const column = valueColumn(question, match)
  if (column === null) return []
  const name = columnName(match.table.columns, column)
  const found = withoutRows(question, match, ...hintWords(question, match.table, column))
  const thought = `The table at ${match.table.place} has both, and a column “${name}”.`
  const purpose = question.wanted === 'difference' ? 'difference' : 'comparison'
  return [
    look(
      match,
      purpose,
      thought,
      { column: name },
      { ...found, sign: signFor(comparison?.sign ?? 1, comparison?.word ?? '', name) },
    ),
  ]
}

function extremeLook(question: Question, match: TableMatch): Look[] {
  const column = valueColumn(question, match)
  const { comparison, text } = question
  if (column === null || comparison === null) return []
  const { table } = match
  const name = columnName(table.columns, column)
  const asked = /^(?:which|what|who)\b/i.test(text.trim()) ? rowNouns(question, table) : []
  const found = withoutRows(question, match, ...hintWords(question, table, column), ...asked)
  const sign = signFor(comparison.sign, comparison.word, name)
  const thought = `The answer is in the column “${name}” of the table at ${table.place}.`
  return [
    look(
      match,
      'extreme',
      thought,
      { column: name, sort_by: name, descending: sign > 0, limit: 10 },
      { ...found, sign },
    ),
  ]
}

/** The fastest has the shortest time, and the highest speed. */
function signFor(sign: 1 | -1, word: string, column: string): 1 | -1 {
  return /^(?:fast|slow|quick)/i.test(word) && SPEED.test(column) ? (-sign as 1 | -1) : sign
}

/** Returns the column whose values are compared. */
function valueColumn(question: Question, { table, named, where }: TableMatch): number | null {
  const conditions = new Set(where.map(({ column }) => column))
  const isFree = (index: number) =>
    index > 0 && !conditions.has(columnName(table.columns, index)) && !isFlag(table, index)
  const explicit = named.filter(isFree)
  if (explicit.length > 0) return explicit[0]!
  const { comparison, text } = question
  const hinted = comparison ? columnsOfWord(comparison.word, table).filter(isFree) : []
  if (hinted.length > 0) return hinted[0]!
  const byVerb = (text.match(/\p{L}+/gu) ?? []).flatMap((word) => columnsOfWord(word, table)).filter(isFree)
  if (byVerb.length > 0) return byVerb[0]!
  const numbers = numberColumns(table).filter(isFree)
  const isGeneral = comparison !== null && columnsFor(comparison.word).size === 0
  return isGeneral && numbers.length === 1 ? numbers[0]! : null
}

/** Returns the asked noun if it is the name of the rows: the first column, or the last heading. */
function rowNouns({ asked }: Question, { columns, heading }: TablePassage): string[] {
  const names = new Set([...stemsOf(plainText(columns[0] ?? '')), ...stemsOf(heading)])
  return asked.filter((word) => names.has(stem(word)))
}

/** Rows whose numbers are above or below a bound. */
function boundLook(question: Question, match: TableMatch): Look[] {
  const { table } = match
  const columns = question.bounds.map((bound) => boundColumn(bound, question, match))
  if (columns.some((column) => column === null)) return []
  const bounds = question.bounds.map(
    ({ is, value }, index): TableCondition => ({ column: columnName(table.columns, columns[index]!), is, value }),
  )
  const words = columns.flatMap((column) => hintWords(question, table, column!))
  const found = withoutRows(question, match, ...words)
  const isCount = question.wanted === 'count'
  const names = bounds.map(({ column }) => `“${column}”`).join(' and ')
  return [
    look(
      match,
      isCount ? 'count' : 'rows',
      `The table at ${table.place} has a column ${names}.`,
      { where: [...match.where, ...bounds] },
      found,
    ),
  ]
}

function boundColumn({ value, after, before }: Bound, question: Question, { table, named }: TableMatch): number | null {
  const usable = numberColumns(table)
  const byWords = (words: readonly string[]) =>
    usable.find((index) => {
      const name = wordsOf(plainText(table.columns[index]!)).map(stem)
      return words.some((word) => name.includes(stem(word)) || name.some((one) => columnsFor(word).has(one)))
    })
  const dimension = readQuantity(value)?.dimension ?? ''
  const sameUnit = (index: number) =>
    table.rows.some(({ cells }) => readQuantity(cells[index] ?? '')?.dimension === dimension)
  const byUnit = dimension === '' ? [] : usable.filter(sameUnit)
  const words = byWords(after) ?? byWords(before) ?? byWords(question.text.match(/\p{L}+/gu) ?? [])
  return words ?? named.find((index) => usable.includes(index)) ?? (byUnit.length === 1 ? byUnit[0]! : null)
}

function totalLook(question: Question, match: TableMatch, purpose: 'sum' | 'mean'): Look[] {
  const { table } = match
  const asked = new Set(question.asked.map(stem))
  const usable = numberColumns(table)
  const isAsked = (index: number) => stemsOf(plainText(table.columns[index]!)).some((word) => asked.has(word))
  const column =
    match.named.find((index) => usable.includes(index)) ??
    usable.find(isAsked) ??
    (match.column !== null && usable.includes(match.column) ? match.column : undefined) ??
    match.named.find((index) => index > 0)
  if (column === undefined) return question.wanted === 'sum' ? countLook(question, match) : []
  const name = columnName(table.columns, column)
  const found = withoutRows(question, match, ...hintWords(question, table, column))
  return [
    look(
      match,
      purpose,
      `The numbers are in the column “${name}” of the table at ${table.place}.`,
      { column: name, limit: 1 },
      found,
    ),
  ]
}

/** "How many packages" asks for the number of rows of a table whose first column or heading is called "package". */
function countLook(question: Question, match: TableMatch): Look[] {
  const { table } = match
  if (match.namesRow) return []
  const nouns = rowNouns(question, table)
  const values = match.where.flatMap(({ value }) => value)
  const isValue = question.asked.some((word) => values.some((one) => findPhrase(wordsOf(one), [word]) >= 0))
  if (nouns.length === 0 && !isValue) return []
  const found = withoutRows(question, match, ...nouns)
  return [
    look(
      match,
      'count',
      `The table at ${table.place} has a row for each “${plainText(table.columns[0] ?? '')}”.`,
      { limit: 1 },
      found,
    ),
  ]
}

/** The table that lists what is asked for: "Which fields does X have?" is the table of a section "Fields of X". */
function listLook(question: Question, match: TableMatch): Look[] {
  const { things, rowNumber, columnNumber } = question
  const { table } = match
  if (things === null || rowNumber !== null || columnNumber !== null || match.where.length > 0) return []
  const section = wholeWords(table.heading.split(' > ').at(-1) ?? '')
  const first = wholeWords(table.columns[0] ?? '')
  if (!(section.has(things) || first.has(things))) return []
  const share = aboutCoverage(question, { ...table, columns: table.columns.slice(0, 1) })
  if (share < 1) return []
  const near = coverage(question, section)
  return [
    look(
      { ...match, where: [] },
      'list',
      `The table at ${table.place} lists them.`,
      {},
      { coverage: share, missing: [], certainty: 4 + near },
    ),
  ]
}

/** Returns the stems of whole words: "evaluator" is not a word of `ROCAUCEvaluator`. */
function wholeWords(text: string): Set<string> {
  const words = plainText(text).match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  return new Set(words.flatMap((word) => wordsOf(word).slice(0, 1).map(stem)))
}

/** Returns the lookup of a cell or of rows. */
function cellLook(question: Question, match: TableMatch): Look[] {
  const { table, row, where, namesRow, coverage: share } = match
  // A row that is identified only by its name: the cell with the name is not the answer.
  const isItself = match.column === 0 && (namesRow || where.length === 0) && question.columnNumber === null
  const column = isItself ? null : match.column
  const isNamed = where.length > 0 || question.rowNumber !== null
  if (!isNamed && row === null) return []
  // A row that the question names in full is relevant, even if it does not contain all words.
  if (share < (namesRow ? 0.5 : ENOUGH)) return []
  // Without a column the answer is the whole row, so the row must be certain.
  if (column === null && /^how /.test(question.questionWord)) return []
  if (column === null && !namesRow && (share < 1 || question.wanted === 'definition')) return []
  const name = column === null ? null : columnName(table.columns, column)
  const rowNames = where.flatMap(({ value }) => value)
  const said = [
    ...(name ? [`a column “${name}”`] : []),
    ...(rowNames.length > 0
      ? [`a row ${rowNames.map((one) => `“${one}”`).join(' and ')}`]
      : row
        ? [`a row “${plainText(row)}”`]
        : []),
  ]
  const thought = `The table at ${table.place} has ${said.join(' and ')}.`
  const found = look(match, 'cell', thought, {})
  return [{ ...found, input: { table: table.table, ...rowsInput(match), ...(name !== null && { column: name }) } }]
}

/** A row that is identified only by its first column is looked up by its name. */
function rowsInput({ where, table, row }: TableMatch): TableLookupRequest {
  const [only, ...more] = where
  if (only === undefined) return row === null ? {} : { row: plainText(row) }
  const isName = more.length === 0 && only.column === columnName(table.columns, 0) && typeof only.value === 'string'
  return isName ? { row: only.value as string } : { where }
}

/** A row that the question identifies by its content: "which package contains the document store" asks for the package. */
function rowByContent(question: Question, tables: readonly TablePassage[]): Look[] {
  const [asking, ...rest] = question.words
  if ((asking !== 'which' && asking !== 'what') || question.wanted === 'extreme' || question.bounds.length > 0)
    return []
  const found = tables.flatMap((table) => {
    const asked = table.columns.findIndex((name) => findPhrase(rest, wordsOf(plainText(name))) === 0)
    if (asked < 0) return []
    const inColumns = new Set(table.columns.flatMap(stemsOf))
    const wanted = rest.filter((word) => !isEmptyWord(word) && !inColumns.has(stem(word)))
    if (wanted.length === 0) return []
    return table.rows.flatMap(({ cells }) => {
      const cell = cells.find((text, index) => {
        const own = new Set(stemsOf(plainText(text)))
        return index !== asked && wanted.every((word) => own.has(stem(word)))
      })
      return cell === undefined ? [] : [{ table, row: plainText(cell), column: columnName(table.columns, asked) }]
    })
  })
  if (found.length !== 1) return []
  const { table, row, column } = found[0]!
  const match = matchTable(question, table)
  const thought = `The table at ${table.place} has a row with “${row}”; asked for is its “${column}”.`
  return [
    look(
      { ...match, where: [] },
      'cell',
      thought,
      { row, column },
      { coverage: 1, missing: [], namesRow: true, namesColumn: true },
    ),
  ]
}
