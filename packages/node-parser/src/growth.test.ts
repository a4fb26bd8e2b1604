/// <reference types="node" />

import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { isFull } from '../../../tools/extent.ts'
import { growthOf, isFast } from '../../../tools/growth.ts'
import { mdx } from './markdown/mdx.ts'
import { readBlocks } from './markdown/read-blocks.ts'
import { extractMarkdownElements } from './markdown-element/extract-elements.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { tableRows } from './markdown-element/table-rows.ts'
import { typedElements } from './markdown-element/typed-elements.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import { fromContent } from './node-ids.ts'
import { readFrontMatter } from './read-front-matter.ts'
import { readSections } from './read-sections.ts'
import { SentenceSplitter } from './sentence-splitter.ts'
import { streamNodes } from './stream-nodes.ts'
import { TokenTextSplitter } from './token-text-splitter.ts'

const places = {
  frontMatter: readFrontMatter,
  headerPath: true,
  lineNumbers: true,
  pageBreak: '^---$',
  idFunc: fromContent(),
}
const elements = new MarkdownElementNodeParser({
  ...places,
  summarizer: 'headers',
  htmlTables: 'table',
  maxTableTokens: 40,
  chunkSize: 64,
  onReject: 'text',
  elementTypes: typedElements(),
  rowNodes: tableRows(),
})
const sections = new MarkdownNodeParser({
  ...places,
  chunkSize: 64,
  minChunkSize: 32,
  chunkOverlap: 10,
  repeatHeading: true,
})
const nested = new MarkdownElementNodeParser({ summarizer: 'headers', tableData: 'node', nestedNodeParser: sections })

const units = [
  'word ',
  'Some text.\n\n',
  '# a\n\ntext\n\n',
  '# a\n\n',
  '```js\ncode\n',
  '```\n\n\n',
  '<br>\n\ntext\n\n',
  '<!-- a -->\n\n',
  '<table><tr><td>a<td>b<tr><td>c<td>d</table>\n\n',
  '<table><tr><td>\n\n',
  '|a|b|\n|-|-|\n|1|2|\n\n',
  '> |a|b|\n> |-|-|\n> |1|2|\n\n',
  '- <div>\n\n',
  '---\n\ntext\n\n',
  '---\na: b\n',
  '[a]: b\n\n',
]

it.each(units)('all options together take linear time for many %j', { tags: 'growth' }, async (unit) => {
  const parsers = [elements, nested, sections]
  // The parsers take turns, if not each of them reads everything.
  for (const parser of isFull ? parsers : [parsers[units.indexOf(unit) % 3]!]) {
    const parse = (size: number) => parser.getNodesFromDocuments([new Document({ text: unit.repeat(size) })])
    expect(await growthOf(parse, 20)).toBeLessThan(1.75)
  }
})

it('long tables take linear time with all options', { tags: 'growth' }, async () => {
  for (const [start, unit] of [
    ['|a|b|\n|-|-|\n', '|1|2|\n'],
    ['<table><tr><td>a<td>b', '<tr><td>c<td>d\n'],
  ] as const) {
    const parse = (size: number) =>
      elements.getNodesFromDocuments([new Document({ text: `${start}${unit.repeat(size)}</table>` })])
    expect(await growthOf(parse, 20)).toBeLessThan(1.75)
  }
})

