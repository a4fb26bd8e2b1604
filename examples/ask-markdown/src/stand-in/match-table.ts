/**
 * @module
 * Finds the cells and the columns of a table that a question names.
 */
import { comparable, findPhrase, plainText, type TableCondition } from '@x/retrieval/tables'
import type { TablePassage } from '../tools.ts'
import { isEmptyWord, isNamingWord, stem, stemsOf, wordsOf } from '../words.ts'
import { columnsFor } from './lexicon.ts'
import { coverage, hasWord, missingWords, type Question, type SubjectWord } from './question.ts'

/** The parts of a table that a question names. */
export interface TableMatch {
  table: TablePassage
  /** The cells that the question names, as conditions. */
  where: TableCondition[]
  /** A cell of the closest row, or `#2`, if no cell is named in full; null otherwise. */
  row: string | null
  /** Whether the question contains the whole name of a row, in the first column. */
  namesRow: boolean
  /** The index of the column that is asked for; null if it is not clear. */
  column: number | null
  /** Whether the question names that column itself. */
  namesColumn: boolean
  /** The columns that the question names, without those of conditions. */
  named: number[]
  /** The words of the subject that neither the table nor the row contains. */
  missing: SubjectWord[]
  coverage: number
  /** The confidence that the question means this table and this row. */
  certainty: number
}

/** A name that occurs in the question. */
interface Mention {
  name: string
  column: number
  start: number
  end: number
  weight: number
}

/** A column that may be asked for, and how certain that is. */
interface AskedColumn {
  column: number | null
  isNamed: boolean
  weight: number
}

/** Returns what a question names in a table. */
export function matchTable(question: Question, table: TablePassage): TableMatch {
  const headers = mentionedColumns(question, table)
  const accepted = acceptedCells(question, table, headers)
  const cells = accepted.filter(({ column }) => !isFlag(table, column))
  const conditions = new Set(cells.map(({ column }) => column))
  // The header beside its own cell is a label: "exit code 7", "region EU".
  const free = headers.filter((header) => !conditions.has(header.column))
  const asked = askedColumn(question, table, free, cells)
  const flags = question.isYesNo ? [] : free.filter(({ column }) => column !== asked.column && isFlag(table, column))
  const closest = cells.length > 0 || flags.length > 0 ? null : closestRow(question, table, free)
  const where = [...conditionsOf(table, cells), ...flags.map((flag) => flagCondition(question, table, flag))]
  const rows = closest
    ? [closest.cells]
    : where.length > 0
      ? table.rows.map((one) => one.cells).filter((one) => meetsAll(table, one, where))
      : []
  const standing = [...conditions, ...(asked.column === null ? [] : [asked.column])].flatMap((column) =>
    hintWords(question, table, column),
  )
  // If several rows match, only their common cells were named.
  const named = rows.length === 1 ? rows.flat() : where.flatMap(({ value }) => value)
  const stems = new Set([...about(table), ...named, ...standing].flatMap(stemsOf))
  const neighbour = cells.some((cell) => headers.some((one) => one.column === cell.column && touches(one, cell)))
  return {
    table,
    where,
    row: question.rowNumber ?? closest?.name ?? null,
    namesRow: cells.some(({ column }) => column === 0),
    column: question.columnNumber === null ? asked.column : Number(question.columnNumber.slice(1)) - 1,
    namesColumn: question.columnNumber !== null || asked.isNamed,
    named: free.map(({ column }) => column),
    missing: missingWords(question, stems),
    coverage: coverage(question, stems),
    certainty: total(cells) + (closest?.weight ?? 0) + asked.weight + (neighbour ? 1 : 0),
  }
}

/** Returns the share of the subject that the place, the headings and the columns of a table contain. */
export function aboutCoverage(question: Question, table: TablePassage, ...more: string[]): number {
  return coverage(question, new Set([...about(table), ...more].flatMap(stemsOf)))
}

/** Whether all shown cells of a column are yes or no. */
export function isFlag({ rows }: TablePassage, column: number): boolean {
  const cells = rows.map(({ cells }) => plainText(cells[column] ?? '').toLowerCase())
  return cells.length > 0 && cells.every((cell) => YES.test(cell) || NO.test(cell)) && cells.some((cell) => cell !== '')
}

/** Cells that mean yes and no. */
const YES = /^(?:yes|y|true|✓|✔|✅|x|ja|oui|sí)$/i
const NO = /^(?:no|n|false|✗|✘|❌|–|—|-|nein|non|)$/i

function total(mentions: readonly Mention[]): number {
  return mentions.reduce((sum, { weight }) => sum + weight, 0)
}

/** Returns the place, the heading and the columns of a table. */
function about({ place, heading, columns }: TablePassage): string[] {
  return [place, heading, ...columns]
}

