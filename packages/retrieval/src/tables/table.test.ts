import { Document } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import { describe, expect, it } from 'vitest'
import { wordTokenizer } from '../word-tokenizer.ts'
import { bestRows, findColumn, findRows, isTableNode, readTable, type Table } from './table.ts'

async function tableOf(text: string): Promise<Table> {
  const parser = new MarkdownElementNodeParser({
    summarizer: 'headers',
    lineNumbers: true,
    headerPath: true,
    htmlTables: 'table',
  })
  const nodes = await parser.getNodesFromDocuments([new Document({ id: 'a.md', text, metadata: { file: 'a.md' } })])
  return readTable(nodes.find(isTableNode)!)
}

const FRUIT =
  '# Fruit\n\n| Name | Price (€) | Alias |\n|---|---|---|\n| red apple | 2 | apple |\n| apple | 3 | pomme |\n| a \\| b | | pear |\n'

describe('readTable', () => {
  it('returns cells with the line of each row', async () => {
    expect(await tableOf(FRUIT)).toMatchObject({
      place: { file: 'a.md', line: 3, endLine: 7 },
      heading: 'Fruit',
      columns: ['Name', 'Price (€)', 'Alias'],
      rows: [
        { number: 1, cells: ['red apple', '2', 'apple'], place: { file: 'a.md', line: 5, endLine: 5 } },
        { number: 2, cells: ['apple', '3', 'pomme'], place: { line: 6 } },
        { number: 3, cells: ['a | b', '', 'pear'], place: { line: 7 } },
      ],
    })
  })

  it('keeps the surplus cells of rows that are longer than the header', async () => {
    const { columns, rows } = await tableOf('| a | b |\n|---|---|\n| 1 | 2 | 3 \\| 4 |\n| 5 | 6 |\n')
    expect([columns, ...rows.map(({ cells }) => cells)]).toEqual([
      ['a', 'b'],
      ['1', '2', '3 | 4'],
      ['5', '6'],
    ])
  })

  it('uses the place of the table for rows of an HTML table', async () => {
    const html = '<table>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</table>\n'
    const { rows, place } = await tableOf(html)
    expect(rows[0]).toEqual({ number: 1, cells: ['1', '2'], place })
  })
})

describe('findColumn', () => {
  it.each([
    ['Price (€)', 1],
    ['price', 1],
    ['NAMES', 0],
    ['#3', 2],
    ['#4', -1],
    ['weight', -1],
    ['', -1],
  ])('%j', async (name, index) => {
    expect(findColumn(await tableOf(FRUIT), name)).toBe(index)
  })
})

describe('findRows', () => {
  it.each([
    ['a cell of the first column before one of a later column', 'apple', [2]],
    ['a cell of another column', 'Pomme', [2]],
    ['a part of a cell', 'red', [1]],
    ['a number', '#3', [3]],
    ['nothing', 'plum', []],
    ['no words', ' ', []],
  ])('finds %s', async (_, name, numbers) => {
    expect(findRows(await tableOf(FRUIT), name).map(({ number }) => number)).toEqual(numbers)
  })
})

describe('bestRows', () => {
  it('ranks rows that are named in full before those that share a word', async () => {
    const numbers = bestRows(await tableOf(FRUIT), 'price of the red apple', 5).map(({ number }) => number)
    expect(numbers).toEqual([1, 2])
  })

  it('compares words by the terms of a tokenizer', async () => {
    const table = await tableOf('| a | b |\n|---|---|\n| parsing | 1 |\n| the | 2 |\n')
    const tokenize = wordTokenizer({ stopWords: ['the'], stem: (word) => word.replace(/(?:ing|er)$/, '') })
    const numbers = (...more: [typeof tokenize?]) =>
      bestRows(table, 'the parser', 5, ...more).map(({ number }) => number)
    expect(numbers(tokenize)).toEqual([2, 1])
    expect(numbers()).toEqual([2])
  })
})
