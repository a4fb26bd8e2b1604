/**
 * @module
 * The tools of the agent: search the documents, and look into a table.
 */
import { FunctionTool } from '@x/agents'
import {
  bestRows,
  type FoundRow,
  foundRow,
  headingOf,
  isTableNode,
  lookUpTable,
  placeOf,
  placeText,
  readTable,
  type Table,
  type TableLookup,
  tableLookupProperties,
} from '@x/retrieval/tables'
import type { Library } from './library.ts'
import { subjectStems } from './words.ts'

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
    description:
      'Reads a table that a search found, at most 50 rows at a time. Returns the rows that match, the values in a column, and the sum and the mean of its numbers. Units are compared: 900 KB is less than 3 MB.',
    schema: {
      type: 'object',
      properties: { table: { type: 'string', description: 'the id of the table' }, ...tableLookupProperties },
      required: ['table'],
    },
    fn: async ({ table: id, ...request }): Promise<TableLookup> => {
      const table = await library.table(id)
      if (table === null) throw new Error(`table "${id}" does not exist; search for a table first.`)
      return lookUpTable(table, request)
    },
  })
}

function tablePassage(
  table: Table,
  query: string,
): Pick<TablePassage, 'table' | 'columns' | 'rowCount' | 'rows' | 'matched'> {
  const { id, columns, rows } = table
  const best = bestRows(table, query, SHOWN_ROWS, subjectStems)
  const shown = best.length > 0 ? best : rows.slice(0, SHOWN_ROWS)
  return { table: id, columns, rowCount: rows.length, rows: shown.map(foundRow), matched: best.length > 0 }
}
