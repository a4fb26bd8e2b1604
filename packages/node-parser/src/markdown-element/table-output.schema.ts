import { nested, nullable, plainRecord } from '@x/core-model/schemas'
import { Boolean as Bool, Array as List, String as Text } from 'typebox'
import type { TableColumn } from './table-column.ts'

export const TableColumnRecord = plainRecord('TableColumnRecord', 'One column in the summary of a table.', {
  colName: Text({ description: 'The name.' }),
  colType: Text({ description: 'The type of the values.' }),
  summary: nullable(Text({ description: 'What the column contains.' })),
})

export const TableOutputRecord = plainRecord('TableOutputRecord', 'The summary of a table.', {
  summary: Text({ description: 'What the table is about.' }),
  tableTitle: nullable(Text({ description: 'The title or caption.' })),
  tableId: nullable(Text({ description: 'The number or identifier.' })),
  columns: List(nested<TableColumn>(), { description: 'The columns, in their order.' }),
  shouldKeep: nullable(Bool({ description: 'Whether the table should be kept.' }), { extension: true }),
})
