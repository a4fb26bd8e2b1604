import { extractMarkdownElements, MarkdownElementNodeParser } from '@x/node-parser'
import fc from 'fast-check'
import { micromark } from 'micromark'
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
    // A row of one cell above all columns is part of the caption.
    expect(htmlToMarkdown('<table><tr><th colspan=100>all<tr><td>a<td>b')).toBe('all\n\n| a | b |\n| - | - |\n')
    // Each table inside of another one would multiply the cells by 1,000.
    const inner = '<table><tr><td colspan=1000>x<td>y'
    expect(htmlToMarkdown(inner.repeat(4)).length).toBeLessThan(20_000)
    const stairs = htmlToMarkdown(`<table>${'<tr><td rowspan=1000 colspan=1000>x'.repeat(400)}`)
    expect(stairs.length).toBeLessThan(10_000)
  })

  it.each([
    ['<p>one</p><p>two</p>', 'one; two'],
    ['<p>One.</p><p>Two.</p>', 'One. Two.'],
    ['<ul><li>x</li><li>y<ol><li>z</ol></ul>', 'x; y; z'],
    ['a<br>b', 'a b'],
    ['<pre>line 1\nline | 2\n</pre>after', '`line 1`; `line | 2`; after'],
    ['<pre><code>a</code></pre>', '`a`'],
    ['<h3>t</h3>text', 't; text'],
    ['<blockquote>q</blockquote>after', 'q; after'],
    ['a<hr>b', 'a; b'],
    ['<dl><dt>k</dt><dd>v</dd><dt>m</dt><dd>w</dd></dl>', 'k: v; m: w'],
    ['<details><summary>s</summary>text</details>', 's; text'],
    ['<a href=b><p>one</p><p>two</p></a>', '[one](b); [two](b)'],
    ['<b>x<div>y</div></b>', '**x**; **y**'],
    ['<table><tr><td>in<td>ner<tr><td>x<td>y</table>', 'in ner; x y'],
    ['<table><tr><td><p>one</p><table><col><tr><td><tt>two</tt></table></table>', 'one `two`'],
    ['<math><mi>x</mi></math>', 'x'],
    ['10<sup>6</sup> H<sub>2</sub>O, 1<sup>st</sup>', '10^6 H_2O, 1st'],
    ['note<sup><a href=n>1</a></sup><sup>*</sup>', 'note [1](n) \\*'],
    ['', ''],
  ])('writes the cell %s on one line', (cell, expected) => {
    const page = `<table><tr><th>h1<th>h2</tr><tr><td>A</td><td>${cell}</td></tr><tr><td>B</td><td>end</td></tr></table>`
    const [table] = extractMarkdownElements(htmlToMarkdown(page))
    expect(table?.table).toMatchObject({
      columns: ['h1', 'h2'],
      rows: [
        ['A', expected],
        ['B', 'end'],
      ],
    })
  })

  it.each([
    '<caption>Sales</caption><thead><tr><th rowspan=2>name<th colspan=2>Quarter<tr><th>Q1<th>Q2</thead><tbody><tr><td>a<td>1<td>2</table>',
    '<tfoot><tr><td>sum<td>3</tfoot><tbody><tr><th>a<th>b<tr><td>1<td>2</tbody>',
    '<tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d',
    '<tr><th>a<th align=right>b<tr><td>1<td align=right>2',
    '<tr><td>1<td>2<tr><td>3<td>4',
    '<tr><th colspan=3>title<tr><td>a<td>b<td>c<tr><td>1<td>2',
    '<tr><th>a\\|b<th>c<tr><td>x|y<td>z\\',
  ])('reads the same table from the Markdown as from the page: %s', (rows) => {
    const page = `<table>${rows}</table>`
    const tableOf = (text: string) =>
      extractMarkdownElements(text, { htmlTables: 'table' }).find(({ table }) => table)?.table
    const plain = (cells: readonly string[]) => cells.map((cell) => cell.replace(/\\(?=[\\|])/g, ''))
    const [own, again] = [tableOf(page)!, tableOf(htmlToMarkdown(page))!]
    expect(plain(again.columns)).toEqual(plain(own.columns))
    expect(again.rows.map(plain)).toEqual(own.rows.map(plain))
    expect(again.align).toEqual(own.align)
  })

  it('writes tables inside of lists and quotes, captions, and nothing for an empty table', () => {
    expect(htmlToMarkdown('<ul><li>x<table><tr><th>a<th>b<tr><td>1<td>2</table></ul>')).toBe(
      '- x\n\n  | a | b |\n  | - | - |\n  | 1 | 2 |\n',
    )
    expect(htmlToMarkdown('<p>a</p><table></table><table><tr><td></table><p>b')).toBe('a\n\nb\n')
    expect(htmlToMarkdown('<table><caption>Table 1</caption><tr><th>a<tr><td>1</table>')).toBe(
      'Table 1\n\n| a |\n| - |\n| 1 |\n',
    )
  })

  it('replaces deep elements by their content, and refuses a page that is nested too deeply', () => {
    expect(htmlToMarkdown(`<p>${'<b>a'.repeat(400)}`).match(/a/g)?.length).toBe(400)
    expect(htmlToMarkdown(`${'<ul><li>'.repeat(300)}a`)).toContain('a')
    expect(() => htmlToMarkdown('<div>'.repeat(5000))).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => htmlToMarkdown(null as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it.each([
    ['eve_b@example.org, +49-30-901820', 'eve_b@example.org, +49-30-901820'],
    ['https://example.org/a_b and www.example.org', 'https://example.org/a_b and www.example.org'],
    ['https://example.org/~ann/ ~x~', 'https://example.org/~ann/ \\~x\\~'],
    ['R&D, AT&T; A&B', 'R&D, AT\\&T; A&B'],
    ['[EMAIL_1] of [a [bc] d] [note]', '[EMAIL_1] of \\[a [bc] d] [note]'],
    // What Markdown would read as something else stays escaped.
    ['[x] [^1] [ab]: c [ab](c) [ab][cd] [ab]', '\\[x] \\[^1] \\[ab]: c \\[ab]\\(c) \\[ab][cd] [ab]'],
    ['&amp;copy; a\\@b \\[ab] *x* 1_', '\\&copy; a\\\\@b \\\\[ab] \\*x\\* 1\\_'],
  ])('escapes only what Markdown would read as something else: %s', (text, expected) => {
    expect(htmlToMarkdown(`<p>${text}</p>`)).toBe(`${expected}\n`)
    const [node] = (micromark(expected).match(/<p>([\s\S]*)<\/p>/) ?? []).slice(1)
    expect(node?.replaceAll('&amp;', '&')).toBe(text.replaceAll('&amp;', '&'))
    expect(htmlToMarkdown(`<table><tr><th>a<th>b<tr><td>1<td>${text}</table>`)).toContain(` ${expected} |`)
  })

  it.each([
    ['<b>Note: </b>text', '**Note:** text'],
    ['<b>Note:&nbsp;</b>text', '**Note:**\u00a0text'],
    ['<b>Title<br></b>text', '**Title**\\\ntext'],
    ['a<i> b</i>c<i> </i>d', 'a *b*c d'],
    ['<b>注意：</b>请 日本<b>「引用」</b>語', '注意：请 日本「引用」語'],
    ['<span><b>Note:</b></span>text, <a href=b><b>Note:</b></a>text', 'Note:text, [**Note:**](b)text'],
    ['<kbd>⌘</kbd><kbd>K</kbd> <del>a</del><del>b</del> <b>c</b><b>d</b><i>e</i>', '`⌘K` ~~ab~~ **cd**_e_'],
    ['<b><i>a</i></b><b><i>b</i> c</b>', '**_ab_ c**'],
  ])('writes marks where Markdown reads them as such: %s', (html, expected) => {
    expect(htmlToMarkdown(`<p>${html}</p>`)).toBe(`${expected}\n`)
  })

  it('writes blocks inside of a mark as blocks, as pages of word processors have them', () => {
    const blocks = '<h2>Pears</h2><p>one</p><table><tr><th>a<tr><td>1</table><ul><li>x</ul><hr><pre>c</pre>two'
    for (const name of ['b', 'i', 'u', 'del', 'b><span'])
      expect(htmlToMarkdown(`<${name}>${blocks}`)).toBe(htmlToMarkdown(blocks))
  })

  it.each(['¶', '#', '§', '\u200b', ' 🔗', '<svg></svg>'])('leaves out the link %j of a heading to itself', (sign) => {
    const link = `<span><a class="headerlink" href="#pears">${sign}</a></span>`
    expect(htmlToMarkdown(`<h2>Pears${link}</h2><dl><dt>name${link}<dd>x`)).toBe('## Pears\n\n- name\n\n  x\n')
    expect(htmlToMarkdown(`<p>${link} <a href="#c">C#</a><a href="#n">*</a><a href="#i"><img src="i"></a>`)).toBe(
      '[C#](#c)[\\*](#n)[![](i)](#i)\n',
    )
  })

  it.each([
    '<table><tr><td><div><pre>1\n2</pre></div></td><td><div><pre><b>if</b> x:\n    y</pre></div></td></tr></table>',
    '<figure><table><tr><td><pre><span>1</span><br>2<br></pre><td><pre>if x:<br>    y<br></pre></table></figure>',
    '<pre><code><table><tr><td><pre>1\n2\n</pre></td><td><pre>if x:\n    y\n</pre></td></tr></table></code></pre>',
    '<table><tr><td><pre>if x:\n    y</pre></td></tr></table>',
    '<pre><table><tr><td data-line-number="1"></td><td>if x:</td></tr><tr><td></td><td>    y</td></tr></table></pre>',
  ])('writes the table of a highlighter as code: %s', (page) => {
    expect(htmlToMarkdown(page)).toBe('```\nif x:\n    y\n```\n')
  })

  it('writes the words for an image that is data, and not its data', () => {
    const data = `data:image/png;base64,${'A'.repeat(100)}`
    const page = `<p>a <img src="${data}" alt="a pear"> b <a href="/c"><img src="${data}"></a><img src="d.png" alt="d">`
    expect(htmlToMarkdown(page)).toBe('a a pear b [](/c)![d](d.png)\n')
    expect(htmlToMarkdown(`<table><tr><th>a<tr><td><img src="${data}" alt="x">1</table>`)).toBe(
      '| a |\n| - |\n| x1 |\n',
    )
  })

  it('completes addresses with the base of the page', () => {
    const page = '<base href="/docs/"><p><a href="a">a</a>'
    expect(htmlToMarkdown(page, { url: 'https://example.org/b' })).toBe('[a](https://example.org/docs/a)\n')
    expect(htmlToMarkdown(page)).toBe('[a](a)\n')
    expect(htmlToMarkdown(page.replace('/', 'https://example.com/'))).toBe('[a](https://example.com/docs/a)\n')
  })

  it('writes an anchor as its content', () => {
    expect(htmlToMarkdown('<h2><a name="s">Pears</a></h2><a id="t"><p>a <a>b</a> <a href="">c</a>')).toBe(
      '## Pears\n\na b [c]()\n',
    )
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
