import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { rounds, someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { seededRandom } from '../../fuzz/generate.ts'
import { compareWithParse5, generateHtmlTable } from '../../fuzz/html-tables.ts'
import { extractMarkdownElements } from './extract-elements.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import { streamMarkdownElements } from './stream-elements.ts'

const tables = (text: string) =>
  extractMarkdownElements(text, { htmlTables: 'table' }).flatMap(({ table, startCharIdx, endCharIdx }) =>
    table === null ? [] : [{ ...table, source: text.slice(startCharIdx ?? 0, endCharIdx ?? 0) }],
  )

describe('HTML tables', () => {
  it('are text by default', () => {
    const html = '<table><tr><td>a</td></tr></table>'
    expect(extractMarkdownElements(html).map(({ type }) => type)).toEqual(['text'])
    expect(extractMarkdownElements(html, { htmlTables: 'table' }).map(({ type }) => type)).toEqual(['table'])
  })

  it('have the first row as header, repeat spanned cells and pad short rows', () => {
    const text = `before

<table>
<thead><tr><th>Name</th><th colspan="2">Size &amp; age</th></tr></thead>
<tbody>
<tr><td><b>a</b><br>b</td><td>1</td></tr>
<tr><td>c</td><td>2</td><td>&#51;&lt;</td></tr>
</tbody>
</table>

after`
    expect(tables(text)).toMatchObject([
      {
        columns: ['Name', 'Size & age', 'Size & age'],
        rows: [
          ['a b', '1', ''],
          ['c', '2', '3<'],
        ],
      },
    ])
  })

  it('continue over blank lines, and keep a nested table as text of its cell', () => {
    const text =
      '<table>\n\n<tr><td>a</td><td><table><tr><td>x</td></tr></table></td></tr>\n\n<tr><td>b\n\n</table> end'
    expect(tables(text)).toMatchObject([
      { columns: ['a', 'x'], rows: [['b', '']], source: text.slice(0, text.length - 4) },
    ])
  })

  it('end with their last character, also if the next table ends them', () => {
    const first = '<table>\n<tr><th>h\n<td>c</td></tr>'
    const text = `${first}\r\n \n<table><tr><td>a</td></tr></table>`
    const second = '<table><tr><td>a</td></tr></table>'
    expect(tables(text).map(({ source }) => source)).toEqual([first, second])
    const quoted = `${first}\n${second}`.replace(/^/gm, '> ')
    expect(tables(quoted).map(({ source }) => source)).toEqual([first.replace(/\n/g, '\n> '), second])
  })

  it('repeat cells that span rows, and keep the position of later columns', () => {
    const text = `<table>
<tr><th>a<th>b<th>c
<tr><td rowspan=2>1<td>2<td rowspan="3">3
<tr><td>4
<tr></tr>
<tr><td>5<td>6<td>7
<tr><td rowspan=2 colspan=2>8
<tr><td>9
</table>`
    const [table] = tables(text)
    expect(table?.columns).toEqual(['a', 'b', 'c'])
    expect(table?.rows).toEqual([
      ['1', '2', '3'],
      ['1', '4', '3'],
      ['5', '6', '7'],
      ['8', '8', ''],
      ['8', '8', '9'],
    ])
  })

  it('have the text outside their cells as caption', () => {
    const text = '<table><caption>Table 1:<br>Prices &mdash; all</caption>and<tr><td>a</td></tr></table>'
    expect(tables(text)).toMatchObject([{ columns: ['a'], caption: 'Table 1: Prices — all and' }])
    expect(tables('<table><tbody> <tr> <td>a</td> </tr></table>')[0]).not.toHaveProperty('caption')
  })

  it('contain the visible text of cells', () => {
    const text = '<table><tr><td>H<sub>2</sub>O<td>a<p>b</p>c<td>x<!-- <i>y</i> -->&copy;&#x41;&nope;&#0;</table>'
    expect(tables(text)).toMatchObject([{ columns: ['H2O', 'a b c', 'x©A&nope;\ufffd'] }])
  })

  it('escape text that Markdown would read as markup', async () => {
    const cells: [html: string, markdown: string][] = [
      ['vector&lt;int&gt;', 'vector\\<int>'],
      ['&lt;script&gt;alert(1)&lt;/script&gt; [x](y) *z*', '\\<script>alert(1)\\</script> \\[x\\](y) \\*z\\*'],
      ['a_b_c 3 &lt; 4 * 5, R&D, x[1] \\d', 'a_b_c 3 < 4 * 5, R&D, x[1] \\d'],
      ['*<b>x</b>*', '\\*x\\*'],
      ['<a href=u>*a* [b]</a>', '[\\*a\\* \\[b\\]](u)'],
      ['&amp;lt;', '\\&lt;'],
      ['\\*', '\\\\\\*'],
      ['<img alt="a*b*" src=i> x', '![a*b*](i) x'],
    ]
    for (const [html, markdown] of cells)
      expect(tables(`<table><tr><th>${html}<th>b<tr><td>1<td>2</table>`)[0]?.columns[0]).toBe(markdown)
    const text = '<table><tr><th>type<th>vector&lt;int&gt;<tr><td>&lt;div&gt;<td>1</table>'
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', htmlTables: 'table' })
    const [index] = await parser.getNodesFromDocuments([new Document({ text })])
    expect(index?.text).toMatch(/^type, vector<int>; type: <div>,/)
  })

  it('have a row for each `tr`, with or without an end tag', () => {
    const rows = [
      '<tr><th>g<th>v</tr>',
      '<tr><td rowspan="2">A</td><td>1</td></tr>',
      '<tr><td>2</td></tr>',
      '<tr><td>B</td><td>3</td></tr>',
    ]
    const expected = [
      ['A', '1'],
      ['A', '2'],
      ['B', '3'],
    ]
    for (const separator of ['', '\n', '<!-- <tr> -->'])
      expect(tables(`<table>${rows.join(separator)}</table>`)[0]).toMatchObject({ columns: ['g', 'v'], rows: expected })
    expect(tables(`<table>${rows.join('').replaceAll('</tr>', '')}</table>`)[0]?.rows).toEqual(expected)
  })

  it('have the spans of the HTML standard', () => {
    const rowsOf = (body: string) => tables(`<table><tr><th>a<th>b${body}</table>`)[0]?.rows
    // 0 means up to the end of the row group. No span leaves its group.
    expect(rowsOf('<tbody><tr><td rowspan=0>1<td>2<tr><td>3<tbody><tr><td>4<td>5')).toEqual([
      ['1', '2'],
      ['1', '3'],
      ['4', '5'],
    ])
    expect(rowsOf('<tbody><tr><td rowspan=9>1<td>2<tbody><tr><td>3<td>4')).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    expect(rowsOf('<tr><td colspan=0>1<td>2')).toEqual([['1', '2']])
    expect(rowsOf('<tr><td data-colspan="2" title="colspan=2">1<td>2')).toEqual([['1', '2']])
    expect(rowsOf('<tfoot><tr><td>1<td>2</tfoot><tbody><tr><td>3<td>4')).toEqual([
      ['3', '4'],
      ['1', '2'],
    ])
  })

  it('read quoted attributes as one value, and skip scripts and styles', () => {
    const text =
      '<table><tr><th title="a < b">k<th>v<tr><td title="x > y </td>">1<td><script>var s = "</td>"</script><style>td {}</style>2</table>'
    expect(tables(text)).toMatchObject([{ columns: ['k', 'v'], rows: [['1', '2']] }])
    expect(tables(text)[0]).not.toHaveProperty('caption')
  })

  it('keep the alternative text of images and the addresses of links', () => {
    const row =
      '<td><img alt="Hammer" src="h.png"><td><a href="https://docs.example/a b">the [manual]</a>.<td><a href=u><img src=i alt=j></a>'
    expect(tables(`<table><tr>${row}</table>`)[0]?.columns).toEqual([
      '![Hammer](h.png)',
      '[the \\[manual\\]](<https://docs.example/a b>).',
      '[![j](i)](u)',
    ])
    expect(
      tables(
        '<table><tr><td><img alt=a src="data:image/png;base64,AA"><td><a name=b>c</a><td><a href=d></a></table>',
      )[0]?.columns,
    ).toEqual(['a', 'c', ''])
  })

  it('keep the blanks at the ends of links, and separate the cells of nested tables', () => {
    const nested = '<table><tr><td>x<td>y</table>'
    const html = `<table><tr><th>a<tr><td>see<a href="b"> the page </a>here<tr><td>${nested}</table>`
    expect(tables(html)).toMatchObject([{ rows: [['see [the page](b) here'], ['x y']] }])
  })

  it('join several header rows, and keep a row over all columns as caption', () => {
    const text = `<table>
<tr><th colspan=3>Prices</th></tr>
<tr><th rowspan=2>name</th><th colspan=2>price</th></tr><tr><th>net</th><th>gross</th></tr>
<tr><td>apple</td><td align=right>1</td><td style="text-align: right">2</td></tr>
<tr><td>pear</td><td align=right>3</td><td align=left>4</td></tr></table>`
    expect(tables(text)[0]).toMatchObject({
      caption: 'Prices',
      columns: ['name', 'price net', 'price gross'],
      align: [null, 'right', null],
      rows: [
        ['apple', '1', '2'],
        ['pear', '3', '4'],
      ],
    })
  })

  it('have the first row as header without `th`, unless it contains a number or other rows have a `th`', () => {
    const columnsOf = (html: string) => tables(`<table>${html}</table>`)[0]?.columns
    expect(columnsOf('<tr><td>name<td>2024<tr><td>apple<td>2')).toEqual(['name', '2024'])
    expect(columnsOf('<tr><td>apple<td>2.50<tr><td>pear<td>3')).toEqual(['', ''])
    expect(columnsOf('<tr><th>name<td>apple<tr><th>price<td>2')).toEqual(['', ''])
    expect(columnsOf('<thead><tr><td>a<td>b<tbody><tr><td>1<td>2')).toEqual(['a', 'b'])
  })

  it('equal those of parse5 for generated HTML', { timeout: 60_000 }, () => {
    const random = seededRandom(7)
    for (let count = 0; count < rounds(800, 3000); count++)
      expect(compareWithParse5(generateHtmlTable(random))).toBeNull()
  })

  it('end if another table starts between their cells', () => {
    expect(tables('<table><tr><td>a<td>b</td><table><tr><td>c</table>').map(({ columns }) => columns)).toEqual([
      ['a', 'b'],
      ['c'],
    ])
  })

  it('are found in quotes and list items, without container marks', () => {
    const text = `> <table><tr><td>a</td>
> <td>b</td></tr>
>   </table> end <table><tr><td>c</td></tr></table>
>
> - <div>
>   <table><tr><td>d</td></tr></table>

1. <table>
   <tr><td>e
   </table>
- f
  <table>

<table><tr><td>g</td></tr></table>`
    const elements = extractMarkdownElements(text, { htmlTables: 'table' })
    expect(elements.map(({ type, element }) => [type, element])).toEqual([
      ['table', '<table><tr><td>a</td>\n<td>b</td></tr>\n</table>'],
      ['text', ' end'],
      ['table', '<table><tr><td>c</td></tr></table>'],
      ['text', '> - <div>'],
      ['table', '<table><tr><td>d</td></tr></table>'],
      ['table', '<table>\n<tr><td>e\n</table>'],
      ['text', '- f\n  <table>'],
      ['table', '<table><tr><td>g</td></tr></table>'],
    ])
    expect(elements.flatMap(({ table }) => table?.columns ?? [])).toEqual(['a', 'b', 'c', 'd', 'e', 'g'])
    for (const { type, startCharIdx, endCharIdx, element } of elements) {
      const slice = text.slice(startCharIdx ?? 0, endCharIdx ?? 0)
      if (type === 'text') expect(slice).toBe(element)
      else expect([slice.slice(0, 6), slice.slice(-8)]).toEqual(['<table', '</table>'])
    }
  })

  it('are text if they are not closed, in code and in comments', () => {
    for (const text of [
      '<table><tr><td>a',
      '<table><tr><td>a\n\n# end\n\n</table>',
      '```\n<table><tr><td>a</td></tr></table>\n```',
      '<!-- <table><tr><td>a</td></tr></table> -->',
    ])
      expect(tables(text)).toEqual([])
  })

  const hostile = [
    ['', '<table>'],
    ['', '<table>\n\n'],
    ['', '<td '],
    ['', '<td "\n\n'],
    ['', '<div a="\n\n'],
    ['', '<div><!--\n\n'],
    ['', '<div><script>\n\n'],
    ['', '<div><textarea>\n\n'],
    ['', '<div><template>\n\n'],
    ['', '<br>\n\ntext\n\n'],
    ['', '<img src=a>\n\ntext\n\n'],
    ['', '<p>x</p>\n\ntext\n\n'],
    ['', '<table><tr><td>\n\na\n\n'],
    ['', '<table><tr><td>\n\n# a\n\n'],
    ['<table><tr><td>', '<table><tr><td>a</table>\n\n'],
    ['<table><tr><td>', '<table><tr><td>'],
    ['<table><tr><td>', '<a href=b>c</a>'],
    ['<table><tr><td>', '<img alt="'],
    ['', '<table><tr><td colspan=9999>x</table>\n'],
    ['', '> <table><tr><td>a</td></tr></table>\n'],
    ['', '- <div>\n\n  |a|b|\n  |-|-|\n'],
    ['<table>', '<tr><td rowspan=9999>'],
    ['<table>', '<tr><td rowspan=0>'],
    ['<table><tr><td colspan=1000>x', '<tr><td>'],
    ['<table><tr><td colspan=1000 rowspan=2>x<tr>', '<tr><td>'],
    ['<table><tr><td colspan=1000 rowspan=9999>x', '<tr><td>'],
  ] as const

  it.each(someOf(hostile, 6))(
    'are parsed in linear time for hostile text: %j, many %j',
    { tags: 'growth' },
    async (start, unit) => {
      expect(await growthOf((size) => tables(`${start}${unit.repeat(size)}</table>`), 200)).toBeLessThan(1.75)
    },
  )

  it.each(someOf(hostile, 6))(
    'are streamed in linear time for hostile text: %j, many %j',
    { tags: 'growth' },
    async (start, unit) => {
      const streamed = async (size: number) => {
        const pieces = [start, ...Array.from({ length: size }, () => unit), '</table>']
        for await (const { type } of streamMarkdownElements(pieces, { htmlTables: 'table' })) expect(type).toBeDefined()
      }
      expect(await growthOf(streamed, 200)).toBeLessThan(1.75)
    },
  )
})
