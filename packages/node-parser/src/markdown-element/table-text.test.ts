import { expect, it } from 'vitest'
import type { Element } from './element.ts'
import { columnSchema, describeTable } from './table-text.ts'

const columns = [
  { colName: 'a', colType: 'text', summary: 'first' },
  { colName: 'b', colType: '', summary: '' },
  { colName: '', colType: 'text', summary: 'no name' },
  { colName: 'd', colType: 'text', summary: null },
  { colName: '', colType: 'text', summary: null },
]

it('contains what a model says of each column, also an empty string', () => {
  const tableOutput = { summary: 'S', tableTitle: null, tableId: null, columns }
  expect(describeTable({ tableOutput } as unknown as Element)).toBe(
    'S,\nwith the following columns:\n- a: first\n- b: \n- : no name\n- d\n',
  )
  expect(columnSchema(columns.slice(0, 2))).toBe(
    'Column: a\nType: text\nSummary: first\n\nColumn: b\nType: \nSummary: ',
  )
})
