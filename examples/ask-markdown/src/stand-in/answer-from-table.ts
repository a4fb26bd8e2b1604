/**
 * @module
 * An answer from what a look into a table gave.
 */
import { plainText } from '../plain-text.ts'
import type { TableLookup } from '../tools.ts'
import { extremeOf, type Question } from './question.ts'
import { listed } from './wording.ts'

/** The answer from what was found for `asked`, or null when the table does not have it. */
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
        : cellAnswer(found)
    case 'extreme':
      return asked['row'] === undefined ? extremeAnswer(question, found) : cellAnswer(found)
    default:
      return cellAnswer(found)
  }
}

/** The value that was asked for, or the rows. */
function cellAnswer({ columns, column, heading, rows, note = '' }: TableLookup): string | null {
  const [first] = rows
  if (first === undefined) return null
  const section = heading ? `, section “${heading}”` : ''
  const whole = ({ cells }: { cells: string[] }) =>
    columns.map((name, index) => `${plainText(name) || `column ${index + 1}`}: ${shown(cells[index])}`).join('; ')
  if (rows.length === 1) {
    const answer =
      column === undefined
        ? `The row says: ${whole(first)} (${first.place}).`
        : `${shown(first.value)} (${first.place}): column “${plainText(column)}”, row “${plainText(first.cells[0] ?? '')}”${section}.`
    return `${answer} ${note}`.trimEnd()
  }
  const lines = rows.map((row) =>
    column === undefined
      ? `- ${whole(row)} (${row.place})`
      : `- ${shown(row.value)} (${row.place}, row “${plainText(row.cells[0] ?? '')}”)`,
  )
  const what = column === undefined ? 'These rows match:' : `“${plainText(column)}” in the rows that match:`
  return [what, ...lines, ...(note ? [note] : [])].join('\n')
}

/** The row with the largest or smallest number in the column, when all rows are known and most have a number. */
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
  const where = winners.map((row) => `row “${plainText(row.cells[0] ?? '')}” (${row.place})`).join(', ')
  return `${shown(winners[0]!.value)}: the ${sign > 0 ? 'largest' : 'smallest'} in the column “${plainText(column)}”, ${where}.`
}

/** The first number of a cell: 1970 for `about 1,970 cases`. */
function numberIn(cell: string): number | null {
  const found = /-?\d+(?:,\d{3})*(?:\.\d+)?/.exec(plainText(cell))?.[0]
  return found === undefined ? null : Number(found.replaceAll(',', ''))
}

function shown(cell: string | undefined): string {
  return cell || '(empty)'
}
