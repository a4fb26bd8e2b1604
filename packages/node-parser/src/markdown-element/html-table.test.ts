import { describe, expect, it } from 'vitest'
import { extractMarkdownElements } from './extract-elements.ts'

const tables = (text: string) =>
  extractMarkdownElements(text, { htmlTables: 'table' }).flatMap(({ table, startCharIdx, endCharIdx }) =>
    table === null ? [] : [{ ...table, source: text.slice(startCharIdx ?? 0, endCharIdx ?? 0) }],
  )

describe('HTML tables', () => {
  it('are text unless asked for', () => {
    const html = '<table><tr><td>a</td></tr></table>'
    expect(extractMarkdownElements(html).map(({ type }) => type)).toEqual(['text'])
    expect(extractMarkdownElements(html, { htmlTables: 'table' }).map(({ type }) => type)).toEqual(['table'])
  })

  it('take the first row as header, repeat spanned cells and pad short rows', () => {
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

  it('go on over blank lines, and keep a nested table as text of its cell', () => {
    const text =
      '<table>\n\n<tr><td>a</td><td><table><tr><td>x</td></tr></table></td></tr>\n\n<tr><td>b\n\n</table> end'
    expect(tables(text)).toMatchObject([
      { columns: ['a', 'x'], rows: [['b', '']], source: text.slice(0, text.length - 4) },
    ])
  })

  it('are left alone without an end, in code and in comments', () => {
    for (const text of [
      '<table><tr><td>a',
      '<table><tr><td>a\n\n# end\n\n</table>',
      '```\n<table><tr><td>a</td></tr></table>\n```',
      '<!-- <table><tr><td>a</td></tr></table> -->',
    ])
      expect(tables(text)).toEqual([])
  })

  it('cost time in proportion to hostile text', () => {
    const start = performance.now()
    tables(`<table><tr><td colspan=1000>x${'<tr><td>'.repeat(50_000)}</table>`)
    for (const part of ['<table>', '<table>\n\n', '<td ', '<div><!--\n\n', '<table><tr><td colspan=9999>x</table>\n'])
      tables(part.repeat(20_000))
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
