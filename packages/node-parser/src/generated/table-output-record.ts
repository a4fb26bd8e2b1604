// Generated from the schema of the model by x-codegen. Do not edit.
import type { TableColumn } from '../markdown-element/table-column.ts'
import { Model, modelOf } from '@x/core-model'

/** The fields of {@link TableOutputRecord}. */
export interface TableOutputRecordFields {
  /** What the table is about. */
  summary: string
  /** The title or caption. @defaultValue null */
  tableTitle: string | null
  /** The number or identifier. @defaultValue null */
  tableId: string | null
  /** The columns, in their order. */
  columns: TableColumn[]
  /** Whether the table should be kept. @defaultValue null */
  shouldKeep: boolean | null
}

/** Constructor options of {@link TableOutputRecord}. */
export interface TableOutputRecordOptions {
  /** What the table is about. */
  summary: string
  /** The title or caption. @defaultValue null */
  tableTitle?: string | null | undefined
  /** The number or identifier. @defaultValue null */
  tableId?: string | null | undefined
  /** The columns, in their order. */
  columns: readonly TableColumn[]
  /** Whether the table should be kept. @defaultValue null */
  shouldKeep?: boolean | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: TableOutputRecordOptions)
}
interface Declared extends TableOutputRecordFields {}

/** The typed base class of {@link TableOutputRecord}. */
export const TableOutputRecordModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'TableOutputRecord',
  description: 'The summary of a table.',
  className: 'TableOutputRecord',
  record: true,
  fields: {
    summary: { schema: { type: 'string', description: 'What the table is about.' }, required: true },
    tableTitle: { schema: { description: 'The title or caption.', type: ['string', 'null'] } },
    tableId: { schema: { description: 'The number or identifier.', type: ['string', 'null'] } },
    columns: { schema: { type: 'array', items: { 'x-nested': true }, description: 'The columns, in their order.' }, required: true },
    shouldKeep: { schema: { description: 'Whether the table should be kept.', type: ['boolean', 'null'] }, extension: true },
  },
})