function mentionedColumns(question: Question, { columns }: TablePassage): Mention[] {
  const full = columns.flatMap((name, column) => mention(question, name, column, 1))
  // Of "day" and "full day" the longer one is meant.
  const longest = full.filter((one) => !full.some((other) => other !== one && covers(other, one)))
  if (longest.length > 0) return longest
  return columns.flatMap((name, column) => partialMention(question, name, column, 0.5))
}

/** Returns the cells that the question names in full, longest first, as long as one row meets all of them. */
function acceptedCells(question: Question, table: TablePassage, headers: readonly Mention[]): Mention[] {
  // A row by its number needs no name.
  if (question.rowNumber !== null) return []
  const found = new Map<string, Mention>()
  const above = new Set([table.heading, table.place].flatMap(stemsOf))
  for (const { cells } of table.rows)
    for (const [column, name] of cells.entries())
      for (const one of mention(question, name, column, column === 0 ? 1.2 : 1)) {
        const isNumber = !/\p{L}/u.test(name)
        const hasLabel = headers.some((header) => header.column === column && touches(header, one))
        if (isNumber && (question.bounds.length > 0 || question.rowNumber !== null || (column > 0 && !hasLabel)))
          continue
        if (isNumber && question.columnNumber !== null) continue
        // The "us" of a question is not the cell "US".
        const isWord = wordsOf(name).every((word) => isEmptyWord(word) && !isNamingWord(word))
        if (column > 0 && isWord && !question.text.includes(plainText(name))) continue
        // A word of the heading identifies the table, not the row.
        if (column > 0 && wordsOf(plainText(name)).every((word) => above.has(stem(word)))) continue
        found.set(`${column} ${one.start} ${one.end} ${name}`, one)
      }
  const byWorth = [...found.values()].sort(
    (one, other) =>
      other.end - other.start - (one.end - one.start) || other.weight - one.weight || one.start - other.start,
  )
  const accepted: Mention[] = []
  for (const one of byWorth) {
    // A name of another column at the same place is another reading of the same words.
    if (accepted.some((other) => overlap(one, other) && (other.column !== one.column || !sameSpan(one, other))))
      continue
    if (
      headers.some(
        (header) => header.column !== one.column && overlap(header, one) && !covers(one, header) && one.column > 0,
      )
    )
      continue
    const where = conditionsOf(table, [...accepted, one])
    if (table.rows.some(({ cells }) => meetsAll(table, cells, where))) accepted.push(one)
  }
  return accepted
}

function conditionsOf({ columns }: TablePassage, cells: readonly Mention[]): TableCondition[] {
  const byColumn = new Map<number, Set<string>>()
  for (const { column, name } of cells) byColumn.set(column, (byColumn.get(column) ?? new Set()).add(plainText(name)))
  return [...byColumn].map(([column, names]) => ({
    column: columnName(columns, column),
    is: 'equals',
    value: names.size === 1 ? [...names][0]! : [...names],
  }))
}

function flagCondition({ text }: Question, { columns, rows }: TablePassage, { column, name }: Mention): TableCondition {
  const isDenied = new RegExp(`\\b(?:without|no|not)\\s+(?:an?\\s+)?${wordsOf(name)[0]}`, 'i').test(text)
  const cell = rows.map(({ cells }) => plainText(cells[column] ?? '')).find((one) => YES.test(one)) ?? 'yes'
  return { column: columnName(columns, column), is: isDenied ? 'not' : 'equals', value: cell }
}

/** Returns the name of a column for the tool; its number if another column has the same name. */
export function columnName(columns: readonly string[], index: number): string {
  const name = plainText(columns[index] ?? '')
  const isUnique = name !== '' && columns.filter((one) => plainText(one) === name).length === 1
  return isUnique ? name : `#${index + 1}`
}

function meetsAll({ columns }: TablePassage, cells: readonly string[], where: readonly TableCondition[]): boolean {
  return where.every(({ column, is, value }) => {
    const index = columns.findIndex((_, at) => columnName(columns, at) === column)
    const cell = plainText(cells[index] ?? '')
    return [value].flat().includes(cell) === (is === 'equals')
  })
}

function askedColumn(
  question: Question,
  table: TablePassage,
  free: readonly Mention[],
  cells: readonly Mention[],
): AskedColumn {
  const asked = new Set(question.asked.map(stem))
  const isAskedFor = ({ name }: Mention) => stemsOf(plainText(name)).some((word) => asked.has(word))
  const named = free.filter((one) => !isFlag(table, one.column) || question.isYesNo || cells.length > 0)
  const best = named.find(isAskedFor) ?? [...named].sort((one, other) => other.weight - one.weight)[0]
  if (best) return { column: best.column, isNamed: true, weight: best.weight }
  const hinted = hintedColumn(question, table, cells)
  if (hinted !== null) return { column: hinted, isNamed: false, weight: 0.5 }
  const others = table.columns
    .map((_, column) => column)
    .filter((column) => !cells.some((cell) => cell.column === column))
  // "Which reflector is public?" asks for names; the only other column of a row is the answer.
  const names = cells.length > 0 && !cells.some(({ column }) => column === 0) && question.asked.length > 0
  if (names) return { column: 0, isNamed: false, weight: 0 }
  return { column: cells.length > 0 && others.length === 1 ? others[0]! : null, isNamed: false, weight: 0 }
}

