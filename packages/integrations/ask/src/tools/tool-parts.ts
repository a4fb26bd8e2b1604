/**
 * @module
 * Shared parts of the tools: arguments, parts of results, and the wait for the first reading of the folder.
 */
import type { ToolCallContext } from '@x/agents'
import { bestRows, type FoundRow, foundRow, placeText, type Table } from '@x/retrieval/tables'
import type { Docs } from '../docs.ts'
import { searchedWords, termsOf } from '../search/words.ts'

/** The interval at which a client receives the progress of the first reading, in milliseconds. */
const PROGRESS_EVERY = 1000
/** The maximum number of rows of a table that was found. */
const SHOWN_ROWS = 5

/** Hints for programs that decide whether a tool may run. */
export const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

/** The argument that selects a part of the folder. */
export const within = {
  type: 'string',
  description: 'a document or a folder, such as guides/install.md or guides; all documents by default',
} as const

/** The arguments of a page. */
export const offset = {
  type: 'integer',
  minimum: 0,
  description: 'how many entries are skipped; 0 by default',
} as const
export const limitOf = (byDefault: number, maximum: number) =>
  ({
    type: 'integer',
    minimum: 1,
    maximum,
    description: `the maximum number of entries; ${byDefault} by default`,
  }) as const

/** A place in a result. */
export const place = { type: 'string', description: 'file:line-line, for the tool read' } as const
/** The offset of the next page in a result. */
export const next = { type: 'integer', description: 'the offset of the next page, if there is one' } as const

/** Rows of a table in a result. */
export const rows = {
  type: 'array',
  items: {
    type: 'object',
    properties: { row: { type: 'integer' }, place, cells: { type: 'array', items: { type: 'string' } } },
    required: ['row', 'place', 'cells'],
  },
} as const

/** A table in a result. */
export const tableProperties = {
  table: { type: 'string', description: 'the id of the table, for the tool read_table' },
  place,
  heading: { type: 'string', description: 'the headings above it' },
  columns: { type: 'array', items: { type: 'string' } },
  rowCount: { type: 'integer', description: 'the number of all rows' },
  rows,
  matched: { type: 'boolean', description: 'whether the rows match the query; otherwise they are the first rows' },
} as const

/** A table that was found. */
export interface TablePassage {
  table: string
  place: string
  heading: string
  columns: string[]
  rowCount: number
  rows: FoundRow[]
  matched: boolean
}

/** Returns a table with the rows that match a query, or with its first rows. */
export function tablePassage(table: Table, query: string): TablePassage {
  const { id, place, heading, columns } = table
  const best = query === '' ? [] : bestRows(table, searchedWords(query).join(' '), SHOWN_ROWS, termsOf)
  const shown = best.length > 0 ? best : table.rows.slice(0, SHOWN_ROWS)
  return {
    table: id,
    place: placeText(place),
    heading,
    columns,
    rowCount: table.rows.length,
    rows: shown.map(foundRow),
    matched: best.length > 0,
  }
}

/** Returns a page of a list, with the offset of the next one. */
export function pageOf<T>(all: readonly T[], from: number, limit: number): { page: T[]; next?: number } {
  const page = all.slice(from, from + limit)
  const end = from + page.length
  return { page, ...(end < all.length && { next: end }) }
}

/** Waits for the first reading of the folder, reports its progress, and calls `work`. */
export async function whenRead<T>(docs: Docs, { onProgress }: ToolCallContext, work: () => Promise<T>): Promise<T> {
  const report = () => {
    const { progress } = docs
    if (progress && progress.total > 0)
      onProgress?.({ progress: progress.done, total: progress.total, message: 'Reading the documents.' })
  }
  report()
  const timer = setInterval(report, PROGRESS_EVERY)
  try {
    await docs.upToDate()
  } finally {
    clearInterval(timer)
  }
  return work()
}
