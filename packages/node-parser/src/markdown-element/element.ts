/**
 * @module
 * The parts of a Markdown document as the element parser sees them: text, and tables.
 */
import type { ColumnAlign } from '../markdown/table-row.ts'

/** A table whose rows fit its header. */
export interface TableData {
  /** Header cells, as written and trimmed. */
  columns: string[]
  /** Body cells; every row is as long as `columns`. */
  rows: string[][]
  /** Alignment of each column; null where the delimiter row says nothing. */
  align: ColumnAlign[]
  /** The text of an HTML table outside its cells, such as its caption; absent when there is none. */
  caption?: string
}

/** One column in the summary of a table. */
export interface TableColumn {
  colName: string
  colType: string
  summary: string | null
}

/** What a model, or another summarizer, says of a table. */
export interface TableOutput {
  summary: string
  tableTitle: string | null
  tableId: string | null
  columns: TableColumn[]
  /** False when the model finds the table not worth keeping; absent when it did not say. */
  shouldKeep?: boolean
}

/** `text` is everything between tables, `table` a table that fits a grid, `table_text` a table with surplus cells. */
export type ElementType = 'text' | 'table' | 'table_text'

/** A part of a Markdown document. */
export interface Element {
  /** `id_<node id>_<position>`. */
  id: string
  type: ElementType
  /** Its source: an exact slice for text; for tables the lines without container marks, indentation and trailing blanks. */
  element: string
  /** Always null; kept for the shape of the interface. */
  titleLevel: null
  /** The summary of a table, set by `extractTableSummaries`. */
  tableOutput: TableOutput | null
  /** The cells, of type `table`. */
  table: TableData | null
  /** Where it starts and ends in the document, in UTF-16 code units. */
  startCharIdx: number | null
  endCharIdx: number | null
}

/** Says whether a table stays a table; one that is refused becomes text. */
export type TableFilter = (table: Element) => boolean

/** The source of an element and, when they are known, its cells: what `filterTable` looks at. */
export type TableCandidate = Pick<Element, 'element'> & { table?: TableData | null }
