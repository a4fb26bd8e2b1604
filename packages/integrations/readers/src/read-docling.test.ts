import { MarkdownNodeParser } from '@x/node-parser'
import { describe, expect, it } from 'vitest'
import { doclingToMarkdown, readDocling } from './read-docling.ts'

const item = (label: string, text: string, page: number, more: object = {}) => ({
  label,
  text,
  prov: [{ page_no: page, bbox: {}, charspan: [0, text.length] }],
  ...more,
})
const ref = (path: string) => ({ $ref: `#/${path}` })
const cells = (...texts: string[]) => texts.map((text) => ({ text, row_span: 1 }))
const data = {
  schema_name: 'DoclingDocument',
  version: '1.5.0',
  name: 'fruit',
  origin: { filename: 'fruit.pdf' },
  body: { children: ['texts/0', 'texts/1', 'groups/0', 'tables/0', 'texts/4', 'texts/5', 'texts/9', 'body'].map(ref) },
  groups: [{ label: 'list', children: ['texts/2', 'texts/3'].map(ref) }],
  texts: [
    item('title', 'Fruit', 1),
    item('section_header', 'Pears', 1, { level: 1 }),
    item('list_item', 'green', 1, { enumerated: true, children: [ref('texts/6')] }),
    item('list_item', 'sweet', 1, { enumerated: true }),
    item('page_footer', '7', 2),
    item('code', 'a`b', 2, { code_language: 'Python' }),
    item('list_item', 'dark', 1),
  ],
  tables: [{ ...item('table', '', 2), data: { grid: [cells('name', 'price'), cells('pear', '1|2')] } }],
}

