/**
 * @module
 * Formats tables as text: the description, the columns, and the table itself.
 */
import type { Element, TableData } from './element.ts'
import { plainCell } from './plain-cell.ts'
import type { TableColumn } from './table-column.ts'

/** Returns summary, title and columns as text; never blank. */
export function describeTable(element: Element): string {
  const output = element.tableOutput
  const title = output?.tableTitle ?? ''
  let text = output?.summary ?? ''
  if (text.trim() === '') {
    const cells = element.table?.columns.map(plainCell).filter((cell) => cell !== '') ?? []
    text = title.trim() || cells.join(', ') || plainCell(element.element.split('\n', 1)[0] ?? '') || 'Table'
  }
  if (title.trim() !== '') text += `,\nwith the following table title:\n${title}`
  const columns = output?.columns.filter(({ colName, summary }) => colName.trim() !== '' || summary) ?? []
  if (columns.length > 0) text += `,\nwith the following columns:\n${columns.map(columnLine).join('')}`
  return text
}

function columnLine({ colName, summary }: TableColumn): string {
  return (summary ?? null) === null ? `- ${colName}\n` : `- ${colName}: ${summary}\n`
}

/** Returns name, type and summary of each column, separated by blank lines. */
export function columnSchema(columns: readonly TableColumn[]): string {
  return columns
    .map(({ colName, colType, summary }) =>
      [`Column: ${colName}`, `Type: ${colType}`, ...((summary ?? null) === null ? [] : [`Summary: ${summary}`])].join(
        '\n',
      ),
    )
    .join('\n\n')
}

/** Returns the header and the delimiter row of a table. */
export function headerLines({ columns }: TableData): string {
  return `${rowLine(columns)}|${columns.map(() => '---').join('|')}|\n`
}

/** Returns a row as Markdown, with its line ending. */
export function rowLine(cells: readonly string[]): string {
  return `|${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join('|')}|\n`
}
