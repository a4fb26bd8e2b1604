/**
 * @module
 * Answers from the result of a table lookup.
 */
import { comparable, type FoundRow, findPhrase, formatAmount, plainText, type TableLookup } from '@x/retrieval/tables'
import { wordsOf } from '../words.ts'
import type { Look } from './plan.ts'
import type { Question } from './question.ts'
import { listed } from './wording.ts'

/** Returns the answer from the result `found` of a lookup; null if the table does not contain it. */
export function answerFromTable(question: Question, look: Look, found: TableLookup | null): string | null {
  if (found === null || !Array.isArray(found.rows)) return null
  const answer = ANSWERS[look.purpose](question, look, found)
  const missing = look.missing.map(({ text }) => text)
  return answer !== null && missing.length > 0 ? `${answer}\nIt does not mention ${listed(missing)}.` : answer
}

const ANSWERS: Record<Look['purpose'], (question: Question, look: Look, found: TableLookup) => string | null> = {
  'column names': (_, __, found) => `${where(found)} has ${found.columns.length} columns: ${listed(found.columns)}.`,
  'row count': ({ text }, _, found) =>
    /column/i.test(text)
      ? `${where(found)} has ${found.columns.length} columns.`
      : `${where(found)} has ${found.rowCount} rows, not counting the header.`,
  count: (_, look, found) => countAnswer(look, found),
  sum: (_, look, found) => totalAnswer(look, found),
  mean: (_, look, found) => totalAnswer(look, found),
  extreme: (_, look, found) => extremeAnswer(look, found),
  comparison: comparisonAnswer,
  difference: comparisonAnswer,
  list: (_, look, found) => listAnswer(look, found),
  rows: (_, look, found) => rowsAnswer(look, found),
  cell: cellAnswer,
}

function where({ heading, place }: TableLookup): string {
  return `The table${heading ? ` in section “${heading}”` : ''} (${place})`
}

/** Returns the conditions of a lookup in words: ` with “Hall” = “north”`; empty without conditions. */
function conditions({ input }: Look): string {
  const signs = { equals: '=', not: '≠', contains: 'contains', less: '<', 'at most': '≤', more: '>', 'at least': '≥' }
  const each = (input.where ?? []).map(({ column, is, value }) => `“${column}” ${signs[is]} ${listed([value].flat())}`)
  return each.length > 0 ? ` with ${each.join(' and ')}` : ''
}

function countAnswer(look: Look, found: TableLookup): string | null {
  const problem = /cannot be compared[^.]*/.exec(found.note ?? '')?.[0]
  if (problem) return cannot(look, found, problem)
  const { matching, columns } = found
  const which = conditions(look)
  if (which === '') return `${where(found)} has ${matching} rows, one for each “${plainText(columns[0] ?? '')}”.`
  const section = found.heading ? `, section “${found.heading}”` : ''
  return `${matching} of the ${found.rowCount} rows ${matching === 1 ? 'has' : 'have'}${which.replace(/^ with/, '')} (${found.place}${section}).`
}

function totalAnswer(look: Look, found: TableLookup): string | null {
  const { numbers, column = '', place, rowCount, matching } = found
  if (numbers === undefined) return cannot(look, found, 'its cells are not all numbers of one unit')
  const name = look.purpose === 'sum' ? 'sum' : 'mean'
  const rows = matching === rowCount ? `all ${rowCount} rows` : `${matching} rows${conditions(look)}`
  const empty = numbers.count < matching ? `, ${matching - numbers.count} of them without a number` : ''
  return `${numbers[name]}: the ${name} of the column “${plainText(column)}”, ${rows}${empty} (${place}).`
}

/** Returns a sentence about why a column cannot be compared. */
function cannot({ purpose }: Look, { column, place }: TableLookup, why: string): string {
  const what = purpose === 'sum' || purpose === 'mean' ? 'add up' : 'compare'
  return `I cannot ${what} the column “${plainText(column ?? '')}” (${place}): ${why}.`
}

/** Returns the row with the largest or smallest number of a column. */
function extremeAnswer(look: Look, found: TableLookup): string | null {
  const { column = '', rows, note = '' } = found
  const reason = /is sorted as text, because ([^.]*)/.exec(note)?.[1]
  if (reason !== undefined) return cannot(look, found, reason)
  const { quantities } = comparable(rows.map(({ value = '' }) => value))
  const best = quantities?.[0]
  if (rows.length === 0 || !best) return null
  const winners = rows.filter((_, index) => quantities[index]?.amount === best.amount)
  const which = winners.map((row) => `row “${rowName(row)}” (${row.place})`).join(', ')
  const side = look.sign > 0 ? 'largest' : 'smallest'
  return `${shown(winners[0]!.value)}: the ${side} in the column “${plainText(column)}”${conditions(look)}, ${which}.`
}

