import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { extractMarkdownElements } from './extract-elements.ts'

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

  it('use the first row as header, repeat spanned cells and pad short rows', () => {
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

  it('keep text outside their cells as caption', () => {
    const text = '<table><caption>Table 1:<br>Prices &mdash; all</caption>and<tr><td>a</td></tr></table>'
    expect(tables(text)).toMatchObject([{ columns: ['a'], caption: 'Table 1: Prices — all and' }])
    expect(tables('<table><tbody> <tr> <td>a</td> </tr></table>')[0]).not.toHaveProperty('caption')
  })

  it('contain the visible text of cells', () => {
    const text = '<table><tr><td>H<sub>2</sub>O<td>a<p>b</p>c<td>x<!-- <i>y</i> -->&copy;&#x41;&nope;&#0;</table>'
    expect(tables(text)).toMatchObject([{ columns: ['H2O', 'a b c', 'x©A&nope;\ufffd'] }])
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

  it.each([
    ['', '<table>'],
    ['', '<table>\n\n'],
    ['', '<td '],
    ['', '<div><!--\n\n'],
    ['', '<table><tr><td colspan=9999>x</table>\n'],
    ['', '> <table><tr><td>a</td></tr></table>\n'],
    ['<table>', '<tr><td rowspan=9999>'],
    ['<table><tr><td colspan=1000>x', '<tr><td>'],
    ['<table><tr><td colspan=1000 rowspan=9999>x', '<tr><td>'],
  ])('are parsed in linear time for hostile text: %j, many %j', { timeout: 60_000 }, async (start, unit) => {
    expect(await growthOf((size) => tables(`${start}${unit.repeat(size)}</table>`), 200)).toBeLessThan(1.75)
  })
})
