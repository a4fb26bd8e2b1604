import { describe, expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { growthOf } from '../../../tools/growth.ts'
import { generateMarkdown, seededRandom } from '../fuzz/generate.ts'
import { mdx } from './markdown/mdx.ts'
import { readSections } from './read-sections.ts'

/** The blocks of a document, one line each: kind, lines, name, text. */
function blocksOf(text: string, options = {}): string[] {
  return readSections(text, options).sections.flatMap(({ blocks }) =>
    blocks.map(
      ({ kind, from, to, name, text: own }) => `${kind} ${from}-${to} [${name}] ${own.trim().replace(/\s+/g, ' ')}`,
    ),
  )
}

describe('readSections', () => {
  it('returns the own text of each heading with exact lines', () => {
    const text = 'Start.\n\n# A\n\nOne\ntwo.\n\n## B\n\n```js\n# no\n```\n\nC\n===\n\n> quote\n\n***\n'
    const { title, sections } = readSections(text)
    expect(title).toBe('A')
    expect(sections.map(({ path, from, to }) => `${path.join('/')} ${from}-${to}`)).toEqual([
      ' 1-1',
      'A 3-6',
      'A/B 8-12',
      'C 14-19',
    ])
    expect(blocksOf(text)).toEqual([
      'paragraph 1-1 [] Start.',
      'paragraph 5-6 [] One two.',
      'code 10-12 [] ```js # no ```',
      'quote 17-17 [] > quote',
    ])
  })

  it('returns rows with their columns, the line of each row, and surplus cells', () => {
    const text = '# T\r\n\r\n  | a | b |\r\n  |---|---|\r\n  | 1 \\| 2 | `x` |\r\n| 3 |\r\n| 4 | 5 | 6 |\r\n'
    const [section] = readSections(text).sections
    expect(section?.blocks).toEqual([
      { kind: 'row', text: '1 | 2 | `x`', from: 5, to: 5, name: '1 | 2', columns: ['a', 'b'], cells: ['1 | 2', '`x`'] },
      { kind: 'row', text: '3', from: 6, to: 6, name: '3', columns: ['a', 'b'], cells: ['3'] },
      { kind: 'row', text: '4 | 5 | 6', from: 7, to: 7, name: '4', columns: ['a', 'b'], cells: ['4', '5', '6'] },
    ])
  })

  it('finds a table without rows by its columns', () => {
    expect(blocksOf('| a | b |\n|---|---|\n')).toEqual(['row 1-1 [a] a | b'])
  })

  it('returns the rows of HTML tables with the lines of their tags, and the text beside them', () => {
    const text =
      '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr>\n<td>1</td><td>2</td>\n</tr>\n<tr><td>3</td><td>4</td></tr>\n</table>\nBeside.\n'
    expect(
      readSections(text).sections[0]?.blocks.map(({ from, to, columns, text: own }) => [from, to, columns, own.trim()]),
    ).toEqual([
      [1, 8, undefined, 'Beside.'],
      [3, 5, ['a', 'b'], '1 | 2'],
      [6, 7, ['a', 'b'], '3 | 4'],
    ])
  })

  it('returns the rows of an HTML table with its first and last line, if it contains other tables', () => {
    const nested = '<table>\n<tr><td>2</td></tr>\n</table>'
    const text = `<table>\n<tr><th>a</th></tr>\n<tr><td>1</td></tr>\n<tr><td>${nested}</td></tr>\n</table>\n`
    expect(readSections(text).sections[0]?.blocks.map(({ from, to, text: own }) => [from, to, own])).toEqual([
      [1, 7, '1'],
      [1, 7, '2'],
    ])
  })

  it('divides lists into items with the names that they describe, and keeps code in them', () => {
    const text = '- `port`: the port\n  - **host** of it\n\n    ```\n    - no\n    ```\n- Retry: 3\n1. last one\n'
    expect(blocksOf(text)).toEqual([
      'item 1-1 [port] - `port`: the port',
      'item 2-6 [host] - **host** of it ``` - no ```',
      'item 7-7 [Retry] - Retry: 3',
      'item 8-8 [] 1. last one',
    ])
  })

  it('leaves out tables of contents and anchors', () => {
    expect(blocksOf('- [A](#a)\n- [B](b.md)\n\n<a id="x"></a>\n\n# A\n')).toEqual(['item 2-2 [] - [B](b.md)'])
  })

  it('reads title and description of the front matter', () => {
    const text = '---\ntitle: "Fruit: all"\ndescription: Pears and\n  apples.\n---\n\n# Pears\n\nGreen.\n'
    const { title, sections } = readSections(text)
    expect(title).toBe('Fruit: all')
    expect(sections.map(({ path, from, to, blocks }) => [path, from, to, blocks[0]?.kind, blocks[0]?.from])).toEqual([
      [[], 1, 5, 'description', 3],
      [['Pears'], 7, 9, 'paragraph', 9],
    ])
    expect(readSections('---\ntitle: 3\n---\nText').title).toBe('3')
    expect(readSections('---\ntags: [a]\n---\nText').title).toBeNull()
  })

  it('reads properties in JSX, and headings and tables between tags', () => {
    const text =
      "import a from 'a'\n\n<Props\n  content={[\n    {\n      name: 'size',\n      type: 'number',\n    },\n    {\n      name: 'color',\n    },\n  ]}\n/>\n\n<Note>\n  ## In\n\n  | a |\n  |---|\n  | 1 |\n</Note>\n"
    const blocks = blocksOf(text, { syntax: mdx })
    expect(blocks.filter((block) => block.startsWith('property')).map((block) => block.replace(/\].*/, ']'))).toEqual([
      'property 3-5 []',
      'property 6-9 [size]',
      'property 10-13 [color]',
    ])
    expect(blocks.filter((block) => block.startsWith('row'))).toEqual(['row 20-20 [1] 1'])
  })

  it('returns nothing for an empty document', () => {
    expect(readSections('')).toEqual({ title: null, sections: [] })
    expect(readSections('\ufeff\n \n')).toEqual({ title: null, sections: [] })
  })

  it('keeps sections apart and blocks inside of them, for any Markdown', () => {
    const random = seededRandom(3)
    for (let count = 0; count < rounds(100, 300); count++) {
      let line = 0
      for (const { from, to, blocks } of readSections(generateMarkdown(random)).sections) {
        expect([from > line, to >= from]).toEqual([true, true])
        line = to
        for (const block of blocks)
          expect([block.from >= from, block.to >= block.from, block.to <= to]).toEqual([true, true, true])
      }
    }
  })

  it.each([
    '# a\n',
    '- a\n',
    '- `',
    '[a](',
    '<a ',
    '|a|b|\n|-|-|\n|1|2|\n\n',
    '<table><tr><td>a<td>b<tr><td>c<td>d</table>\n\n',
  ])('takes linear time for many %j', { timeout: 60_000 }, async (unit) => {
    expect(await growthOf((size) => readSections(unit.repeat(size)), 200)).toBeLessThan(1.75)
  })
})
