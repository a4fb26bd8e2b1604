/**
 * @module
 * Reads a table by page: filtered by conditions, sorted by a column, with the sum and the mean of a column.
 */
import {
  checkGiven,
  checkOption,
  checkOptions,
  flag,
  list,
  type OptionTable,
  required,
  text,
  wholeNumber,
} from '@x/core/options'
import { tokenizeWords as wordsOf } from '../word-tokenizer.ts'
import { findPhrase } from './find-phrase.ts'
import { placeText } from './place.ts'
import { plainText } from './plain-text.ts'
import { comparable, formatAmount, isMissing, type Quantity } from './quantity.ts'
import { findColumn, findRows, type ReadTableRow, sameCell, type Table } from './table.ts'

/** The ways to compare a cell with a value. */
const tableOperators: readonly TableOperator[] = ['equals', 'not', 'contains', 'less', 'at most', 'more', 'at least']
/** A way to compare a cell with a value. `equals`, `not` and `contains` compare words, the others numbers with units. */
type TableOperator = 'equals' | 'not' | 'contains' | 'less' | 'at most' | 'more' | 'at least'

/** A condition that the cells of a column must meet. */
interface TableCondition {
  column: string
  is: TableOperator
  /** A value, or several values of which one must match. */
  value: string | string[]
}

/** Which part of a table to read. The keys are names of tool arguments. A column is its name, or `#2` for the second column. */
export interface TableLookupRequest {
  /** The text of a cell in the row, or `#2` for the second row. */
  row?: string
  /** The column whose values and numbers are returned. */
  column?: string
  /** The columns whose cells are returned. @defaultValue all columns */
  columns?: string[]
  /** Conditions that must all be met. */
  where?: TableCondition[]
  /** The column to sort rows by: as numbers with units, or as text. Rows without a value are last. */
  sort_by?: string
  descending?: boolean
  /** The number of rows to skip. @defaultValue 0 */
  offset?: number
  /** The maximum number of rows returned, at most 50. @defaultValue 50 */
  limit?: number
}

const requestOptions: OptionTable<TableLookupRequest> = {
  row: text,
  column: text,
  columns: list,
  where: list,
  sort_by: text,
  descending: flag,
  offset: wholeNumber(0),
  limit: wholeNumber(1),
}

/** A row of a table as it is returned to a model. */
export interface FoundRow {
  /** The number of the row, starting at 1. */
  row: number
  place: string
  cells: string[]
}

/** The numbers of a column, in the matching rows. */
interface ColumnNumbers {
  /** How many cells contain a number. */
  count: number
  /** The sum, in the unit of the first number. */
  sum: string
  mean: string
}

/** A part of a table. */
export interface TableLookup {
  /** The id of the table. */
  table: string
  place: string
  heading: string
  /** The columns of the cells in `rows`. */
  columns: string[]
  /** The number of all rows. */
  rowCount: number
  /** The number of rows that match. */
  matching: number
  /** The requested column. */
  column?: string
  /** A page of the matching rows; `value` is the cell in the requested column. */
  rows: (FoundRow & { value?: string })[]
  /** The offset of the next page, if there is one. */
  next?: number
  /** The numbers of the requested column, if all of its cells can be compared. */
  numbers?: ColumnNumbers
  /** The parts of the request that could not be fulfilled, and why. */
  note?: string
}

/** The maximum number of rows in one result. */
const MAX_ROWS = 50

const columnSchema = { type: 'string', description: 'the name of a column, or #2 for the second one' } as const

/** The JSON Schema of the properties of a {@link TableLookupRequest}, for the arguments of a tool. */
export const tableLookupProperties = {
  row: { type: 'string', description: 'the text of a cell in the row, or #2 for the second row' },
  column: {
    type: 'string',
    description: 'the name of the column whose values, sum and mean are returned, or #2 for the second column',
  },
  columns: { type: 'array', items: columnSchema, description: 'the columns whose cells are returned; all by default' },
  where: {
    type: 'array',
    description: 'conditions that rows must meet, all of them',
    items: {
      type: 'object',
      properties: {
        column: columnSchema,
        is: { type: 'string', enum: tableOperators },
        value: {
          anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
          description: 'one value, or several values of which one must match',
        },
      },
      required: ['column', 'is', 'value'],
    },
  },
  sort_by: { type: 'string', description: 'the column that rows are sorted by' },
  descending: { type: 'boolean', description: 'whether the largest comes first' },
  offset: { type: 'integer', minimum: 0, description: 'how many rows are skipped; to read the next page' },
  limit: { type: 'integer', minimum: 1, maximum: MAX_ROWS, description: 'how many rows are returned at most' },
} as const

/**
 * Returns a page of the rows that match a request. Numbers are compared with their units: 900 KB is less than 3 MB. `note`
 * states what cannot be done, such as sorting by a column that does not exist.
 * @example
 * import { lookUpTable } from '@x/retrieval/tables'
 *
 * const place = { file: 'a.md', line: 1, endLine: 4 }
 * const rows = [['a', '3 MB'], ['b', '900 KB']].map((cells, i) => ({ number: i + 1, cells, place: { ...place, line: i + 3, endLine: i + 3 } }))
 * const table = { id: 'sizes', place, heading: 'Sizes', columns: ['name', 'size'], rows }
 * const { rows: found, numbers } = lookUpTable(table, { column: 'size', where: [{ column: 'size', is: 'more', value: '1 MB' }] })
 * found // => [{ row: 1, place: 'a.md:3', cells: ['a', '3 MB'], value: '3 MB' }]
 * numbers // => { count: 1, sum: '3 MB', mean: '3 MB' }
 */
