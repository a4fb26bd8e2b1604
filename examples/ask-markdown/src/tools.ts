/**
 * @module
 * The tools of the agent: search the documents, and look into a table.
 */
import { FunctionTool } from '@x/agents'
import type { Library } from './library.ts'
import { headingOf, placeOf, placeText } from './place.ts'
import { bestRows, findColumn, findRows, isTableNode, type Row, readTable, type Table } from './table.ts'

/** A text in the result of a search. */
export interface TextPassage {
  place: string
  /** The headings above it. */
  heading: string
  text: string
  /** 1 for the best passage. */
  score: number
}

/** A table in the result of a search, with the rows that match the query. */
export interface TablePassage {
  place: string
  heading: string
  /** The id of the table, for `look_into_table`. */
  table: string
  columns: string[]
  rowCount: number
  rows: FoundRow[]
  score: number
}

/** A row of a table. */
export interface FoundRow {
  row: number
  place: string
  cells: string[]
}

/** The result of `look_into_table`. */
export interface TableLookup {
  table: string
  place: string
  heading: string
  columns: string[]
  rowCount: number
  /** The requested column. */
  column?: string
  /** The requested rows; `value` is the cell in the requested column. */
  rows: (FoundRow & { value?: string })[]
  note?: string
}

/** The maximum number of rows per table in the result of a search. */
const SHOWN_ROWS = 5
/** The maximum number of rows in the result of `look_into_table`. */
const MOST_ROWS = 50

/** Creates the tools over a library. Their results are JSON. */
export function makeTools(library: Library): FunctionTool[] {
  const search = FunctionTool.fromDefaults({
    name: 'search_text',
    description:
      'Searches the documents by words. Returns passages with their place (file:line), and tables with their id, their columns and the matching rows.',
    schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'the words to look for' } },
      required: ['query'],
    },
    fn: async ({ query }, { signal }): Promise<(TextPassage | TablePassage)[]> => {
      const found = await library.search(query, signal)
      return found.map(({ node, score }) => {
        const about = { place: placeText(placeOf(node)), heading: headingOf(node) }
        const rounded = Math.round((score ?? 0) * 100) / 100
        return isTableNode(node)
          ? { ...about, ...tablePassage(readTable(node), query), score: rounded }
          : { ...about, text: node.text, score: rounded }
      })
    },
  })

  const lookIntoTable = FunctionTool.fromDefaults({
    name: 'look_into_table',
    description:
      'Reads a table that a search found. Returns the rows with the given cell, or the first rows, and the value in a column.',
    schema: {
      type: 'object',
      properties: {
        table: { type: 'string', description: 'the id of the table' },
        row: { type: 'string', description: 'the text of a cell in the row, or #2 for the second row' },
        column: { type: 'string', description: 'the name of the column, or #2 for the second column' },
      },
      required: ['table'],
    },
    fn: async ({ table: id, row, column }): Promise<TableLookup> => {
      const table = await library.table(id)
      if (table === null) throw new Error(`table "${id}" does not exist; search for a table first.`)
      return lookUp(table, row, column)
    },
  })
  return [search, lookIntoTable]
}

function tablePassage(table: Table, query: string): Pick<TablePassage, 'table' | 'columns' | 'rowCount' | 'rows'> {
  return {
    table: table.id,
    columns: table.columns,
    rowCount: table.rows.length,
    rows: bestRows(table, query, SHOWN_ROWS).map(foundRow),
  }
}

function lookUp(table: Table, row: string | undefined, column: string | undefined): TableLookup {
  const index = column === undefined ? -1 : findColumn(table, column)
  const rows = row === undefined ? table.rows : findRows(table, row)
  const notes: string[] = []
  if (row !== undefined && rows.length === 0) notes.push(`No row has a cell that reads "${row}".`)
  if (column !== undefined && index < 0) notes.push(`There is no column "${column}".`)
  if (rows.length > MOST_ROWS) notes.push(`These are the first ${MOST_ROWS} of ${rows.length} rows.`)
  return {
    table: table.id,
    place: placeText(table.place),
    heading: table.heading,
    columns: table.columns,
    rowCount: table.rows.length,
    ...(index >= 0 && { column: table.columns[index]! }),
    rows: rows.slice(0, MOST_ROWS).map((one) => ({
      ...foundRow(one),
      ...(index >= 0 && { value: one.cells[index] ?? '' }),
    })),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

function foundRow({ number, place, cells }: Row): FoundRow {
  return { row: number, place: placeText(place), cells }
}
