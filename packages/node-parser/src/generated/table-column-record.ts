// Generated from the schema of the model by x-codegen. Do not edit.
import { Model, modelOf } from '@x/core-model'

/** The fields of {@link TableColumnRecord}. */
export interface TableColumnRecordFields {
  /** The name. */
  colName: string
  /** The type of the values. */
  colType: string
  /** What the column contains. @defaultValue null */
  summary: string | null
}

/** Constructor options of {@link TableColumnRecord}. */
export interface TableColumnRecordOptions {
  /** The name. */
  colName: string
  /** The type of the values. */
  colType: string
  /** What the column contains. @defaultValue null */
  summary?: string | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: TableColumnRecordOptions)
}
interface Declared extends TableColumnRecordFields {}

/** The typed base class of {@link TableColumnRecord}. */
export const TableColumnRecordModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'TableColumnRecord',
  description: 'One column in the summary of a table.',
  className: 'TableColumnRecord',
  record: true,
  fields: {
    colName: { schema: { type: 'string', description: 'The name.' }, required: true },
    colType: { schema: { type: 'string', description: 'The type of the values.' }, required: true },
    summary: { schema: { description: 'What the column contains.', type: ['string', 'null'] } },
  },
})
