import { expect, it } from 'vitest'
import { cellRanges, columnAligns, countCells, countDelimiterCells, rowCells } from './table-row.ts'

const cells = (row: string) => rowCells(row, 0, row.length)

it.each([
  ['with outer pipes', '| a | b |', ['a', 'b']],
  ['without outer pipes', 'a | b', ['a', 'b']],
  ['with an empty cell', '| a || c |', ['a', '', 'c']],
  ['with an escaped pipe', '| a \\| b |', ['a | b']],
  ['with an escaped backslash before a pipe', '| a \\\\| b |', ['a \\\\', 'b']],
  ['of one lone pipe', '|', ['']],
])('returns the cells of a row %s', (_, row, expected) => {
  expect(cells(row)).toEqual(expected)
})

it('returns ranges without the blanks around a cell, as many as countCells counts', () => {
  const row = '|  a b |c|'
  expect(cellRanges(row, 0, row.length)).toEqual([3, 6, 8, 9])
  for (const text of [row, 'a | b', '| a \\| b |', '| a \\\\| b |', 'a'])
    expect(countCells(text, 0, text.length)).toBe(cells(text).length)
})

it.each([
  ['|---|:-:|', 2],
  ['-|-', 2],
  [':--', 1],
  ['|-|', 1],
  ['---', 0],
  ['| a |', 0],
  ['|--|--|x', 0],
  ['', 0],
])('counts the cells of the delimiter row %j: %i', (row, count) => {
  expect(countDelimiterCells(row, 0, row.length)).toBe(count)
})

it('returns the alignment of each column', () => {
  const row = '|:--|--:|:-:|---|'
  expect(columnAligns(row, 0, row.length)).toEqual(['left', 'right', 'center', null])
})
