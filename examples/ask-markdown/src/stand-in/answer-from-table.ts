/**
 * @module
 * Answers from the result of a table lookup.
 */
import { plainText } from '../plain-text.ts'
import type { FoundRow, TableLookup } from '../tools.ts'
import { findPhrase, stemsOf, wordsOf } from '../words.ts'
import { extremeOf, missingWords, type Question } from './question.ts'
import { listed } from './wording.ts'

/** Returns the answer from the result `found` of the arguments `asked`; null if the table does not contain it. */
export function answerFromTable(
  question: Question,
  asked: Readonly<Record<string, unknown>>,
  found: TableLookup | null,
): string | null {
  if (found === null || !Array.isArray(found.rows)) return null
  const where = `The table${found.heading ? ` in section “${found.heading}”` : ''} (${found.place})`
  switch (question.wanted) {
    case 'column names':
      return `${where} has ${found.columns.length} columns: ${listed(found.columns)}.`
    case 'row count':
      return /column/i.test(question.text)
        ? `${where} has ${found.columns.length} columns.`
        : `${where} has ${found.rowCount} rows, not counting the header.`
    case 'count':
      return asked['row'] === undefined
        ? `${where} has ${found.rowCount} rows, one for each “${plainText(found.columns[0] ?? '')}”.`
        : cellAnswer(question, asked, found)
    case 'extreme':
      return asked['row'] === undefined ? extremeAnswer(question, found) : cellAnswer(question, asked, found)
    default:
      if (isWholeTable(question, asked)) return listAnswer(found)
      return cellAnswer(question, asked, found)
  }
}

/** Whether the look was for a list: a table without a row or a column. */
function isWholeTable({ things }: Question, asked: Readonly<Record<string, unknown>>): boolean {
  return things !== null && asked['row'] === undefined && asked['column'] === undefined
}

/** Every row of a table by its first cell, with the second one where that says more than a name. */
function listAnswer({ heading, place, rowCount, rows, note }: TableLookup): string {
  const lines = rows.map((row) => {
    const about = plainText(row.cells[1] ?? '')
    return `- ${rowName(row)}${/\s/.test(about) ? `: ${about}` : ''}`
  })
  const where = heading ? `“${heading}” (${place})` : place
  return [`${where} lists ${rowCount}:`, ...lines, ...(note ? [note] : [])].join('\n')
}

/** Returns the requested value or rows, and the words that they do not contain. */
function cellAnswer(question: Question, asked: Readonly<Record<string, unknown>>, found: TableLookup): string | null {
  const { place, heading, columns, rows, note } = found
  if (rows.length === 0) return null
  const stems = new Set([place, heading, ...columns, ...rows.flatMap(({ cells }) => cells)].flatMap(stemsOf))
  const missing = missingWords(question, stems)
  const caveats = [...(note ? [note] : []), ...(missing.length > 0 ? [`It does not mention ${listed(missing)}.`] : [])]
  return [rows.length === 1 ? oneRow(question, asked, found) : manyRows(found), ...caveats].join('\n')
}

function oneRow(question: Question, asked: Readonly<Record<string, unknown>>, found: TableLookup): string {
  const { columns, column, heading, rows } = found
  const [row] = rows as [TableLookup['rows'][0]]
  if (column === undefined) return `The row says: ${wholeRow(columns, row)}.`
  const name = wordsOf(String(asked['row'] ?? ''))
  // The question asks for the name of a row by its content, so the content identifies the row.
  const isName = row.value === row.cells[0] && name.length > 0
  const label = isName ? plainText(String(asked['row'])) : rowName(row)
  const isNamed = isName || question.rowNumber !== null || findPhrase(question.words, name) >= 0
  const section = heading ? `, section “${heading}”` : ''
  return `${shown(row.value)} (${row.place}): column “${plainText(column)}”, ${isNamed ? 'row' : 'closest row'} “${label}”${section}.`
}

function manyRows({ columns, column, rows }: TableLookup): string {
  if (column === undefined) return ['These rows match:', ...rows.map((row) => `- ${wholeRow(columns, row)}`)].join('\n')
  const lines = rows.map((row) => `- ${shown(row.value)} (${row.place}, row “${rowName(row)}”)`)
  return [`“${plainText(column)}” in the rows that match:`, ...lines].join('\n')
}

function wholeRow(columns: readonly string[], { cells, place }: FoundRow): string {
  const named = columns.map((name, index) => `${plainText(name) || `column ${index + 1}`}: ${shown(cells[index])}`)
  return `${named.join('; ')} (${place})`
}

function rowName({ cells }: FoundRow): string {
  return plainText(cells[0] ?? '')
}

/** Returns the row with the largest or smallest number in the column, if all rows are known and most contain a number. */
function extremeAnswer(question: Question, { column, rows, rowCount }: TableLookup): string | null {
  if (column === undefined || rows.length < rowCount) return null
  const numbered = rows.flatMap((row) => {
    const number = numberIn(row.value ?? '')
    return number === null ? [] : [{ row, number }]
  })
  if (numbered.length * 2 < rows.length || numbered.length < 2) return null
  const sign = extremeOf(question)
  const best = Math.max(...numbered.map(({ number }) => number * sign)) * sign
  const winners = numbered.filter(({ number }) => number === best).map(({ row }) => row)
  const where = winners.map((row) => `row “${rowName(row)}” (${row.place})`).join(', ')
  return `${shown(winners[0]!.value)}: the ${sign > 0 ? 'largest' : 'smallest'} in the column “${plainText(column)}”, ${where}.`
}

/** Returns the first number of a cell: 1970 for `about 1,970 cases`. */
function numberIn(cell: string): number | null {
  const found = /-?\d+(?:,\d{3})*(?:\.\d+)?/.exec(plainText(cell))?.[0]
  return found === undefined ? null : Number(found.replaceAll(',', ''))
}

function shown(cell: string | undefined): string {
  return cell || '(empty)'
}
