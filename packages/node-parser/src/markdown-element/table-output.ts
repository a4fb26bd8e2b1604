/**
 * @module
 * The summary of a table: plain JSON, with the JSON form of LlamaIndex for Python.
 */
import type { Dict } from '@x/core-model'
import { TableColumnRecordModel } from '../generated/table-column-record.ts'
import { TableOutputRecordModel } from '../generated/table-output-record.ts'
import type { TableColumn } from './table-column.ts'

/** The summary of a table, by a model or another summarizer; plain JSON. */
export type TableOutput = {
  summary: string
  tableTitle: string | null
  tableId: string | null
  columns: TableColumn[]
  /** Whether the table should be kept; absent if the summarizer did not decide. */
  shouldKeep?: boolean
}

class TableColumnRecord extends TableColumnRecordModel {}

class TableOutputRecord extends TableOutputRecordModel {
  static override nested() {
    return { columns: [TableColumnRecord] }
  }
}

/** Reads and writes the JSON form of summaries of tables, which is the same in all lines of LlamaIndex for Python. */
export const TableOutput = {
  /**
   * Reads a summary.
   * @throws {ModelValidationError} if a field is missing or has the wrong type.
   * @example
   * const dict = { summary: 'Prices', columns: [{ col_name: 'Item', col_type: 'string' }] }
   * TableOutput.fromDict(dict).columns // => [{ colName: 'Item', colType: 'string', summary: null }]
   */
  fromDict(data: unknown): TableOutput {
    const { summary, tableTitle, tableId, columns, shouldKeep } = TableOutputRecord.fromDict(data)
    return {
      summary,
      tableTitle,
      tableId,
      columns: columns.map(({ colName, colType, summary }) => ({ colName, colType, summary })),
      ...(shouldKeep !== null && { shouldKeep }),
    }
  },

  /** Returns the JSON form of a summary. @throws {ModelValidationError} if a field is missing or has the wrong type. */
  toDict(output: TableOutput): Dict {
    return new TableOutputRecord(output).toDict()
  },
}
