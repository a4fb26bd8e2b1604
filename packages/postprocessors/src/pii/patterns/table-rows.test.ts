import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../../tools/extent.ts'
import { growthOf } from '../../../../../tools/growth.ts'
import { findPatterns, type PatternRecognizer } from '../find-patterns.ts'
import { NERPIINodePostprocessor } from '../ner-pii-node-postprocessor.ts'
import { birthDates } from './birth-dates.ts'
import { credentials } from './credentials.ts'
import { labelledText } from './labelled-text.ts'
import { tablePlaces, tableRows } from './table-rows.ts'

const words = (text: string, find: PatternRecognizer = findPatterns) =>
  find(text).map(({ word, start, end }) => (text.slice(start!, end!) === word ? word : 'another place'))

describe('tableRows', () => {
  it('returns the rows with the header before each cell, and the places of the cells', () => {
    const source =
      'Text\n\n| name | **phone** | |\n| :-- | -: |---|\n| Ann | 1\\|2 | x | y |\n| | 3 |\n\n| no | table |\n'
    const rows = labelledText(source, tableRows(source))!
    expect(rows.text.replace(/\n+$/, '').split(/\n{12,}/)).toEqual(['name: Ann\n**phone**: 1\\|2\nx', '**phone**: 3'])
    expect(rows.cells.map(({ from, length }) => source.slice(from, from + length))).toEqual(['Ann', '1\\|2', 'x', '3'])
    expect(rows.cells.map(({ at, length }) => rows.text.slice(at, at + length))).toEqual(['Ann', '1\\|2', 'x', '3'])
    expect(labelledText('', tableRows('no table | here\n---'))).toBeUndefined()
  })

  it.each([
    ['without outer pipes', 'a | b\n-|-\n1 | 2\n3', [2, '1 | 2\n3']],
    ['in a quote', '> | a | b |\n> |---|---|\n> | 1 | 2 |\n\n| 3 | 4 |', [2, '> | 1 | 2 |']],
    ['in a quote in a list', '- > | a | b |\n  > |---|---|\n  > | 1 | 2 |\n\n- x', [2, '  > | 1 | 2 |']],
    ['in a list', '1. | a | b |\n   |---|---|\n   | 1 | 2 |', [2, '   | 1 | 2 |']],
    ['that ends at a heading', '| a | b |\n|-|-|\n| 1 | 2 |\n# | 3 |', [2, '| 1 | 2 |']],
    ['without a body', '| a | b |\n|-|-|', [2, '']],
    ['of one column', '| a |\n|---|\n| 1 |', [1, '| 1 |']],
  ])('finds a table %s', (_, text, [columns, body]) => {
    expect(tablePlaces(text).map((table) => [table.columns, text.slice(table.body, table.end)])).toEqual([
      [columns, body],
    ])
  })

  it.each(['| a | b |\n|---|', 'a\n---', '| a |\n| b |', '|---|\n'])('finds no table in %j', (text) => {
    expect(tablePlaces(text)).toEqual([])
  })
})

