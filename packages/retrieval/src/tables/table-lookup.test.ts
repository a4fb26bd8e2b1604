import { describe, expect, it } from 'vitest'
import type { Table } from './table.ts'
import { lookUpTable, type TableLookupRequest } from './table-lookup.ts'

function tableOf(columns: string[], ...rows: string[][]): Table {
  const place = { file: 'a.md', line: 1, endLine: rows.length + 2 }
  return {
    id: 'a.md#1',
    place,
    heading: '',
    columns,
    rows: rows.map((cells, index) => ({
      number: index + 1,
      cells,
      place: { ...place, line: index + 3, endLine: index + 3 },
    })),
  }
}

const sizes = tableOf(
  ['name', 'size', 'kind'],
  ['a', '12 KB', 'big'],
  ['b', '3 MB', 'big'],
  ['c', '', 'small'],
  ['d', '800 B', 'small'],
  ['e', '1 GB', 'big one'],
)
const names = (request: TableLookupRequest) =>
  lookUpTable(sizes, request)
    .rows.map(({ cells }) => cells[0])
    .join('')

describe('lookUpTable', () => {
  it('returns pages, each with the offset of the next one', () => {
    const long = tableOf(['n'], ...Array.from({ length: 120 }, (_, at) => [String(at)]))
    const first = lookUpTable(long, {})
    expect([first.rows.length, first.rowCount, first.next]).toEqual([50, 120, 50])
    expect(first.note).toBe('These are rows 1 to 50 of 120; the offset 50 continues.')
    const seen = [0, 50, 100].flatMap((offset) => lookUpTable(long, { offset }).rows.map(({ row }) => row))
    expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
    expect(lookUpTable(long, { offset: 100 })).not.toHaveProperty('next')
    expect(lookUpTable(long, { offset: 3, limit: 2 }).rows.map(({ row }) => row)).toEqual([4, 5])
    expect(lookUpTable(long, { offset: 500 }).rows).toEqual([])
  })

  it('sorts by numbers with units, rows without a value last', () => {
    expect(names({ sort_by: 'size' })).toBe('dabec')
    expect(names({ sort_by: 'size', descending: true })).toBe('ebadc')
  })

  it('refuses requests with keys that it does not have', () => {
    expect(() => lookUpTable(sizes, { sortBy: 'size' } as never)).toThrow(
      'lookUpTable.sortBy: unknown option; did you mean sort_by?',
    )
    expect(() => lookUpTable(sizes, { limit: 0 })).toThrow('lookUpTable.limit: expected an integer of at least 1')
  })

  it('sorts by text if the cells of a column cannot be compared, and states why', () => {
    expect(names({ sort_by: 'kind', descending: true })).toBe('cdeab')
    expect(lookUpTable(sizes, { sort_by: 'kind' }).note).toBe(
      'The column "kind" is sorted as text, because “big” is not a number.',
    )
  })

  it.each<[TableLookupRequest, string]>([
    [{ where: [{ column: 'kind', is: 'equals', value: 'big' }] }, 'ab'],
    [{ where: [{ column: 'kind', is: 'equals', value: ['small', 'big one'] }] }, 'cde'],
    [{ where: [{ column: 'kind', is: 'not', value: 'big' }] }, 'cde'],
    [{ where: [{ column: 'kind', is: 'contains', value: 'big' }] }, 'abe'],
    [{ where: [{ column: 'size', is: 'less', value: '0.012 MB' }] }, 'd'],
    [{ where: [{ column: 'size', is: 'at most', value: '12 KB' }] }, 'ad'],
    [{ where: [{ column: 'size', is: 'more', value: '12 KB' }] }, 'be'],
    [{ where: [{ column: 'size', is: 'at least', value: '12 KB' }] }, 'abe'],
    [
      {
        where: [
          { column: 'size', is: 'more', value: '1 KB' },
          { column: 'kind', is: 'equals', value: 'big' },
        ],
      },
      'ab',
    ],
    [{ where: [{ column: 'size', is: 'more', value: '5 m' }] }, ''],
    [{ where: [{ column: 'weight', is: 'equals', value: '1' }] }, ''],
  ])('filters by %j', (request, expected) => {
    expect(names(request)).toBe(expected)
  })

  it('states why a filter cannot be applied', () => {
    const note = (column: string, value: string) => lookUpTable(sizes, { where: [{ column, is: 'more', value }] }).note
    expect(note('size', '5 m')).toBe(
      'The column "size" cannot be compared with "5 m": the units of “KB” and “m” differ.',
    )
    expect(note('weight', '5')).toBe('There is no column "weight".')
    expect(lookUpTable(sizes, { row: 'z' }).note).toBe('No row has a cell that reads "z".')
  })

  it('returns the requested columns only, in their order', () => {
    const { columns, rows, column, note } = lookUpTable(sizes, {
      columns: ['kind', '#1', 'weight'],
      column: 'size',
      limit: 1,
    })
    expect([columns, rows[0]?.cells, rows[0]?.value, column]).toEqual([['kind', 'name'], ['big', 'a'], '12 KB', 'size'])
    expect(note).toContain('There is no column "weight".')
  })

  it('adds up the numbers of the matching rows, in the unit of the first one', () => {
    const where = [{ column: 'kind', is: 'equals', value: 'big' } as const]
    expect(lookUpTable(sizes, { column: 'size', where })).toMatchObject({
      matching: 2,
      numbers: { count: 2, sum: '3,012 KB', mean: '1,506 KB' },
    })
    expect(lookUpTable(sizes, { column: 'size', limit: 1 }).numbers?.count).toBe(4)
    expect(lookUpTable(sizes, { column: 'kind' })).not.toHaveProperty('numbers')
    expect(lookUpTable(tableOf(['day'], ['2020-01-01']), { column: 'day' })).not.toHaveProperty('numbers')
  })
})