export function lookUpTable(table: Table, request: TableLookupRequest): TableLookup {
  checkOption('lookUpTable', 'table', table, required('a table', 'columns', 'rows'))
  checkOptions('lookUpTable', request, requestOptions)
  const { row, column, where = [], sort_by: sortBy, descending = false, offset = 0, limit = MAX_ROWS } = request
  const notes: string[] = []
  const columnAt = (name: string): number => {
    const index = findColumn(table, name)
    if (index < 0) notes.push(`There is no column "${name}".`)
    return index
  }
  let rows = row === undefined ? table.rows : findRows(table, row)
  if (row !== undefined && rows.length === 0) notes.push(`No row has a cell that reads "${row}".`)
  for (const condition of where) rows = meeting(rows, columnAt(condition.column), condition, notes)
  const index = column === undefined ? -1 : columnAt(column)
  if (sortBy !== undefined) rows = sorted(rows, columnAt(sortBy), sortBy, descending, notes)
  const page = rows.slice(offset, offset + Math.min(limit, MAX_ROWS))
  const next = offset + page.length
  if (next < rows.length)
    notes.push(`These are rows ${offset + 1} to ${next} of ${rows.length}; the offset ${next} continues.`)
  const numbers = index < 0 || row !== undefined ? undefined : numbersOf(rows, index)
  const chosen = request.columns?.map(columnAt).filter((at) => at >= 0)
  const shown = (cells: string[]) => (chosen ? chosen.map((at) => cells[at] ?? '') : cells)
  return {
    table: table.id,
    place: placeText(table.place),
    heading: table.heading,
    columns: shown(table.columns),
    rowCount: table.rows.length,
    matching: rows.length,
    ...(index >= 0 && { column: table.columns[index]! }),
    rows: page.map((one) => ({
      ...foundRow({ ...one, cells: shown(one.cells) }),
      ...(index >= 0 && { value: one.cells[index] ?? '' }),
    })),
    ...(next < rows.length && { next }),
    ...(numbers && { numbers }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

/** Returns a row as it is returned to a model. */
export function foundRow(row: ReadTableRow): FoundRow {
  checkGiven('foundRow', { row }, 'a row of a table')
  const { number, place, cells } = row
  return { row: number, place: placeText(place), cells }
}

function meeting(
  rows: readonly ReadTableRow[],
  index: number,
  { column, is, value }: TableCondition,
  notes: string[],
): ReadTableRow[] {
  if (index < 0) return []
  const values = [value].flat()
  const cellOf = ({ cells }: ReadTableRow) => cells[index] ?? ''
  if (is === 'equals') return rows.filter((row) => values.some((one) => sameCell(cellOf(row), one)))
  if (is === 'not') return rows.filter((row) => !values.some((one) => sameCell(cellOf(row), one)))
  if (is === 'contains') return rows.filter((row) => values.some((one) => contains(cellOf(row), one)))
  const { quantities, problem } = comparable([...rows.map(cellOf), ...values])
  if (problem !== undefined) {
    notes.push(`The column "${column}" cannot be compared with "${values.join('", "')}": ${problem}.`)
    return []
  }
  const bounds = quantities.slice(rows.length)
  return rows.filter((_, at) => quantities[at] && bounds.some((bound) => bound && meets(quantities[at]!, is, bound)))
}

function contains(cell: string, value: string): boolean {
  return findPhrase(wordsOf(plainText(cell)), wordsOf(plainText(value))) >= 0
}

function meets(one: Quantity, is: TableOperator, bound: Quantity): boolean {
  const difference = one.amount - bound.amount
  if (is === 'less') return difference < 0
  if (is === 'at most') return difference <= 0
  return is === 'more' ? difference > 0 : difference >= 0
}

/** Sorts by the numbers of a column; by its text if it contains none. Rows without a value are last. */
function sorted(
  rows: readonly ReadTableRow[],
  index: number,
  column: string,
  descending: boolean,
  notes: string[],
): ReadTableRow[] {
  if (index < 0) return [...rows]
  const cells = rows.map((row) => row.cells[index] ?? '')
  const { quantities, problem } = comparable(cells)
  if (problem !== undefined) notes.push(`The column "${column}" is sorted as text, because ${problem}.`)
  const compare = (one: number, other: number) =>
    quantities
      ? quantities[one]!.amount - quantities[other]!.amount
      : plainText(cells[one]!).localeCompare(plainText(cells[other]!), 'en')
  const isEmpty = (at: number) => (quantities ? quantities[at] === null : isMissing(cells[at]!))
  const order = [...rows.keys()].sort((one, other) => {
    if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other)) || one - other
    return compare(one, other) * (descending ? -1 : 1) || one - other
  })
  return order.map((at) => rows[at]!)
}

function numbersOf(rows: readonly ReadTableRow[], index: number): ColumnNumbers | undefined {
  const { quantities } = comparable(rows.map(({ cells }) => cells[index] ?? ''))
  const known = (quantities ?? []).filter((one) => one !== null)
  if (known.length === 0 || known.some(({ dimension }) => dimension.startsWith('date') || dimension === 'time of day'))
    return undefined
  const sum = known.reduce((total, { amount }) => total + amount, 0)
  const decimals = Math.max(...known.map((one) => one.decimals))
  return {
    count: known.length,
    sum: formatAmount(sum, known[0]!, decimals),
    mean: formatAmount(sum / known.length, known[0]!, decimals + 2),
  }
}