/** Returns the column that a word such as "cost" or "who" stands for; null if no column matches. */
function hintedColumn({ text, questionWord }: Question, table: TablePassage, cells: readonly Mention[]): number | null {
  const words = [...questionWord.split(' '), ...(text.match(/\p{L}+/gu) ?? [])]
  // "how much" is the weakest hint.
  const isMuch = (word: string) => /^(?:much|many)$/i.test(word)
  for (const word of [...words.filter((one) => !isMuch(one)), ...words.filter(isMuch)]) {
    const hints = columnsFor(word)
    const isHinted = (name: string, index: number) =>
      !cells.some((cell) => cell.column === index) && wordsOf(plainText(name)).some((one) => hints.has(stem(one)))
    const column = table.columns.findIndex(isHinted)
    if (column >= 0) return column
  }
  return null
}

/** Returns the words of the question that stand for a column, such as "cost" for `Price`. */
export function hintWords({ text, subject }: Question, { columns }: TablePassage, column: number): string[] {
  const name = wordsOf(plainText(columns[column] ?? '')).map(stem)
  const stands = (word: string) => name.some((one) => columnsFor(word).has(one))
  return [...(text.match(/\p{L}+/gu) ?? []), ...subject.map((word) => word.text)].filter(stands)
}

/** Returns the columns whose shown cells are numbers of one unit. */
export function numberColumns({ columns, rows }: TablePassage): number[] {
  return [...columns.keys()].filter(
    (index) => index > 0 && comparable(rows.map(({ cells }) => cells[index] ?? '')).problem === undefined,
  )
}

/** Returns the columns that a comparing word stands for, such as `Founded` for "oldest". */
export function columnsOfWord(word: string, { columns }: TablePassage): number[] {
  const hints = columnsFor(word)
  return [...columns.keys()].filter(
    (index) => index > 0 && wordsOf(plainText(columns[index]!)).some((one) => hints.has(stem(one))),
  )
}

/** Returns the row that shares most words with the question, and the cell with these words. */
function closestRow(
  question: Question,
  { rows }: TablePassage,
  headers: readonly Mention[],
): { name: string; cells: string[]; weight: number } | null {
  if (question.rowNumber !== null) return null
  const found = rows.flatMap(({ cells }) => {
    // Other columns contain longer texts, which share words by chance.
    const partial = cells.flatMap((name, column) => partialMention(question, name, column, column === 0 ? 0.5 : 0.75))
    const mentions = partial.length > 0 ? partial : explainingCell(question, headers, cells[0] ?? '')
    const best = mentions.sort((one, other) => other.weight - one.weight)[0]
    return best
      ? [{ name: best.name, cells, weight: best.weight, share: coverage(question, new Set(cells.flatMap(stemsOf))) }]
      : []
  })
  return found.sort((one, other) => other.share - one.share || other.weight - one.weight)[0] ?? null
}

/** Returns the first cell of a row if it contains all words that the columns do not. */
function explainingCell({ subject }: Question, columns: readonly Mention[], name: string): Mention[] {
  const inColumns = new Set(columns.flatMap((column) => stemsOf(column.name)))
  const rest = subject.filter((word) => !hasWord(inColumns, word))
  const own = new Set(stemsOf(plainText(name)))
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
function mention({ words, parts }: Question, name: string, column: number, factor: number): Mention[] {
  const own = wordsOf(plainText(name))
  const start = findPhrase(words, own)
  const end = start + own.length
  // The "llm" in "LLMRerank" is not a name.
  if (
    start < 0 ||
    parts.some((part) => start < part.end && part.start < end && !(start <= part.start && part.end <= end))
  )
    return []
  // Of several names the first one is requested: "the size of the package".
  const weight = own.every(isEmptyWord) ? (own.every(isNamingWord) ? 0.4 : 0.1) : own.length * factor - start * 0.001
  return [{ name, column, start, end, weight }]
}

function overlap(one: Mention, other: Mention): boolean {
  return one.start < other.end && other.start < one.end
}

function sameSpan(one: Mention, other: Mention): boolean {
  return one.start === other.start && one.end === other.end
}

/** Whether a name contains another one, and more. */
function covers(one: Mention, other: Mention): boolean {
  return one.start <= other.start && other.end <= one.end && !sameSpan(one, other)
}

function touches(one: Mention, other: Mention): boolean {
  return one.end === other.start || other.end === one.start
}