describe('readDocling', () => {
  it('returns Markdown with the pages', () => {
    const { id, text } = readDocling(data)
    expect(id).toBe('fruit.pdf')
    expect(text).toBe(
      [
        '<!-- page 1 -->',
        '# Fruit',
        '## Pears',
        '1. green\n   - dark\n2. sweet',
        '<!-- page 2 -->',
        '| name | price |\n| - | - |\n| pear | 1\\|2 |',
        '```python\na`b\n```\n',
      ].join('\n\n'),
    )
  })

  it('gives the nodes of parsers their pages', async () => {
    const parser = new MarkdownNodeParser({ pageBreak: '^<!-- page (.+) -->$', chunkSize: 12 })
    const nodes = await parser.getNodesFromDocuments([readDocling(data, { id: 'd', metadata: { team: 'a' } })])
    const labels = nodes.map(({ text, metadata }) => [/price|dark/.exec(text)?.[0], metadata['page_label']])
    expect(labels).toContainEqual(['price', '2'])
    expect(labels).toContainEqual(['dark', '1'])
    expect(nodes[0]?.metadata['team']).toBe('a')
  })

  it('reads formulas, check boxes, unknown labels and odd references', () => {
    const texts = [
      item('formula', 'a = b', 1),
      item('checkbox_selected', 'done', 1),
      item('checkbox_unselected', 'open', 1),
      item('caption', 'A pear', 1),
      item('text', '', 1),
    ]
    const children = [...texts.map((_, index) => ref(`texts/${index}`)), ref('texts/9/x'), {}, ref('tables/0')]
    const tables = [{ label: 'table', data: { grid: [] } }]
    expect(doclingToMarkdown({ body: { children }, texts, tables })).toBe(
      '<!-- page 1 -->\n\n$$\na = b\n$$\n\n- [x] done\n\n- [ ] open\n\nA pear\n',
    )
  })

  it('writes the parts of a paragraph on one line, also those of list items and headings', () => {
    const inline = (...texts: number[]) => ({ label: 'inline', children: texts.map((at) => ref(`texts/${at}`)) })
    const texts = [
      item('text', 'Pears (', 1),
      item('text', 'green', 1, { formatting: { bold: true } }),
      item('text', ') cost', 1),
      item('code', 'x', 1),
      item('formula', 'a = b', 2),
      item('text', '.', 2),
      item('list_item', '', 2, { children: ['groups/1', 'groups/2'].map(ref) }),
      item('text', 'one', 2),
      item('text', 'two', 2),
      item('list_item', 'inner', 2),
    ]
    const list = { label: 'list', children: [ref('texts/9')] }
    const groups = [inline(0, 1, 2, 3, 4, 5), inline(7, 8), list]
    const children = ['groups/0', 'texts/6'].map(ref)
    expect(doclingToMarkdown({ body: { children }, groups, texts })).toBe(
      '<!-- page 1 -->\n\nPears (green) cost `x` $a = b$.\n\n<!-- page 2 -->\n\n- one two\n   - inner\n',
    )
  })

  it('writes captions and data of tables and charts, names of sheets, and the numbers of items; nothing that is hidden', () => {
    const texts = [
      item('caption', 'Table 1', 1),
      item('text', 'a label in a picture', 1),
      item('text', 'a rich cell', 1),
      item('list_item', 'fourth', 1, { enumerated: true, marker: '4.' }),
      item('list_item', 'A paper', 1, { enumerated: true, marker: '[1]' }),
      item('text', 'a hidden sheet', 1, { content_layer: 'invisible' }),
    ]
    const grid = [cells('name'), cells('a rich cell')]
    const inner = { label: 'table', data: { grid: [cells('in a cell')] } }
    const cell = { children: ['texts/2', 'tables/1'].map(ref) }
    const tables = [{ label: 'table', data: { grid }, captions: [ref('texts/0')], children: [ref('groups/1')] }, inner]
    const chart = { chart_data: { grid: [cells('year'), cells('2024')] } }
    const pictures = [{ label: 'chart', meta: { tabular_chart: chart }, children: [ref('texts/1')] }]
    const groups = [{ label: 'sheet', name: 'Prices', children: ['tables/0', 'pictures/0'].map(ref) }, cell]
    const children = ['groups/0', 'texts/3', 'texts/4', 'texts/5'].map(ref)
    expect(doclingToMarkdown({ body: { children }, groups, tables, pictures, texts })).toBe(
      '## Prices\n\n| name |\n| - |\n| a rich cell |\n\n<!-- page 1 -->\n\nTable 1\n\n| in a cell |\n| - |\n\n| year |\n| - |\n| 2024 |\n\n4. fourth\n- [1] A paper\n',
    )
  })

  it('reads odd levels, languages and depths', () => {
    const odd = JSON.parse('{"toString":1}')
    const texts = [
      item('section_header', 'a', 1, { level: -5 }),
      item('section_header', 'b', 1, { level: odd }),
      item('code', 'c', 1, { code_language: 'x\n```' }),
      item('code', 'd', 1, { code_language: odd }),
      item(odd, 'e', 1),
      ...Array.from({ length: 9000 }, (_, at) => item('text', 'f', 1, { children: [ref(`texts/${at + 6}`)] })),
    ]
    const children = texts.slice(0, 6).map((_, at) => ref(`texts/${at}`))
    const markdown = doclingToMarkdown({ body: { children }, texts })
    expect(markdown.startsWith('<!-- page 1 -->\n\n# a\n\n## b\n\n```\nc\n```\n\n```\nd\n```\n\ne\n\nf\n\nf')).toBe(
      true,
    )
    expect(markdown.length).toBeGreaterThan(9000 * 3)
  })

  it('reads long lists, tables and code', () => {
    const count = 150_000
    const grid = Array.from({ length: count }, () => cells('a'))
    const texts = [
      ...Array.from({ length: count }, () => item('list_item', 'a', 1)),
      item('table', '', 1, { data: { grid } }),
      item('code', '` '.repeat(count), 1),
    ]
    const markdown = doclingToMarkdown({ body: { children: texts.map((_, at) => ref(`texts/${at}`)) }, texts })
    expect(markdown.split('\n').filter((line) => line === '- a' || line === '| a |')).toHaveLength(2 * count)
  })

  it('refuses other data', () => {
    for (const other of [null, [], 'x', {}, { body: 1 }])
      expect(() => doclingToMarkdown(other)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(doclingToMarkdown({ body: {} })).toBe('')
  })
})
