import { Document, type TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { generateMarkdown, seededRandom } from '../../fuzz/generate.ts'
import { countTokens } from '../count-tokens.ts'
import type { Element } from './element.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import { rememberRows, rowPlace, startWithin, tableParts } from './table-parts.ts'

type Options = ConstructorParameters<typeof MarkdownElementNodeParser>[0]

async function parse(text: string, options: Options): Promise<{ tables: TextNode[]; indexes: TextNode[] }> {
  const parser = new MarkdownElementNodeParser({ summarizer: 'headers', ...options })
  const nodes = await parser.getNodesFromDocuments([new Document({ text })])
  return {
    tables: nodes.filter(({ metadata }) => Object.hasOwn(metadata, 'table_summary')),
    indexes: nodes.filter((node) => 'indexId' in node),
  }
}

const rowsOf = (nodes: readonly TextNode[]) =>
  nodes.flatMap(({ metadata }) => (JSON.parse(String(metadata['table_df'])) as { rows: string[][] }).rows)

/** Counts each character as a token, so that limits are exact. */
const characters = (text: string) => [...text]

describe('maxTableTokens', () => {
  const element = (text: string, table: Element['table'] = null): Element => ({
    id: 'e',
    type: 'table',
    element: text,
    titleLevel: null,
    tableOutput: null,
    startCharIdx: 50,
    endCharIdx: 74,
    table,
  })
  const head = '|a|\n|-|\n'
  const [one, two, three, four] = ['|1|\n', '|2|\n', '|3|\n', '|4|\n'] as const
  const parts = (limit: number | null, rows: readonly string[] = [one, two, three, four], summary = 'sum') =>
    tableParts(element(head + rows.join('')), limit, characters, summary)
  const texts = (...args: Parameters<typeof parts>) => parts(...args).map(({ text }) => text)

  it('keeps a table whole that has exactly as many tokens with its summary', () => {
    const whole = `sum\n${head}|1|\n|2|\n`
    expect([texts(null, [one, two]), texts(20, [one, two])]).toEqual([[whole], [whole]])
    expect(texts(19, [one, two])).toEqual([`sum\n${head}${one}`, `${head}${two}`])
  })

  it('fills parts to exactly the limit', () => {
    expect(texts(20)).toEqual([`sum\n${head}${one}${two}`, `${head}${three}${four}`])
    expect(texts(16)).toEqual([`sum\n${head}${one}`, `${head}${two}${three}`, `${head}${four}`])
    expect(texts(15)).toEqual([`${head}${one}`, `${two}${three}${four}`])
    expect(texts(12)).toEqual([`${head}${one}`, `${two}${three}${four}`])
    expect(texts(11)).toEqual([head, `${one}${two}`, `${three}${four}`])
    expect(texts(4)).toEqual(['|a|', '|-|', one, two, three, four])
    expect(texts(3)).toEqual(['|a|', '|-|', '|1|', '|2|', '|3|', '|4|'])
  })

  it('names in the index node of each part its own rows, if the summary names rows', async () => {
    const row = (value: string) => `| ${value} | ${'x'.repeat(40)} |\n`
    const table = (rows: readonly string[], name = 'country') => `| ${name} | b |\n|--|--|\n${rows.map(row).join('')}`
    const countries = Array.from({ length: 60 }, (_, at) => `land${at}`)
    const namesIn = (node: TextNode) => [...node.text.matchAll(/land\d+/g)].map(([name]) => name)
    const { indexes, tables } = await parse(table(countries), { maxTableTokens: 120 })
    expect(indexes.length).toBeGreaterThan(5)
    for (const [at, node] of indexes.entries())
      expect(namesIn(node)).toEqual(rowsOf([tables[at] as TextNode]).map(([name]) => name))
    expect(indexes[1]?.text).toMatch(
      /^country, b; country: land\d.*,\nwith the following columns:\n- country\n- b\n\(part 2 of/,
    )
    // Rows without a name, between two that have one.
    const some = await parse(table(['land1', ...Array.from({ length: 30 }, () => ''), 'land2'], ''), {
      maxTableTokens: 60,
    })
    expect(some.indexes.map(namesIn).filter((names) => names.length > 0)).toEqual([['land1'], ['land2']])
    expect(some.indexes[1]?.text).toMatch(/^b,\nwith/)
    expect(some.indexes.every(({ text }) => countTokens(text, null) <= 60)).toBe(true)
    // A summary of a model is not changed.
    const summarizer = () => ({ summary: 'Lands', tableTitle: null, tableId: null, columns: [] })
    const own = await parse(table(countries), { maxTableTokens: 120, summarizer })
    expect(own.indexes[1]?.text).toMatch(/^Lands\n\(part 2/)
  })

  it('does not repeat a header that does not fit beside a row, or is larger than half of a part', () => {
    const long = '|22222222|\n'
    expect(texts(19, [one, long, three])).toEqual([`sum\n${head}${one}`, `${head}${long}`, `${head}${three}`])
    expect(texts(18, [one, long, three])).toEqual([`sum\n${head}${one}`, `${long}${three}`])
    expect(texts(15, [one, long, three])).toEqual([`${head}${one}`, `${long}${three}`])
    expect(texts(10, [one, long, three])).toEqual([head, one, '|22222222|', three])
  })

  it('has the caption in the first part only', () => {
    const rows = [['1'], ['2'], ['3']]
    const table = { columns: ['a'], rows, align: [null], caption: 'cap' }
    const of = (limit: number) =>
      tableParts(element('', table), limit, characters, 'sum').map(({ content, data }) => [content, data])
    const wide = '|a|\n|---|\n'
    const data = (columns: string[], rows: string[][]) => JSON.stringify({ columns, rows })
    expect(of(31)).toEqual([[`cap\n\n${wide}${one}${two}${three}`, data(['a'], rows)]])
    expect(of(30)).toEqual([
      [`cap\n\n${wide}${one}${two}`, data(['a'], rows.slice(0, 2))],
      [`${wide}${three}`, data(['a'], [['3']])],
    ])
    // The columns alone take 27 characters.
    expect(of(27)[1]).toEqual([`${wide}${three}`, data(['a'], [['3']])])
    expect(of(26)[1]).toEqual([`${wide}${two}${three}`, data([''], [['2'], ['3']])])
    expect(of(25)).toEqual([
      [`cap\n\n${wide}${one}`, data(['a'], [['1']])],
      [`${wide}${two}${three}`, data([''], [['2'], ['3']])],
    ])
    expect(of(15)).toEqual([
      [`cap\n\n${wide}`, data(['a'], [])],
      [`${one}${two}${three}`, data([''], rows)],
    ])
  })

  it('adds the number of a part to its summary, in at most as many tokens', () => {
    const indexTexts = (limit: number, summary: string) =>
      parts(limit, [one, two, three, four], summary).map(({ indexText }) => indexText)
    // The suffix has 14 characters.
    expect(indexTexts(16, 'su')).toEqual(['su', 'su\n(part 2 of 3)', 'su\n(part 3 of 3)'])
    expect(indexTexts(16, ' s')).toEqual([' s', ' s\n(part 2 of 3)', ' s\n(part 3 of 3)'])
    expect(indexTexts(15, 'su')).toEqual(['su', 's\n(part 2 of 2)'])
    expect(indexTexts(14, 'su')).toEqual(['su', 'su'])
    expect(indexTexts(17, 'summary ')).toEqual(['summary ', 'sum\n(part 2 of 2)'])
    expect(indexTexts(15, 'x yyyyyyyyyyyyyyyyyyyyyyyyyyyy')).toEqual(['x yyyyyyyyyyyyy', 'x\n(part 2 of 2)'])
  })

  it('measures a summary together with its suffix, which may have fewer tokens than both', () => {
    const byFour = (text: string) => text.match(/[\s\S]{1,4}/g) ?? []
    const indexTexts = (summary: string) =>
      tableParts(element(head + one + two + three + four), 4, byFour, summary).map(({ indexText }) => indexText)
    expect(indexTexts('su')).toEqual(['su', 'su\n(part 2 of 3)', 'su\n(part 3 of 3)'])
    expect(indexTexts('sum')).toEqual(['sum', 'sum', 'sum'])
  })

  it('knows the rows of each part and their place in the document', () => {
    const table = element(head + one + two + three + four)
    const places = (limit: number) =>
      tableParts(table, limit, characters, 'sum').map(({ startCharIdx, endCharIdx, firstRow, endRow }) =>
        [startCharIdx, endCharIdx, firstRow, endRow].join(),
      )
    expect(places(16)).toEqual(['50,74,0,1', '50,74,1,3', '50,74,3,4'])
    rememberRows(table, {
      rowStarts: [100, 104, 108, 112, 116, 120],
      rowEnds: [103, 107, 111, 115, 119, 123],
    })
    expect(places(99)).toEqual(['50,74,0,4'])
    expect(places(16)).toEqual(['50,61,0,1', '62,69,1,3', '70,73,3,4'])
    expect(places(11)).toEqual(['50,57,0,0', '58,65,0,2', '66,73,2,4'])
    expect(rowPlace(table, 0)).toEqual({ start: 58, end: 61 })
    expect(places(3).slice(0, 4)).toEqual(['50,57,0,0', '50,57,0,0', '58,61,0,1', '62,65,1,2'])
  })

  it('splits text without a delimiter row between lines, without a header', () => {
    const rows = element([one, two, three].join(''))
    expect(tableParts(rows, 8, characters, 'sum').map(({ text, data }) => [text, data])).toEqual([
      [`sum\n${one}`, one],
      [`${two}${three}`, `${two}${three}`],
    ])
    expect(['abc def', 'ab', '', '    '].map((text) => startWithin(text, 3, characters))).toEqual(['abc', 'ab', '', ''])
  })

  it('limits every part, including the first one with the summary', async () => {
    const text = `# A long heading over a table\n\n| name | price |\n|---|---|\n${'| apple | 2 |\n'.repeat(60)}`
    for (const maxTableTokens of [50, 60, 100, 200, 260]) {
      const { tables } = await parse(text, { maxTableTokens })
      expect(Math.max(...tables.map((node) => countTokens(node.text, null)))).toBeLessThanOrEqual(maxTableTokens)
      expect(tables.map((node) => node.text.split('|apple|2|').length - 1).reduce((sum, count) => sum + count)).toBe(60)
      expect(rowsOf(tables)).toHaveLength(60)
    }
  })

  it('omits the summary and repeated headers if they do not fit together with a row', async () => {
    const text = `| ${'name '.repeat(8)}| price |\n|---|---|\n| ${'apple '.repeat(12)}| 2 |\n| pear | 3 |`
    const { tables } = await parse(text, { maxTableTokens: 36 })
    expect(tables.map((node) => node.text)).toEqual([
      `|${'name '.repeat(8).trim()}|price|\n|---|---|\n${`|${'apple '.repeat(12).trim()}|2|`}\n`,
      `|${'name '.repeat(8).trim()}|price|\n|---|---|\n|pear|3|\n`,
    ])
  })

  it('measures the summary and the header beside the first row, however long the others are', async () => {
    for (const [first, second] of [
      [1, 20],
      [20, 1],
    ] as const) {
      const row = (count: number) => `| ${'apple '.repeat(count)}| 2 |\n`
      const text = `# Prices\n\n| name | price |\n|---|---|\n${row(first)}${row(second).repeat(3)}`
      for (let maxTableTokens = 26; maxTableTokens <= 60; maxTableTokens++) {
        const { tables } = await parse(text, { maxTableTokens })
        for (const { text } of tables) expect(countTokens(text, null)).toBeLessThanOrEqual(maxTableTokens)
        const [start] = tables
        const whole = `|name|price|\n|---|---|\n|${'apple '.repeat(first).trim()}|2|\n`
        const fits = countTokens(whole, null) <= maxTableTokens
        expect(start!.text.includes(whole)).toBe(fits)
      }
    }
  })

  it('cuts a row that is larger, and stores its cells once', async () => {
    const cell = 'one two three. '.repeat(30).trim()
    const { tables, indexes } = await parse(`|a|b|\n|-|-|\n|1|2|\n|${cell}|3|\n|4|5|`, { maxTableTokens: 40 })
    expect(tables.length).toBeGreaterThan(3)
    expect(rowsOf(tables)).toEqual([
      ['1', '2'],
      [cell, '3'],
      ['4', '5'],
    ])
    expect(
      tables
        .map((node) => node.text)
        .join('')
        .replace(/\s/g, ''),
    ).toContain(cell.replace(/\s/g, ''))
    expect(indexes.map(({ text }) => text.split('\n').at(-1)).slice(1)).toEqual(
      tables.slice(1).map((_, index) => `(part ${index + 2} of ${tables.length})`),
    )
  })

  it('stores a long summary and list of columns in the first part only, so that the nodes grow with the table', async () => {
    const metadataOf = async (columns: number, rows: number, name = 'a') => {
      const text = `|${`${name}|`.repeat(columns)}\n|${'-|'.repeat(columns)}\n${`|${'1|'.repeat(columns)}\n`.repeat(rows)}`
      const { tables, indexes } = await parse(text, { maxTableTokens: 128 })
      return [...tables, ...indexes].map(({ metadata }) => metadata)
    }
    const size = async (...of: Parameters<typeof metadataOf>) => JSON.stringify(await metadataOf(...of)).length
    for (const rows of [1, 3]) expect((await size(8000, rows)) / (await size(2000, rows))).toBeLessThan(4.4)
    expect((await size(200, 160, 'a'.repeat(320))) / (await size(200, 40, 'a'.repeat(80)))).toBeLessThan(4.4)
    const [first, second] = await metadataOf(2000, 1)
    const dataOf = ({ table_df }: Record<string, unknown>) => JSON.parse(table_df as string)
    expect(dataOf(first!)).toEqual({ columns: Array(2000).fill('a'), rows: [] })
    expect(dataOf(second!)).toEqual({ columns: [], rows: [] })
  })

  it('limits every table node and index node of generated documents, without losing text', async () => {
    const random = seededRandom(3)
    for (let count = 0; count < rounds(50, 150); count++) {
      const wide = `|${'head '.repeat(random() * 40)}|b|\n|-|-|\n|${'cell '.repeat(random() * 90)}|2|\n|x|${'y'.repeat(random() * 300)}|\n`
      const text = `${generateMarkdown(random)}\n\n${wide}\n\n${generateMarkdown(random)}`
      const options = {
        headerPath: random() < 0.5,
        htmlTables: random() < 0.5 ? ('table' as const) : ('text' as const),
      }
      const tokenizer = random() < 0.5 ? null : (piece: string) => piece.match(/\w{1,5}|\W/g) ?? []
      const maxTableTokens = 1 + Math.floor(random() * 60)
      const parsed = await parse(text, { ...options, tokenizer, maxTableTokens }).catch((error) => error)
      if (parsed instanceof Error) {
        expect(parsed).toMatchObject({ code: 'metadata_too_long', chunkSize: maxTableTokens })
        continue
      }
      const { tables, indexes } = parsed as Awaited<ReturnType<typeof parse>>
      for (const node of [...tables, ...indexes])
        expect(countTokens(node.getContent('embed'), tokenizer), node.text).toBeLessThanOrEqual(maxTableTokens)
      const whole = await parse(text, { ...options })
      const grids = whole.tables.filter(({ metadata }) => String(metadata['table_df']).startsWith('{'))
      const parts = tables.filter(({ metadata }) => String(metadata['table_df']).startsWith('{"columns"'))
      expect(rowsOf(parts)).toEqual(rowsOf(grids))
    }
  })
})

it('the summary of every part names the column whose values it contains', async () => {
  const rows = Array.from({ length: 30 }, (_, row) => `| 030 9018${10 + row} | Ann |\n`).join('')
  const { indexes } = await parse(`| phone | name |\n|---|---|\n${rows}`, { maxTableTokens: 80 })
  expect(indexes.length).toBeGreaterThan(2)
  for (const { text } of indexes) expect(text).toMatch(/^phone, name; phone: 030 9018\d\d, /)
})
