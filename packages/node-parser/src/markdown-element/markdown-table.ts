import { checkOption, required } from '@x/core/options'
import type { TableData } from './element.ts'

const MARKS = { none: '-', left: ':-', right: '-:', center: ':-:' }

/**
 * Returns a table as Markdown, below its caption: what reads Markdown finds the same cells. A cell is one line; a pipe in it is escaped.
 * @example
 * markdownTable({ columns: ['name', 'price'], rows: [['pear', '3']], align: [null, 'right'] })
 * // => '| name | price |\n| - | -: |\n| pear | 3 |'
 */
export function markdownTable(table: TableData): string {
  checkOption('markdownTable', 'table', table, required('a table', 'columns', 'rows', 'align'))
  const { columns, rows, align, caption } = table
  const line = (cells: readonly string[]) => `|${columns.map((_, index) => cellText(cells[index] ?? '')).join('|')}|`
  const marks = columns.map((_, index) => MARKS[align[index] ?? 'none'])
  const above = caption === undefined ? [] : [caption, '']
  return [...above, line(columns), line(marks), ...rows.map(line)].join('\n')
}

/** A blank before the next pipe, so that a backslash at the end of a cell does not escape it. */
function cellText(cell: string): string {
  const text = cell.trim().replace(/[\r\n]+/g, ' ')
  // A backslash before a pipe would need one of its own, which a table does not have: it escapes the pipe either way.
  return text === '' ? ' ' : ` ${text.replace(/\\[\\|]|\|/g, (pair) => (pair === '\\\\' ? pair : '\\|'))} `
}
