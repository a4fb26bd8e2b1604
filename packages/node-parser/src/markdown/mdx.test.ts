import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { rounds, someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { seededRandom } from '../../fuzz/generate.ts'
import { MarkdownElementNodeParser } from '../markdown-element/markdown-element-node-parser.ts'
import { streamMarkdownElements } from '../markdown-element/stream-elements.ts'
import { MarkdownNodeParser } from '../markdown-node-parser.ts'
import { mdx } from './mdx.ts'
import { readBlocks } from './read-blocks.ts'

const outline = (text: string) =>
  readBlocks(text, { syntax: mdx }).map(({ kind, startLine, endLine }) => `${kind} ${startLine}-${endLine}`)

const page = `---
title: Tabs
---
import { Tabs, Tab } from './tabs'
import Chart from "./chart"

export const meta = {
  title: 'It is {here}',

  // # no heading
  rows: [\`| a | b |
\${1}\`],
}

# Fruit {meta.title}

Some <b>text</b>, don't stop.

{/* a comment

# no heading
*/}

<Tabs
  items={['a', "b > c", () => <p>Don't</p>]}

  default="x"
>
  <Tab title="one">
    ## Prices

    | name | price |
    |------|-------|
    | apple | {2} |

    - item
  </Tab>
  <Tab>

        text, no code

  </Tab>
</Tabs>

\`\`\`jsx
<Tabs>
import x from 'y'
\`\`\`
`

describe('mdx', () => {
  it('parses the text between tags, statements and expressions as Markdown', () => {
    expect(outline(page)).toEqual([
      'front_matter 1-3',
      'mdx 4-5',
      'mdx 7-13',
      'heading 15-15',
      'paragraph 17-17',
      'mdx 19-22',
      'mdx 24-28',
      'mdx 29-29',
      'heading 30-30',
      'table 32-34',
      'list 36-36',
      'mdx 37-37',
      'mdx 38-38',
      'paragraph 40-40',
      'mdx 42-42',
      'mdx 43-43',
      'code 45-48',
    ])
  })

  it.each<[string, string[]]>([
    ['<A/>', ['mdx 1-1']],
    ['<>\n# a\n</>', ['mdx 1-1', 'heading 2-2', 'mdx 3-3']],
    ['<A><B c={`}`}/> {d}', ['mdx 1-1']],
    ['<A>text</A>\n- b', ['paragraph 1-1', 'list 2-2']],
    ['text\n<A>\ntext', ['paragraph 1-1', 'mdx 2-2', 'paragraph 3-3']],
    ['<div>\n# a', ['mdx 1-1', 'heading 2-2']],
    ['<A\n# a', ['paragraph 1-1', 'heading 2-2']],
    ['{a\n# b', ['paragraph 1-1', 'heading 2-2']],
    ['<5 apples\n\n< b', ['paragraph 1-1', 'paragraph 3-3']],
    ['import the goods\n# a', ['paragraph 1-1', 'heading 2-2']],
    ['text\nimport a from "b"\n# c', ['paragraph 1-2', 'heading 3-3']],
    ['import a from "b"\n# c\n\n# d', ['mdx 1-2', 'heading 4-4']],
    ['export const a = {\n\n# b', ['mdx 1-1', 'heading 3-3']],
    ['  export default 1', ['paragraph 1-1']],
    ['- <A>\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n  </A>', ['list 1-6']],
    ['<!-- a\n\n# b\n-->\n# c', ['html 1-4', 'heading 5-5']],
    ['<a/> | b\n---|---\n1|2', ['table 1-3']],
  ])('reads %j', (text, blocks) => {
    expect(outline(text)).toEqual(blocks)
  })

  it('is an option of both parsers, whose nodes are slices and include the JSX', async () => {
    const elements = new MarkdownElementNodeParser({ summarizer: 'headers', syntax: mdx, headerPath: true })
    const nodes = await elements.getNodesFromDocuments([new Document({ text: page })])
    expect(nodes).toHaveLength(4)
    expect(nodes[1]?.metadata['header_path']).toBe('Fruit {meta.title} > Prices')
    expect(nodes[2]?.metadata['table_df']).toBe('{"columns":["name","price"],"rows":[["apple","{2}"]]}')
    expect(nodes[0]?.text).toContain('<Tabs\n')
    const sections = await new MarkdownNodeParser({ syntax: mdx, chunkSize: 20 }).getNodesFromDocuments([
      new Document({ text: page }),
    ])
    let covered = 0
    for (const { text, startCharIdx, endCharIdx } of sections) {
      expect(page.slice(startCharIdx ?? 0, endCharIdx ?? 0)).toBe(text)
      expect(page.slice(covered, startCharIdx ?? 0).trim()).toBe('')
      covered = endCharIdx ?? 0
    }
    expect(sections.map(({ metadata }) => metadata['Header_2']).includes('Prices')).toBe(true)
  })

  it('is parsed at the end of a stream', async () => {
    const streamed = []
    for await (const element of streamMarkdownElements(page.match(/[\s\S]{1,7}/g) ?? [], { syntax: mdx }))
      streamed.push(element)
    expect(streamed).toEqual(new MarkdownElementNodeParser({ syntax: mdx }).extractElements(page))
  })

  it('has blocks that cover every document', () => {
    const random = seededRandom(21)
    const pieces = [
      '<A',
      '>',
      '</A>',
      '{',
      '}',
      '"',
      "'",
      '`',
      '\n',
      '\n\n',
      '# a\n',
      '|a|b|\n|-|-|\n',
      '- ',
      '> ',
      '    ',
      'import a from "b"\n',
      'export const c = [',
      ']',
      '//',
      '/*',
      '*/',
      '```\n',
      'text ',
      '${',
      '<b/>\n',
    ]
    for (let count = 0; count < rounds(800, 3000); count++) {
      const text = Array.from({ length: 25 }, () => pieces[Math.floor(random() * pieces.length)]).join('')
      let covered = 0
      for (const { start, end } of readBlocks(text, { syntax: mdx })) {
        expect(text.slice(covered, start).trim(), JSON.stringify(text)).toBe('')
        expect(end).toBeGreaterThan(start)
        covered = end
      }
      expect(text.slice(covered).trim(), JSON.stringify(text)).toBe('')
    }
  })

  it.each(
    someOf(
      [
        '{\n',
        '<a\n',
        '<a b="\n',
        "<a b={'\\'\\'",
        '<a>\n',
        'import a from {\n\n',
        'export const a = "b"\n\n',
        '{`',
        '{/*\n',
        '</',
        '{"\\"',
        "{'",
        '    {a}\n',
        '- <a\n',
      ],
      5,
    ),
  )('takes linear time for many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => readBlocks(unit.repeat(size), { syntax: mdx }), 200)).toBeLessThan(1.75)
  })
})
