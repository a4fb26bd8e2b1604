import { Document } from '@x/core-model'
import { expect, it } from 'vitest'
import { isFull } from '../../../tools/extent.ts'
import { growthOf } from '../../../tools/growth.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { tableRows } from './markdown-element/table-rows.ts'
import { typedElements } from './markdown-element/typed-elements.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import { fromContent } from './node-ids.ts'
import { readFrontMatter } from './read-front-matter.ts'

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
