/**
 * @module
 * Reads a table by page: filtered by conditions, sorted by a column, with the sum and the mean of a column.
 */
import { placeText } from './place.ts'
import { plainText } from './plain-text.ts'
import { comparable, formatAmount, isMissing, type Quantity } from './quantity.ts'
import { findColumn, findRows, type Row, sameCell, type Table } from './table.ts'
import { findPhrase, wordsOf } from './words.ts'

/** How a cell is compared with a value. */
export const OPERATORS = ['equals', 'not', 'contains', 'less', 'at most', 'more', 'at least'] as const
export type Operator = (typeof OPERATORS)[number]

/** A condition that the cells of a column must meet. */
export interface Condition {
  column: string
  is: Operator
  /** A value, or several of which one must fit. */
  value: string | string[]
}

/** The part of a table that is read. */
export interface LookupRequest {
  row?: string
  column?: string
  where?: Condition[]
  sort_by?: string
  descending?: boolean
  /** The number of rows that are skipped. */
  offset?: number
  /** The maximum number of rows returned. */
  limit?: number
}

/** A row of a table. */
export interface FoundRow {
  row: number
  place: string
  cells: string[]
}

/** The numbers of a column, in the matching rows. */
export interface ColumnNumbers {
  /** How many cells contain a number. */
  count: number
  sum: string
  mean: string
}

/** A part of a table. */
export interface TableLookup {
  table: string
  place: string
  heading: string
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
  note?: string
}

/** The maximum number of rows in one result. */
export const MOST_ROWS = 50

/** Returns a page of the rows that match a request. */
export function lookUp(table: Table, request: LookupRequest): TableLookup {
  const { row, column, where = [], sort_by: sortBy, descending = false, offset = 0, limit = MOST_ROWS } = request
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
  const page = rows.slice(offset, offset + Math.min(limit, MOST_ROWS))
  const next = offset + page.length
  if (next < rows.length)
    notes.push(`These are rows ${offset + 1} to ${next} of ${rows.length}; the offset ${next} continues.`)
  const numbers = index < 0 || row !== undefined ? undefined : numbersOf(rows, index)
  return {
    table: table.id,
    place: placeText(table.place),
    heading: table.heading,
    columns: table.columns,
    rowCount: table.rows.length,
    matching: rows.length,
    ...(index >= 0 && { column: table.columns[index]! }),
    rows: page.map((one) => ({ ...foundRow(one), ...(index >= 0 && { value: one.cells[index] ?? '' }) })),
    ...(next < rows.length && { next }),
    ...(numbers && { numbers }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

/** Returns a row as it is shown. */
export function foundRow({ number, place, cells }: Row): FoundRow {
  return { row: number, place: placeText(place), cells }
}

function meeting(rows: readonly Row[], index: number, { column, is, value }: Condition, notes: string[]): Row[] {
  if (index < 0) return []
  const values = [value].flat()
  const cellOf = ({ cells }: Row) => cells[index] ?? ''
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

function meets(one: Quantity, is: Operator, bound: Quantity): boolean {
  const difference = one.amount - bound.amount
  if (is === 'less') return difference < 0
  if (is === 'at most') return difference <= 0
  return is === 'more' ? difference > 0 : difference >= 0
}

/** Sorts by the numbers of a column; by its text if it contains none. Rows without a value are last. */
function sorted(rows: readonly Row[], index: number, column: string, descending: boolean, notes: string[]): Row[] {
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

function numbersOf(rows: readonly Row[], index: number): ColumnNumbers | undefined {
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