/** Returns the comparison of two rows: which is larger, whether the first is larger, or by how much. */
function comparisonAnswer(question: Question, look: Look, found: TableLookup): string | null {
  const { column = '', rows } = found
  const ordered = [...rows].sort((one, other) => place(question, one) - place(question, other))
  const [first, second] = ordered
  if (first === undefined || second === undefined) return null
  const { quantities, problem } = comparable(ordered.map(({ value = '' }) => value))
  if (problem !== undefined) return cannot(look, found, problem)
  const [one, other] = quantities
  if (!one || !other) return cannot(look, found, 'a value is missing')
  const cells = ordered.map((row) => `- “${rowName(row)}”: ${shown(row.value)} (${row.place})`).join('\n')
  const below = `in the column “${plainText(column)}”:\n${cells}`
  if (look.purpose === 'difference') {
    const difference = formatAmount(Math.abs(one.amount - other.amount), one, Math.max(one.decimals, other.decimals))
    return `${difference} is the difference ${below}`
  }
  const sorted = [...ordered.keys()].sort((a, b) => (quantities[b]!.amount - quantities[a]!.amount) * look.sign)
  const winner = rowName(ordered[sorted[0]!]!)
  const isTie = one.amount === other.amount
  if (question.isYesNo && ordered.length === 2) return `${!isTie && sorted[0] === 0 ? 'Yes' : 'No'}, ${below}`
  if (isTie) return `Both are equal ${below}`
  return `“${winner}” has the ${look.sign > 0 ? 'larger' : 'smaller'} value ${below}`
}

/** Returns the position at which the question names a row. */
function place({ words }: Question, row: FoundRow): number {
  const places = row.cells.map((cell) => findPhrase(words, wordsOf(plainText(cell)))).filter((at) => at >= 0)
  return Math.min(...places, words.length)
}

/** Returns every row of a table by its first cell, and by its second cell if that is more than a name. */
function listAnswer({ others = [] }: Look, { heading, place, rowCount, rows, note }: TableLookup): string {
  const lines = rows.map((row) => {
    const about = plainText(row.cells[1] ?? '')
    return `- ${rowName(row)}${/\s/.test(about) ? `: ${about}` : ''}`
  })
  const where = heading ? `“${heading}” (${place})` : place
  const more = others.length > 0 ? [`Other tables list more: ${others.join(', ')}.`] : []
  return [`${where} lists ${rowCount}:`, ...lines, ...(note ? [note] : []), ...more].join('\n')
}

/** Returns the rows that meet numeric conditions, with the cells that meet them. */
function rowsAnswer(look: Look, found: TableLookup): string | null {
  const problem = /cannot be compared[^.]*/.exec(found.note ?? '')?.[0]
  if (problem) return cannot(look, found, problem)
  const { rows, columns, matching, rowCount } = found
  if (matching === 0) return `None of the ${rowCount} rows of the table (${found.place}) is${conditions(look)}.`
  const compared = (look.input.where ?? []).map(({ column }) => columns.findIndex((name) => plainText(name) === column))
  const lines = rows.map((row) => {
    const cells = compared.filter((index) => index > 0).map((index) => shown(row.cells[index]))
    return `- ${rowName(row)}: ${cells.join(', ')} (${row.place})`
  })
  const note = found.next === undefined ? [] : [found.note ?? '']
  return [`${matching} of ${rowCount} rows${conditions(look)}:`, ...lines, ...note].join('\n')
}

/** Returns the requested value or rows. */
function cellAnswer(question: Question, look: Look, found: TableLookup): string | null {
  const { rows, note } = found
  if (rows.length === 0) return null
  return [rows.length === 1 ? oneRow(question, look, found) : manyRows(found), ...(note ? [note] : [])].join('\n')
}

function oneRow(question: Question, { input }: Look, { columns, column, heading, rows }: TableLookup): string {
  const [row] = rows as [TableLookup['rows'][0]]
  if (column === undefined) return `The row says: ${wholeRow(columns, row)}.`
  const asked = input.row
  // The question asks for the name of a row by its content, so the content identifies the row.
  const isName = row.value === row.cells[0] && asked !== undefined
  const label = isName ? asked : rowName(row)
  const isNamed =
    asked === undefined || isName || question.rowNumber !== null || findPhrase(question.words, wordsOf(asked)) >= 0
  const others = (input.where ?? [])
    .flatMap(({ value }) => value)
    .filter((value) => value !== label && value !== plainText(row.value ?? ''))
  const also = others.length > 0 ? `, ${listed(others)}` : ''
  const section = heading ? `, section “${heading}”` : ''
  return `${shown(row.value)} (${row.place}): column “${plainText(column)}”, ${isNamed ? 'row' : 'closest row'} “${label}”${also}${section}.`
}

function manyRows({ columns, column, rows }: TableLookup): string {
  if (column === undefined) return ['These rows match:', ...rows.map((row) => `- ${wholeRow(columns, row)}`)].join('\n')
  const lines = rows.map((row) => `- ${shown(row.value)} (${row.place}, row “${rowName(row)}”)`)
  return [`“${plainText(column)}” in the rows that match:`, ...lines].join('\n')
}

/** Returns the cells of a row with the names of their columns. */
export function wholeRow(columns: readonly string[], { cells, place }: FoundRow): string {
  const named = columns.map((name, index) => `${plainText(name) || `column ${index + 1}`}: ${shown(cells[index])}`)
  return `${named.join('; ')} (${place})`
}

function rowName({ cells }: FoundRow): string {
  return plainText(cells[0] ?? '')
}

function shown(cell: string | undefined): string {
  return cell || '(empty)'
}
