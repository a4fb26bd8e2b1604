import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'

type Options = ConstructorParameters<typeof MarkdownNodeParser>[0]
const parse = (text: string, options: Options) =>
  new MarkdownNodeParser(options).getNodesFromDocuments([new Document({ text })])

const rows = Array.from({ length: 30 }, (_, index) => `| item ${index} | ${index} |`)
const header = '| name | count |\n|------|------:|\n'
/** The form that is repeated. */
const compact = '| name | count |\n|---|--:|\n'

describe('MarkdownNodeParser with tables larger than a chunk', () => {
  it('repeats the header in each further node, within the size, and keeps the offsets of the rows', async () => {
    const text = `# A\n\nText.\n\n${header}${rows.join('\n')}\n\nEnd.`
    for (const options of [{}, { repeatHeading: true }, { chunkOverlap: 10 }]) {
      const nodes = await parse(text, { chunkSize: 40, ...options })
      expect(nodes.length).toBeGreaterThan(3)
      for (const [index, node] of nodes.entries()) {
        expect(countTokens(node.text, null)).toBeLessThanOrEqual(40)
        const slice = text.slice(node.startCharIdx ?? 0, node.endCharIdx ?? 0)
        expect(node.text.endsWith(slice)).toBe(true)
        if (index > 0 && slice.startsWith('|')) expect(node.text.slice(0, -slice.length)).toContain(compact)
      }
      for (const row of rows) expect(nodes.some((node) => node.text.includes(row))).toBe(true)
    }
  })

  it('repeats the header of a table in a quote with its marks, but not in the middle of a row', async () => {
    const quoted = `> ${header.trim().replace('\n', '\n> ')}\n${rows.map((row) => `> ${row}`).join('\n')}`
    const nodes = await parse(quoted, { chunkSize: 40 })
    expect(nodes.length).toBeGreaterThan(3)
    for (const node of nodes.slice(1))
      expect(node.text.startsWith('> | name | count |\n> |---|--:|\n> | item')).toBe(true)

    const long = `${header}| ${'word '.repeat(100)}| 2 |\n| x | y |`
    const pieces = await parse(long, { chunkSize: 40 })
    expect(pieces.filter((node) => node.text.startsWith(compact)).length).toBeLessThan(3)
    expect(pieces.map((node) => node.text).join(' ')).toContain('| x | y |')
    for (const node of pieces) expect(countTokens(node.text, null)).toBeLessThanOrEqual(40)
  })

  it('repeats the header of a table that a formatter has padded, in a compact form', async () => {
    const cell = (text: string) => text.padEnd(60)
    const padded = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
    const table = [
      padded('name', 'count'),
      `| ${'-'.repeat(60)} | ${`${'-'.repeat(58)}:`} |`,
      ...Array.from({ length: 9 }, (_, index) => padded(`item ${index}`, `${index}`)),
    ].join('\n')
    const list = `- ${table.replaceAll('\n', '\n  ')}`
    for (const [text, start] of [
      [table, compact],
      [list, '- | name | count |\n  |---|--:|\n'],
    ] as const) {
      const nodes = await parse(text, { chunkSize: 80 })
      expect(nodes.length).toBeGreaterThan(3)
      for (const node of nodes.slice(1)) {
        expect(node.text.startsWith(start)).toBe(true)
        expect(countTokens(node.text, null)).toBeLessThanOrEqual(80)
        expect((await parse(node.text, {}))[0]?.text).toBe(node.text)
      }
    }
  })

  it('keeps the header together with the first row', async () => {
    const nodes = await parse(`${'Some words of text. '.repeat(6)}\n\n${header}${rows.join('\n')}`, { chunkSize: 42 })
    for (const { text } of nodes) expect(text.trimEnd().endsWith('------:|')).toBe(false)
    expect(nodes[1]?.text.startsWith(header)).toBe(true)
  })

  it('does not repeat a header of more than half a chunk, or with repeatTableHeader: false', async () => {
    const wide = `| ${'name '.repeat(20)} | count |\n|---|---|\n${rows.join('\n')}`
    for (const options of [{ text: wide }, { text: header + rows.join('\n'), repeatTableHeader: false }]) {
      const { text, ...others } = options
      const nodes = await parse(text, { chunkSize: 40, ...others })
      for (const { text: own, startCharIdx, endCharIdx } of nodes)
        expect(text.slice(startCharIdx ?? 0, endCharIdx ?? 0)).toBe(own)
    }
  })
})
