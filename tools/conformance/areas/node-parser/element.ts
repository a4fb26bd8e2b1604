/** Elements of Markdown documents in wire form. */
import type { Dict } from '@x/core-model'
import type { Element, TableOutput } from '@x/node-parser'
import { apiKeys } from '../../given.ts'

export interface ElementRecord {
  id: string
  type: 'text' | 'table' | 'table_text'
  element: string
  table?: Element['table']
  table_output?: Dict | null
  start_char_idx?: number | null
  end_char_idx?: number | null
}

export function elementOf({ table_output: output, ...record }: ElementRecord): Element {
  const absent = { titleLevel: null, table: null, startCharIdx: null, endCharIdx: null }
  const tableOutput = output ? tableOutputOf(output) : null
  return Object.assign(absent, apiKeys<Element>(record), { tableOutput })
}

function tableOutputOf({ columns, ...record }: Dict): TableOutput {
  const columnOf = (column: Dict) => Object.assign({ summary: null }, apiKeys<TableOutput['columns'][0]>(column))
  const output = apiKeys<TableOutput>(record)
  return {
    ...output,
    tableTitle: output.tableTitle ?? null,
    tableId: output.tableId ?? null,
    columns: (columns as Dict[]).map(columnOf),
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
