import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TableOutput } from './table-output.ts'

const text = fc.string()
const maybe = fc.option(text, { nil: null })
const dicts = fc
  .record({
    summary: text,
    table_title: maybe,
    table_id: maybe,
    columns: fc.array(fc.record({ col_name: text, col_type: text, summary: maybe }), { maxLength: 3 }),
    should_keep: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ should_keep, ...rest }) => (should_keep === undefined ? rest : { ...rest, should_keep }))

it('is read and written in the form of Python, byte for byte', () => {
  fc.assert(
    fc.property(dicts, (dict) => {
      expect(JSON.stringify(TableOutput.toDict(TableOutput.fromDict(dict)))).toBe(JSON.stringify(dict))
    }),
  )
})

it('reads null and missing titles, and ignores unknown keys', () => {
  const output = TableOutput.fromDict({ summary: 's', columns: [{ col_name: 'a', col_type: 'b', more: 1 }], more: 2 })
  expect(output).toEqual({
    summary: 's',
    tableTitle: null,
    tableId: null,
    columns: [{ colName: 'a', colType: 'b', summary: null }],
  })
})

it.each([
  [{ columns: [] }, 'summary'],
  [{ summary: 's' }, 'columns'],
  [{ summary: 's', columns: [{ col_name: 'a' }] }, 'columns[0].colType'],
  [{ summary: 's', columns: [], should_keep: 'yes' }, 'shouldKeep'],
])('refuses %j, and names the place', (dict, path) => {
  expect(() => TableOutput.fromDict(dict)).toThrow(
    expect.objectContaining({ code: 'model_validation', issues: [expect.objectContaining({ path })] }),
  )
})