describe('the header of a column', () => {
  it.each([
    ['| name | phone |\n|---|---|\n| A | 030 901821 |', ['030 901821']],
    ['| Telefon (Büro) | x |\n|---|---|\n| 030/901820 | 030 901821 |', ['030/901820']],
    ['phone | x\n---|---\n030\\-901820 | y\n030 901821 |', ['030\\-901820', '030 901821']],
    ['> | x | Tel. |\n> |---|---|\n> | a | 030 901820 |', ['030 901820']],
    ['| Field | Value |\n|---|---|\n| Phone | 030 901820 |', ['030 901820']],
    ['| | Berlin | Bonn |\n|---|---|---|\n| Phone | 030 901820 | 0228 901820 |', ['030 901820', '0228 901820']],
    ['- > | x | phone |\n  > |---|---|\n  > | a | 030 901820<br>030 901821 |', ['030 901820', '030 901821']],
    ['| card | n |\n|---|---|\n| 4111 111111 111111 | 1 |', ['4111 111111 111111']],
  ])('is a label of its cells: %s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('is a label for other kinds too', () => {
    const find = findPatterns({ kinds: [credentials, birthDates] })
    const text = '| user | password | born |\n|---|---|---|\n| ann | hunter!2 | 1.2.1990 |'
    expect(words(text, find)).toEqual(['hunter!2', '1.2.1990'])
  })

  it.each([
    '| month | mobile | phones |\n|---|---|---|\n| May | 120000 | 34567 |',
    '| order number | version |\n|---|---|\n| 4111111111111111 | 1.2.3.4 |',
    '| phone model | price |\n|---|---|\n| 12345 | 54321 |',
    '| a | phone |\n|---|---|\n| 901820901 | x |',
  ])('says that numbers are something else: %s', (text) => {
    expect(words(text)).toEqual([])
  })

  it.each([
    'name: A\nphone: 030 901821',
    'field: Phone\nvalue: 030 901820',
    'name: Phone\nAnn: 030 901821',
    'month: May\nmobile: 120000',
    'platform: mobile\nusers: 120000',
    'order number: 4111111111111111\nversion: 1.2.3.4',
    'mail: ann@example.org\ncard: 4111 111111 111111\ncity: Bonn',
  ])('is read as in the text of the row: %s', (row) => {
    const cells = row.split('\n').map((line) => line.split(': '))
    const table = `| ${cells.map(([header]) => header).join(' | ')} |\n|${'---|'.repeat(cells.length)}\n| ${cells.map(([, cell]) => cell).join(' | ')} |`
    expect(words(table)).toEqual(words(row))
  })

  it.each(someOf(['| a |\n|-|\n', '|-', '| a ', '|', '| phone |\n', 'a|b\n-|-\n', '> ', '\\|'], 3))(
    'takes linear time on many %j',
    { tags: 'growth' },
    async (unit) => {
      const table = (size: number) => `| a | phone |\n|---|---|\n${unit.repeat(size)}`
      expect(await growthOf((size) => findPatterns(table(size)), 500)).toBeLessThan(1.75)
      const wide = (size: number) => `|${'phone|'.repeat(size)}\n|${'-|'.repeat(size)}\n${'a|\n'.repeat(size)}`
      expect(await growthOf((size) => findPatterns(wide(size)), 500)).toBeLessThan(1.75)
    },
  )
})

it('masks the same numbers in a long table, its cells as data and its rows', async () => {
  const numbers = Array.from({ length: 80 }, (_, index) => `030 9018${10 + index}`)
  const rows = numbers.map((number, index) => `| Person ${index} | ${number} |`)
  const table = new TextNode({
    text: `| name | phone |\n|---|---|\n${rows.join('\n')}`,
    metadata: {
      table_df: JSON.stringify({ columns: ['name', 'phone'], rows: numbers.map((number) => ['x', number]) }),
    },
    excludedLlmMetadataKeys: ['table_df'],
    excludedEmbedMetadataKeys: ['table_df'],
  })
  const nodes = [table, new TextNode({ text: `name: Person 3\nphone: ${numbers[3]}` })]
  const parts: string[] = []
  const mask = new NERPIINodePostprocessor({
    ner: (text) => {
      parts.push(text)
      return findPatterns(text)
    },
    mappingSink: () => {},
  })
  const masked = await mask.postprocessNodes(nodes.map((node) => new NodeWithScore({ node })))
  expect(JSON.stringify(masked.map((entry) => entry.toDict()))).not.toMatch(/030 9018/)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(1000)
  expect(parts.length).toBeGreaterThan(3)
})

it('finds the numbers of a summary behind the name of their column', () => {
  const columns = ',\nwith the following columns:\n- phone\n- name\n\n(part 2 of 3)'
  expect(words(`Staff: phone, name; phone: 030 901820, 030 901821${columns}`)).toEqual(['030 901820', '030 901821'])
  expect(words(`Sales: mobile, desktop; mobile: 120000, 345678${columns.replace('phone', 'mobile')}`)).toEqual([])
  expect(words('Orders: order number, price; order number: 4111111111111111, 5500000000000004')).toEqual([])
})
