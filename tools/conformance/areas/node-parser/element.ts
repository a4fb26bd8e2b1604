/** Elements of Markdown documents in wire form. */
import type { Dict } from '@x/core-model'
import type { Element, TableOutput } from '@x/node-parser'
import { list, literal, nullable, number, optional, type Read, shape, string } from '../../reader.ts'

const tableOutput = shape({
  summary: string,
  table_title: optional(nullable(string)),
  table_id: optional(nullable(string)),
  columns: list(shape({ col_name: string, col_type: string, summary: optional(nullable(string)) })),
})

const alignment = nullable(literal('left', 'center', 'right'))

export const element = shape({
  id: string,
  type: literal('text', 'table', 'table_text'),
  element: string,
  table: optional(nullable(shape({ columns: list(string), rows: list(list(string)), align: list(alignment) }))),
  table_output: optional(nullable(tableOutput)),
  start_char_idx: optional(nullable(number)),
  end_char_idx: optional(nullable(number)),
})

type ElementRecord = Read<typeof element>

export function elementOf(record: ElementRecord): Element {
  return {
    id: record.id,
    type: record.type,
    element: record.element,
    titleLevel: null,
    tableOutput: record.table_output ? tableOutputOf(record.table_output) : null,
    table: record.table ?? null,
    startCharIdx: record.start_char_idx ?? null,
    endCharIdx: record.end_char_idx ?? null,
  }
}

function tableOutputOf(record: Read<typeof tableOutput>): TableOutput {
  return {
    summary: record.summary,
    tableTitle: record.table_title ?? null,
    tableId: record.table_id ?? null,
    columns: record.columns.map(({ col_name: colName, col_type: colType, summary }) => ({
      colName,
      colType,
      summary: summary ?? null,
    })),
  }
}

export function elementForm({ id, type, element, startCharIdx, endCharIdx, table }: Element): Dict {
  return {
    id,
    type,
    element,
    start_char_idx: startCharIdx,
    end_char_idx: endCharIdx,
    ...(type === 'table' && { table: { columns: table?.columns, rows: table?.rows, align: table?.align } }),
  }
}

export function tableOutputForm(output: TableOutput | null): Dict | null {
  return (
    output && {
      summary: output.summary,
      table_title: output.tableTitle,
      table_id: output.tableId,
      columns: output.columns.map(({ colName, colType, summary }) => ({
        col_name: colName,
        col_type: colType,
        summary,
      })),
    }
  )
}
