/**
 * @module
 * The tools of the agent: search the documents, and look into a table.
 */
import { FunctionTool } from '@x/agents'
import type { Library } from './library.ts'
import { headingOf, placeOf, placeText } from './place.ts'
import { bestRows, isTableNode, readTable, type Table } from './table.ts'
import {
  type FoundRow,
  foundRow,
  type LookupRequest,
  lookUp,
  MOST_ROWS,
  OPERATORS,
  type TableLookup,
} from './table-lookup.ts'

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
  /** Whether the rows match the query; otherwise they are the first ones, as examples. */
  matched: boolean
  score: number
}

/** The result of `search_text`. */
export interface SearchResult {
  passages: (TextPassage | TablePassage)[]
  /** Words that no document contains, with the similar word that was searched instead. */
  spelling?: Record<string, string>
  /** Words that no document contains. */
  unknown?: string[]
}

/** The maximum number of rows per table in the result of a search. */
const SHOWN_ROWS = 5
/** Creates the tools over a library. Their results are JSON. */
export function makeTools(library: Library): FunctionTool[] {
  return [searchTool(library), lookTool(library)]
}

function searchTool(library: Library): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'search_text',
    description:
      'Searches the documents by words. Returns passages with their place (file:line), and tables with their id, their columns and the matching rows; also which words no document contains.',
    schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'the words to look for' } },
      required: ['query'],
    },
    fn: async ({ query }, { signal }): Promise<SearchResult> => {
      const { text, spelling, unknown } = library.vocabulary.correct(query)
      const found = await library.search(text, signal)
      const passages = found.map(({ node, score }) => {
        const about = { place: placeText(placeOf(node)), heading: headingOf(node) }
        const rounded = Math.round((score ?? 0) * 100) / 100
        return isTableNode(node)
          ? { ...about, ...tablePassage(readTable(node), text), score: rounded }
          : { ...about, text: node.text, score: rounded }
      })
      return {
        passages,
        ...(Object.keys(spelling).length > 0 && { spelling }),
        ...(unknown.length > 0 && { unknown }),
      }
    },
  })
}

function lookTool(library: Library): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'look_into_table',
    description: `Reads a table that a search found, at most ${MOST_ROWS} rows at a time. Returns the rows that match, the values in a column, and the sum and the mean of its numbers. Units are compared: 900 KB is less than 3 MB.`,
    schema: {
      type: 'object',
      properties: {
        table: { type: 'string', description: 'the id of the table' },
        row: { type: 'string', description: 'the text of a cell in the row, or #2 for the second row' },
        column: { type: 'string', description: 'the name of the column, or #2 for the second column' },
        where: {
          type: 'array',
          description: 'conditions that rows must meet, all of them',
          items: {
            type: 'object',
            properties: {
              column: { type: 'string' },
              is: { type: 'string', enum: [...OPERATORS] },
              value: {
                anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
                description: 'one value, or several of which one must fit',
              },
            },
            required: ['column', 'is', 'value'],
          },
        },
        sort_by: { type: 'string', description: 'the column that rows are sorted by' },
        descending: { type: 'boolean', description: 'whether the largest comes first' },
        offset: { type: 'integer', minimum: 0, description: 'how many rows are skipped; to read the next page' },
        limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS, description: 'how many rows are returned at most' },
      },
      required: ['table'],
    },
    fn: async ({ table: id, ...request }): Promise<TableLookup> => {
      const table = await library.table(id)
      if (table === null) throw new Error(`table "${id}" does not exist; search for a table first.`)
      return lookUp(table, request as LookupRequest)
    },
  })
}

function tablePassage(
  table: Table,
  query: string,
): Pick<TablePassage, 'table' | 'columns' | 'rowCount' | 'rows' | 'matched'> {
  const { id, columns, rows } = table
  const best = bestRows(table, query, SHOWN_ROWS)
  const shown = best.length > 0 ? best : rows.slice(0, SHOWN_ROWS)
  return { table: id, columns, rowCount: rows.length, rows: shown.map(foundRow), matched: best.length > 0 }
}
