/**
 * @module
 * The tools that find tables and read them.
 */
import { FunctionTool } from '@x/agents'
import { lookUpTable, type Table, tableLookupProperties } from '@x/retrieval/tables'
import type { Docs } from '../docs.ts'
import {
  limitOf,
  next,
  offset,
  pageOf,
  place,
  readOnly,
  rows,
  tablePassage,
  tableProperties,
  whenRead,
  within,
} from './tool-parts.ts'

const LIMIT = 10
/** The maximum number of sections whose tables a search for tables finds. */
const FOUND = 100

const listSchema = {
  type: 'object',
  properties: {
    tables: {
      type: 'array',
      items: {
        type: 'object',
        properties: tableProperties,
        required: ['table', 'place', 'heading', 'columns', 'rowCount', 'rows', 'matched'],
      },
    },
    next,
  },
  required: ['tables'],
} as const

/** Finds tables by words, or lists them. */
export function findTablesTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'find_tables',
    title: 'Find tables',
    description:
      'Finds tables by the words of their cells, columns and headings; without a query, lists the tables in the order of the documents. Returns their ids, columns, numbers of rows, and the rows that match. read_table reads more of a table.',
    annotations: readOnly,
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'the words to look for; all tables by default' },
        within,
        offset,
        limit: limitOf(LIMIT, 50),
      },
      additionalProperties: false,
    },
    outputSchema: listSchema,
    fn: ({ query = '', within: scope, offset: from = 0, limit = LIMIT }, context) =>
      whenRead(docs, context, async () => {
        const all =
          query.trim() === ''
            ? await listed(docs, scope, from + limit + 1, context.signal)
            : await matching(docs, query, scope)
        const { page, ...more } = pageOf(all, from, limit)
        return { tables: page.map((table) => tablePassage(table, query)), ...more }
      }),
  })
}

/** Returns the tables of the sections that match a query; those with rows that match first. */
async function matching(docs: Docs, query: string, within: string | undefined): Promise<Table[]> {
  const tables: Table[] = []
  for (const { file, from, to } of await docs.search(query, { limit: FOUND, within, tablesOnly: true }))
    tables.push(...(await docs.tablesOf(file)).filter(({ place: at }) => at.line >= from && at.endLine <= to))
  const has = (table: Table) => tablePassage(table, query).matched
  return [...tables.filter(has), ...tables.filter((table) => !has(table))]
}

/** Returns the first tables of the documents. */
async function listed(docs: Docs, scope: string | undefined, most: number, signal?: AbortSignal): Promise<Table[]> {
  const tables: Table[] = []
  for (const { path } of await docs.documents(scope)) {
    signal?.throwIfAborted()
    tables.push(...(await docs.tablesOf(path)))
    if (tables.length >= most) break
  }
  return tables
}

const lookupSchema = {
  type: 'object',
  properties: {
    table: tableProperties.table,
    place,
    heading: tableProperties.heading,
    columns: { ...tableProperties.columns, description: 'the columns of the cells in rows' },
    rowCount: tableProperties.rowCount,
    matching: { type: 'integer', description: 'the number of rows that match' },
    column: { type: 'string', description: 'the requested column' },
    rows: {
      ...rows,
      items: {
        ...rows.items,
        properties: {
          ...rows.items.properties,
          value: { type: 'string', description: 'the cell in the requested column' },
        },
      },
    },
    next,
    numbers: {
      type: 'object',
      description: 'the numbers of the requested column in all rows that match',
      properties: { count: { type: 'integer' }, sum: { type: 'string' }, mean: { type: 'string' } },
      required: ['count', 'sum', 'mean'],
    },
    note: { type: 'string', description: 'what could not be done, and why' },
  },
  required: ['table', 'place', 'heading', 'columns', 'rowCount', 'matching', 'rows'],
} as const

/** Reads a table: filtered, sorted, by page. */
export function readTableTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'read_table',
    title: 'Read a table',
    description:
      'Reads a table by its id, at most 50 rows at a time: the rows that meet conditions, sorted by a column, with the sum and the mean of a column. Numbers are compared with their units: 900 KB is less than 3 MB.',
    annotations: readOnly,
    schema: {
      type: 'object',
      properties: { table: tableProperties.table, ...tableLookupProperties },
      required: ['table'],
      additionalProperties: false,
    },
    outputSchema: lookupSchema,
    fn: ({ table: id, ...request }, context) =>
      whenRead(docs, context, async () => {
        const table = await docs.table(id)
        if (table === null)
          throw new Error(`there is no table ${JSON.stringify(id)}; search and find_tables return the ids of tables.`)
        return lookUpTable(table, request)
      }),
  })
}
