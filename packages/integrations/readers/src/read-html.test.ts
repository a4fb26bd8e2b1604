import { MarkdownElementNodeParser } from '@x/node-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown, readHtml } from './read-html.ts'

describe('htmlToMarkdown', () => {
  it('returns the content of a page without what is around it', () => {
    const page =
      '<!doctype html><head><title>T</title><script>x</script></head><body><nav>Home</nav><main><h1>Pears</h1><p hidden>no</p><p>Green, <a href="/b">see</a>.</p><ul><li>one<li>two</ul><pre><code class="language-js">a | b</code></pre></main><footer>c</footer>'
    expect(htmlToMarkdown(page, { url: 'https://example.org/a/' })).toBe(
      '# Pears\n\nGreen, [see](https://example.org/b).\n\n- one\n- two\n\n```js\na | b\n```\n',
    )
    expect(htmlToMarkdown(page, { content: 'body' })).toContain('Home')
    expect(htmlToMarkdown('')).toBe('')
  })

  it('returns tables, with cells that span rows or columns in each place', async () => {
    const page =
      '<table><thead><tr><th>name<th colspan=2>price</thead><tr><td rowspan=2>pear<td>1<td>2<tr><td>3<td>a|b</table>'
    const markdown = htmlToMarkdown(page)
    expect(markdown).toBe('| name | price | price |\n| - | - | - |\n| pear | 1 | 2 |\n| pear | 3 | a\\|b |\n')
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
    const nodes = await parser.getNodesFromDocuments([readHtml(page)])
    expect(nodes.at(-1)?.metadata['table_df']).toBe(
      '{"columns":["name","price","price"],"rows":[["pear","1","2"],["pear","3","a|b"]]}',
    )
  })

  it('fills places that a row leaves empty beside a cell from above', () => {
    const page = '<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td rowspan=2>3<tr><td>4</table>'
    expect(htmlToMarkdown(page)).toContain('| 4 | | 3 |')
  })

  it('repeats cells only in columns and tables that exist', () => {
    expect(htmlToMarkdown('<table><tr><th colspan=100>all<tr><td>a<td>b')).toBe('| all | all |\n| - | - |\n| a | b |\n')
    // Each table inside of another one would multiply the cells by 1,000.
    const inner = '<table><tr><td colspan=1000>x<td>y'
    expect(htmlToMarkdown(inner.repeat(4)).length).toBeLessThan(20_000)
    const stairs = htmlToMarkdown(`<table>${'<tr><td rowspan=1000 colspan=1000>x'.repeat(400)}`)
    expect(stairs.length).toBeLessThan(10_000)
  })

  it('replaces deep elements by their content, and refuses a page that is nested too deeply', () => {
    expect(htmlToMarkdown(`<p>${'<b>a'.repeat(400)}`).match(/a/g)?.length).toBe(400)
    expect(htmlToMarkdown(`${'<ul><li>'.repeat(300)}a`)).toContain('a')
    expect(() => htmlToMarkdown('<div>'.repeat(5000))).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => htmlToMarkdown(null as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('ignores a byte order mark', () => {
    expect(htmlToMarkdown('\uFEFF<title>T</title><h1>a</h1>')).toBe('# a\n')
  })

  it('takes the only article, and keeps addresses that are none', () => {
    const page = '<p>no</p><article><p><a href="http://[x">a</a> <a href="#b">b</a></p></article>'
    expect(htmlToMarkdown(page, { url: 'https://example.org' })).toBe('[a](http://\\[x) [b](#b)\n')
  })

  it('never throws, and checks its options', () => {
    const part = fc.constantFrom(
      '<table>',
      '<tr>',
      '<td rowspan=3>',
      '<td colspan=0>',
      '</table>',
      '<p>',
      'a',
      '<main>',
      '<a href="::">',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        expect(typeof htmlToMarkdown(parts.join(''), { url: 'https://example.org' })).toBe('string')
      }),
    )
    expect(() => htmlToMarkdown('', { content: 'all' } as never)).toThrow('content')
  })
})

describe('readHtml', () => {
  it('returns a document with title and address', () => {
    const document = readHtml('<title> All\n pears </title><p>x', {
      url: 'https://example.org/',
      metadata: { lang: 'en' },
    })
    expect(document).toMatchObject({ id: 'https://example.org/', text: 'x\n' })
    expect(document.metadata).toEqual({ title: 'All pears', url: 'https://example.org/', lang: 'en' })
    expect(readHtml('x', { id: 'i' }).id).toBe('i')
  })
})
