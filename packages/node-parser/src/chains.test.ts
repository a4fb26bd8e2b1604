import { Document, type TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { generateMarkdown, seededRandom } from '../fuzz/generate.ts'
import { isSliceOfSource } from './build-nodes.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'

const elements = new MarkdownElementNodeParser({ summarizer: 'headers', lineNumbers: true, chunkSize: 32 })
const sections = new MarkdownNodeParser({ chunkSize: 16, repeatHeading: true, lineNumbers: true })

/** Checks that the text of every node with offsets and lines is found there. */
function expectFound(nodes: readonly TextNode[], text: string): void {
  for (const { text: own, startCharIdx, endCharIdx, metadata } of nodes) {
    if (startCharIdx !== null) expect(text.slice(startCharIdx, endCharIdx ?? 0)).toBe(own)
    const first = metadata['start_line']
    if (typeof first !== 'number') continue
    const lines = text.split(/\r\n|\n|\r/).slice(first - 1, Number(metadata['end_line']))
    for (const line of own.split(/\r\n|\n|\r/)) expect(lines.join('\n')).toContain(line)
  }
}

describe('nodes of chained parsers', () => {
  // The padded table is longer than its summary with the rewritten table.
  const padded = `# Fruit\n\ntext\n\n| name${' '.repeat(200)} | price |\n|---|---|\n${'| apple | 2 |\n'.repeat(20)}\nend`

  it('have no offsets and lines if they are pieces of a table, whose text is not a slice of the source', async () => {
    const first = await elements.getNodesFromDocuments([new Document({ id: 'd', text: padded })])
    const table = first.filter(({ metadata }) => Object.hasOwn(metadata, 'table_summary'))
    expect(table).toHaveLength(1)
    expect(table.map(isSliceOfSource)).toEqual([false])
    const pieces = await sections.getNodesFromDocuments(table)
    expect(pieces.length).toBeGreaterThan(3)
    for (const { startCharIdx, endCharIdx, metadata } of pieces) {
      expect([startCharIdx, endCharIdx]).toEqual([null, null])
      expect(metadata).not.toHaveProperty('start_line')
      expect(metadata).not.toHaveProperty('end_line')
    }
  })

  it('have offsets and lines if their text is a slice of the source', async () => {
    const first = await elements.getNodesFromDocuments([
      new Document({ id: 'd', text: `a\n\n${'word '.repeat(40)}\nb` }),
    ])
    const plain = new MarkdownNodeParser({ chunkSize: 16, lineNumbers: true })
    const pieces = await plain.getNodesFromDocuments(first)
    expect(pieces.every(isSliceOfSource)).toBe(true)
    expect(pieces.map(({ metadata }) => metadata['start_line'])).toEqual(
      pieces.map((_, index) => (index === 0 ? 1 : 3)),
    )
  })

  it('have the headings and lines of the document if they are text between tables', async () => {
    const nested = new MarkdownNodeParser({ lineNumbers: true, headerPath: true })
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', nestedNodeParser: nested })
    const text = '# A\n\n## B\n\n|a|b|\n|-|-|\n|1|2|\n\nafter\n\n## C\n\nend'
    const nodes = await parser.getNodesFromDocuments([new Document({ text, metadata: {} })])
    const after = nodes.slice(-2).map(({ text: own, metadata }) => [own, metadata])
    expect(after).toEqual([
      ['after', { Header_1: 'A', Header_2: 'B', header_path: 'A > B', start_line: 9, end_line: 9 }],
      ['## C\n\nend', { Header_1: 'A', Header_2: 'C', header_path: 'A > C', start_line: 11, end_line: 13 }],
    ])
  })

  it('never have offsets at which their text is not found', async () => {
    const random = seededRandom(11)
    const asWritten = { repeatTableHeader: false, repeatCodeFence: false }
    const plain = new MarkdownNodeParser({ chunkSize: 16, lineNumbers: true, ...asWritten })
    for (let count = 0; count < rounds(100, 400); count++) {
      const text = Array.from({ length: 5 }, () => generateMarkdown(random)).join('\n')
      const document = new Document({ id: 'd', text })
      for (const parser of [elements, sections]) {
        const first = await parser.getNodesFromDocuments([document])
        expectFound(first.filter(isSliceOfSource), text)
        expectFound(await plain.getNodesFromDocuments(first), text)
      }
    }
  })
})