describe('hostile input', () => {
  const documentOf = (text: string) => [new Document({ id: 'd', text })]
  const sections = new MarkdownNodeParser({
    chunkSize: 128,
    chunkOverlap: 16,
    minChunkSize: 32,
    repeatHeading: true,
    headerPath: true,
    lineNumbers: true,
    frontMatter: readFrontMatter,
  })
  const elements = new MarkdownElementNodeParser({
    summarizer: 'headers',
    htmlTables: 'table',
    elementTypes: typedElements(),
    rowNodes: tableRows(),
    maxTableTokens: 128,
    headerPath: true,
    lineNumbers: true,
    frontMatter: readFrontMatter,
  })
  const withJsx = new MarkdownElementNodeParser({
    summarizer: 'headers',
    syntax: mdx,
    chunkSize: 128,
    chunkOverlap: 20,
  })

  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    readSections: (text) => readSections(text),
    readBlocks: (text) => readBlocks(text),
    extractMarkdownElements: (text) => extractMarkdownElements(text, { htmlTables: 'table' }),
    MarkdownNodeParser: (text) => sections.getNodesFromDocuments(documentOf(text)),
    MarkdownElementNodeParser: (text) => elements.getNodesFromDocuments(documentOf(text)),
    mdx: (text) => withJsx.getNodesFromDocuments(documentOf(text)),
    SentenceSplitter: (text) => new SentenceSplitter({ chunkSize: 64, chunkOverlap: 8 }).splitText(text),
    TokenTextSplitter: (text) => new TokenTextSplitter({ chunkSize: 64, chunkOverlap: 8 }).splitText(text),
    streamNodes: async (text) => {
      const pieces = text.match(/[\s\S]{1,500}/g) ?? []
      for await (const node of streamNodes(sections, pieces)) void node
    },
  }

  /** Texts of about `size` characters. */
  const families: Readonly<Record<string, (size: number) => string>> = {
    'a long line in front matter': (size) => `---\nlogo: ${'iVBORw0K'.repeat(size / 8)}\n---\n# a`,
    'a long key': (size) => `---\n${'a'.repeat(size)}: 1\n---\nx`,
    'blanks in front matter': (size) => `---\na: b${'\t'.repeat(size)}x\n---\n`,
    'a TOML list that ends badly': (size) => `+++\na = [ b${'\t'.repeat(size)}'c ]\n+++\nx`,
    'blanks in TOML': (size) => `+++\na = 1${'\t'.repeat(size)}x\t#\n+++\nx`,
    'front matter without an end': (size) => `---\n${'a: b\n'.repeat(size / 5)}`,
    'one word': (size) => 'x'.repeat(size),
    'one line of sentences': (size) => 'One. '.repeat(size / 5),
    blanks: (size) => ' '.repeat(size),
    'open angle brackets beside a table': (size) => `<table><tr><td>1</td></tr></table>${'<'.repeat(size)}`,
    'many tables in one block': (size) =>
      `<div>\n${'<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\n'.repeat(size / 74)}\n</div>`,
    'a wide table with short rows': (size) =>
      `|${'a|'.repeat(size / 8)}\n|${'-|'.repeat(size / 8)}\n${'|1|\n'.repeat(size / 8)}`,
    'a wide table with one row': (size) =>
      `|${'a|'.repeat(size / 8)}\n|${'-|'.repeat(size / 8)}\n|${'1|'.repeat(size / 8)}\n`,
    'a wide table with many cells in a part': (size) =>
      `|${'word |'.repeat(size / 24)}\n|${'-|'.repeat(size / 24)}\n${`|${'word |'.repeat(size / 24)}\n`.repeat(2)}`,
    'bare headings': (size) => '# a\n'.repeat(size / 4),
    'headings of falling level': (size) => '# a\n## b\n### c\n'.repeat(size / 14),
    'a long heading with open brackets': (size) => `# ${'['.repeat(size)}`,
    'open links': (size) => '[a](b'.repeat(size / 5),
    'open images': (size) => '![![a]('.repeat(size / 7),
    emphasis: (size) => '*_'.repeat(size / 2),
    'ticks of growing length': (size) =>
      Array.from({ length: Math.sqrt(2 * size) }, (_, index) => '`'.repeat(index + 1)).join(' '),
    'fences of growing length': (size) =>
      Array.from({ length: Math.sqrt(2 * size) }, (_, index) => '`'.repeat(index + 3)).join('\n'),
    'nested items': (size) =>
      Array.from({ length: Math.sqrt(size) }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n'),
    'quote marks': (size) => '>'.repeat(size),
    'open tags': (size) => `<table ${'a="'.repeat(size / 3)}`,
    'cells that are never closed': (size) => `<table>${'<td>'.repeat(size / 4)}`,
    'tables that are never closed': (size) => '<table><tr><td>'.repeat(size / 15),
    'open comments': (size) => '<!-- \n\n'.repeat(size / 7),
    'open braces': (size) => '{`${'.repeat(size / 4),
    'combining marks': (size) => `a${'\u0301'.repeat(size)}`,
  }

  /** A text of this many characters is read in so many milliseconds of processor time, unless reading is slow or not linear. */
  const ENOUGH = { size: 120_000, milliseconds: 1500 }

  /** Short texts of these give few nodes, because their sections fit into one: the number of nodes grows faster than the text at first. */
  const FIRST_SIZES: Readonly<Record<string, number>> = { 'bare headings': 16_000, 'headings of falling level': 16_000 }

  const all = Object.entries(readers)

  it.each(Object.keys(families))('readers take linear time for %s', { tags: 'growth' }, async (family) => {
    // The readers take turns, if not each of them reads every family.
    const turn = Object.keys(families).indexOf(family) % all.length
    for (const [reader, read] of isFull ? all : [all[turn]!]) {
      const readSize = (size: number) => read(families[family]!(size))
      if (await isFast(readSize, ENOUGH.size, ENOUGH.milliseconds)) continue
      expect(await growthOf(readSize, FIRST_SIZES[family] ?? 2000), reader).toBeLessThan(1.75)
    }
  })
})
