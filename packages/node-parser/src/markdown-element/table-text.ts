/**
 * @module
 * The texts that are made of a table: its description, its columns, and the table itself.
 */
import type { Element, TableColumn, TableData } from './element.ts'

/** Summary, title and columns; never blank. */
export function describeTable(element: Element): string {
  const output = element.tableOutput
  const title = output?.tableTitle ?? ''
  let text = output?.summary ?? ''
  if (text.trim() === '') {
    const cells = element.table?.columns.filter((cell) => cell !== '') ?? []
    text = title.trim() || cells.join(', ') || (element.element.split('\n', 1)[0] ?? '')
  }
  if (title.trim() !== '') text += `,\nwith the following table title:\n${title}`
  if (output !== null && output.columns.length > 0) {
    text += `,\nwith the following columns:\n${output.columns.map(columnLine).join('')}`
  }
  return text
}

function columnLine({ colName, summary }: TableColumn): string {
  return summary === null || summary === '' ? `- ${colName}\n` : `- ${colName}: ${summary}\n`
}

/** Name, type and summary of each column, a blank line between two. */
export function columnSchema(columns: readonly TableColumn[]): string {
  return columns
    .map(({ colName, colType, summary }) =>
      [
        `Column: ${colName}`,
        `Type: ${colType}`,
        ...(summary === null || summary === '' ? [] : [`Summary: ${summary}`]),
      ].join('\n'),
    )
    .join('\n\n')
}

/** The header and the delimiter row of a table. */
export function headerLines({ columns }: TableData): string {
  return `${rowLine(columns)}|${columns.map(() => '---').join('|')}|\n`
}

/** A row as Markdown, with its line ending. */
export function rowLine(cells: readonly string[]): string {
  return `|${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join('|')}|\n`
}
