import { Document, IndexNode, type TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { countTokens } from '../count-tokens.ts'
import { fromContent } from '../node-ids.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import { type TableRowsOptions, tableRows } from './table-rows.ts'

const text = '# Fruit\n\n| name | price |  |\n|---|---|---|\n| apple | 2 |\n| | | |\n| pear | 3 | sweet |\n\nEnd.'

type Options = ConstructorParameters<typeof MarkdownElementNodeParser>[0]

function parserOf(options: Options = {}, rows: TableRowsOptions = {}) {
  return new MarkdownElementNodeParser({ summarizer: 'headers', rowNodes: tableRows(rows), ...options })
}

const parse = (source: string, options: Options = {}, rows: TableRowsOptions = {}) =>
  parserOf(options, rows).getNodesFromDocuments([new Document({ id: 'd', text: source, metadata: { file: 'f.md' } })])

const isRow = (node: TextNode): node is IndexNode => Object.hasOwn(node.metadata, 'table_row')

describe('tableRows', () => {
  it('creates an index node for each row that is not blank, with its offsets, number and inherited metadata', async () => {
    const nodes = await parse(text, { headerPath: true, lineNumbers: true })
    const rows = nodes.filter(isRow)
    expect(rows.map((node) => node.text)).toEqual(['name: apple\nprice: 2', 'name: pear\nprice: 3\nsweet'])
    expect(rows.map(({ startCharIdx, endCharIdx }) => text.slice(startCharIdx ?? 0, endCharIdx ?? 0))).toEqual([
      '| apple | 2 |',
      '| pear | 3 | sweet |',
    ])
    expect(rows[1]?.metadata).toEqual({ table_row: 3, header_path: 'Fruit', start_line: 7, end_line: 7, file: 'f.md' })
    expect(rows[1]?.getMetadataStr('embed')).toBe('header_path: Fruit\nfile: f.md')
  })

  it('links rows and their table, and does not change the links of other nodes', async () => {
    const nodes = await parse(text)
    const rows = nodes.filter(isRow)
    const table = nodes.find(({ metadata }) => Object.hasOwn(metadata, 'table_df'))
    const index = nodes.find((node) => node instanceof IndexNode && node.indexId === table?.id)
    expect(rows.map(({ indexId }) => indexId)).toEqual([index?.id, index?.id])
    expect(rows.map(({ parentNode }) => [parentNode?.nodeId, parentNode?.hash])).toEqual([
      [table?.id, table?.hash],
      [table?.id, table?.hash],
    ])
    expect(table?.childNodes?.map(({ nodeId, hash }) => [nodeId, hash])).toEqual(rows.map(({ id, hash }) => [id, hash]))
    expect(rows.map(({ prevNode, nextNode }) => [prevNode, nextNode])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(table?.nextNode?.nodeId).toBe(nodes.at(-1)?.id)
    const plain = await new MarkdownElementNodeParser({ summarizer: 'headers' }).getNodesFromDocuments([
      new Document({ text }),
    ])
    expect(nodes.filter((node) => !isRow(node)).map((node) => node.text)).toEqual(plain.map((node) => node.text))
  })

  it('creates nodes for the rows of a table with surplus cells, whose summary has its columns', async () => {
    const ragged = '# Prices\n\n| fruit | price |\n|---|---|\n| apple |\n| pear | 3 | note |'
    const nodes = await parse(ragged)
    expect(nodes.filter(isRow).map((node) => node.text)).toEqual(['fruit: apple', 'fruit: pear\nprice: 3\nnote'])
    expect(nodes.find((node) => node instanceof IndexNode)?.text).toMatch(/^Prices: fruit, price; fruit: apple, pear,/)
    const table = nodes.find(({ metadata }) => Object.hasOwn(metadata, 'table_df'))
    expect(table?.metadata['table_df']).toBe(ragged.slice(ragged.indexOf('|')))
    const [first, second] = (await parse(`${ragged}\n${'| plum | 4 |\n'.repeat(30)}`, { maxTableTokens: 60 })).filter(
      (node) => Object.hasOwn(node.metadata, 'col_schema'),
    )
    expect([first?.text, second?.text]).toEqual([
      expect.stringContaining('fruit: apple, pear, plum'),
      expect.stringContaining('fruit: plum'),
    ])
  })

  it('links a row to the part of the table that contains it', async () => {
    const long = `|name|price|\n|-|-|\n${Array.from({ length: 30 }, (_, row) => `|item ${row}|${row}|`).join('\n')}`
    const nodes = await parse(long, { maxTableTokens: 40 })
    const rows = nodes.filter(isRow)
    expect(rows.map(({ metadata }) => metadata['table_row'])).toEqual(rows.map((_, row) => row + 1))
    expect(rows).toHaveLength(30)
    for (const row of rows) {
      const table = nodes.find(({ id }) => id === row.parentNode?.nodeId)
      expect(table?.text).toContain(row.text.split('\n')[0]?.slice('name: '.length))
    }
  })

  it('cuts the text of a row like its table, which has all of it', async () => {
    const long = '| name | note |\n|---|---|\n| pear | short |\n| plum | ' + 'word '.repeat(500) + '|'
    const nodes = await parse(long, { maxTableTokens: 40, headerPath: true, lineNumbers: true })
    const rows = nodes.filter(isRow)
    expect(rows.map((node) => node.text.slice(0, 22))).toEqual(['name: pear\nnote: short', 'name: plum\nnote: word '])
    for (const node of nodes.filter((node) => node instanceof IndexNode))
      expect(countTokens(node.getContent('embed'), null)).toBeLessThanOrEqual(40)
    const whole = nodes.filter(({ metadata }) => Object.hasOwn(metadata, 'table_df')).map((node) => node.text)
    expect(whole.join('').match(/word/g)).toHaveLength(500)
    expect((await parse(long)).filter(isRow)[1]?.text).toHaveLength(2516)
  })

  it('uses the text that a function returns, and skips rows for which it returns null', async () => {
    const nodes = await parse(
      text,
      {},
      { text: ({ cells, row, summary }) => (row === 1 ? null : `${summary.split('\n')[0]} ${cells.join('/')}`) },
    )
    expect(nodes.filter(isRow).map((node) => node.text)).toEqual([
      'Fruit: name, price; name: apple, pear, //',
      'Fruit: name, price; name: apple, pear, pear/3/sweet',
    ])
  })

  it('returns objects that refer to the index node of their table, which contains the table', async () => {
    const parser = parserOf()
    const parsed = await parser.getNodesFromDocuments([new Document({ text })])
    const { nodes, objects } = parser.getNodesAndObjects(parsed)
    expect(nodes.map((node) => node.text)).toEqual(['# Fruit', 'End.'])
    expect(objects.map(({ obj }) => obj !== null)).toEqual([true, false, false])
    const byId = new Map(objects.map((node) => [node.id, node]))
    expect(objects.filter(isRow).map(({ indexId }) => byId.get(indexId)?.obj === objects[0]?.obj)).toEqual([true, true])
  })

  it('supports HTML tables, elements without a document, and ids by content', async () => {
    const html = '<table><tr><th>a<th>b<tr><td>1<td>2</table>'
    const [row] = (await parse(html, { htmlTables: 'table' })).filter(isRow)
    expect([row?.text, row?.startCharIdx, row?.endCharIdx]).toEqual(['a: 1\nb: 2', 0, html.length])
    const parser = parserOf()
    const elements = parser.extractElements(text)
    await parser.extractTableSummaries(elements)
    const made = (await parser.getNodesFromElements(elements)).filter(isRow)
    expect(made.map(({ parentNode }) => parentNode !== null)).toEqual([true, true])
    const twice = await Promise.all([parse(text, { idFunc: fromContent() }), parse(text, { idFunc: fromContent() })])
    expect(twice[0]?.map(({ id }) => id)).toEqual(twice[1]?.map(({ id }) => id))
  })

  it('takes linear time and space for a long table', { tags: 'growth' }, async () => {
    const long = (rows: number) => `|name|price|\n|-|-|\n${'|item|1|\n'.repeat(rows)}`
    expect(await growthOf((rows) => parse(long(rows)), 30)).toBeLessThan(1.75)
    const bytes = async (rows: number) => JSON.stringify((await parse(long(rows))).map((node) => node.toDict())).length
    expect((await bytes(400)) / (await bytes(100))).toBeLessThan(4.5)
  })
})
