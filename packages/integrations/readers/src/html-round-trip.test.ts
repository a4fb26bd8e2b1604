/** Tables keep their grids on the way from HTML to Markdown and back, judged by parse5 alone: nothing here uses our table model. */
import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { htmlToMarkdown, readHtml } from './read-html.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const children = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
const named = (node: Node, ...names: string[]): node is Element => 'tagName' in node && names.includes(node.tagName)
const within = (node: Node, ...names: string[]): Element[] =>
  children(node).flatMap((child) => (named(child, ...names) ? [child] : within(child, ...names)))
const valueOf = ({ attrs }: Element, name: string) => attrs.find((attribute) => attribute.name === name)?.value

/** The words of a node. Blanks, punctuation and the marks that Markdown has instead of elements do not count. */
const words = (node: Node): string =>
  'value' in node
    ? node.value
    : children(node)
        .map((child) => ` ${words(child)} `)
        .join('')
const plain = (text: string) => text.replace(/[\s;:^_`]+/g, '')

/** The texts of the grid of a table: the text of a cell that spans rows or columns is at each place. */
function gridOf(table: Element): string[][] {
  const grid: string[][] = []
  const groups = ['thead', 'tbody', 'tfoot'].flatMap((name) => children(table).filter((child) => named(child, name)))
  for (const group of groups) {
    const rows = children(group).filter((child) => named(child, 'tr'))
    const first = grid.length
    for (const _ of rows) grid.push([])
    for (const [index, row] of rows.entries()) {
      let column = 0
      for (const cell of children(row)) {
        if (!named(cell, 'td', 'th')) continue
        while (grid[first + index]![column] !== undefined) column++
        const wide = Number(valueOf(cell, 'colspan') ?? 1)
        const high = Number(valueOf(cell, 'rowspan') ?? 1) || rows.length
        for (let y = index; y < Math.min(index + high, rows.length); y++)
          for (let x = column; x < column + wide; x++) grid[first + y]![x] = plain(words(cell))
        column += wide
      }
    }
  }
  const width = Math.max(...grid.map((row) => row.length))
  return grid.map((row) => Array.from({ length: width }, (_, x) => row[x] ?? ''))
}

const grids = (html: string) => within(parse(html), 'table').map(gridOf)
const back = (markdown: string) =>
  micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()], allowDangerousHtml: true })

/** What cells contain: text, and every kind of block and phrase. */
const contents = [
  'a',
  '12',
  'a|b',
  'x\\|y',
  '*a* _b_ `c`',
  '&lt;b&gt; &amp;amp;',
  '<b>x</b> <i>y</i>',
  '<a href=/u>link</a>',
  '<img src=/p.png>',
  '<code>a|b</code>',
  'a<br>b',
  '<p>one</p><p>two</p>',
  '<ul><li>x</li><li>y</li></ul>',
  '<ol><li>x<ul><li>y</ul></ol>',
  '<pre>line 1\nline | 2</pre>',
  '<blockquote>q</blockquote>',
  '<h3>t</h3>u',
  '<dl><dt>k</dt><dd>v</dd></dl>',
  '<div>x<div>y</div></div>',
  '<details><summary>s</summary>t</details>',
  '10<sup>6</sup>',
  'H<sub>2</sub>O',
  '<table><tr><td>in<td>ner</table>',
  '',
]

describe('a table', () => {
  it.each(contents)('with the cell %s has the grid of parse5 after the way to Markdown and back', (content) => {
    const page = `<p>before</p><table><tr><th>h1</th><th>h2</th></tr><tr><td>A</td><td>${content}</td></tr><tr><td>${content}</td><td>end</td></tr></table><p>after</p>`
    const html = back(htmlToMarkdown(page))
    expect(grids(html)).toEqual(grids(page))
    expect(html).toMatch(/<p>before<\/p>[\s\S]*<\/table>\s*<p>after<\/p>/)
  })

  it('keeps the texts of cells that span rows and columns, at each of their places', () => {
    const cell = fc.record({
      content: fc.constantFrom(...contents.slice(0, -2)),
      wide: fc.integer({ min: 1, max: 3 }),
      high: fc.integer({ min: 1, max: 3 }),
    })
    // Rows and columns without a cell of their own exist in the grid of HTML alone.
    const own = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(own, (rows) => {
        const head = '<thead><tr>'.concat(
          ...Array.from({ length: 9 }, (_, index) => `<th>h${index}</th>`),
          '</tr></thead>',
        )
        const body = rows.map(
          (row) =>
            `<tr>${row.map(({ content, wide, high }) => `<td colspan=${wide} rowspan=${high}>${content}</td>`).join('')}</tr>`,
        )
        const page = `<table>${head}<tbody>${body.join('')}</tbody></table>`
        const [written] = grids(back(htmlToMarkdown(page)))
        const expected = grids(page)[0]!
        expect(written).toEqual(expected)
      }),
      { numRuns: rounds(100, 300) },
    )
  })
})

/** Pages of about `size` characters. */
const families: Readonly<Record<string, (size: number) => string>> = {
  'one word': (size) => 'x'.repeat(size),
  blanks: (size) => `<p>a${' '.repeat(size)}b`,
  'open angle brackets': (size) => '<'.repeat(size),
  'open comments': (size) => '<!--'.repeat(size / 4),
  'a long attribute': (size) => `<p title="${'a'.repeat(size)}">x`,
  'many attributes': (size) => `<p ${Array.from({ length: size / 8 }, (_, index) => `a${index}=1`).join(' ')}>x`,
  'attributes that are never closed': (size) => `<table ${'a="'.repeat(size / 3)}`,
  'open paragraphs': (size) => '<p>a'.repeat(size / 4),
  'open links': (size) => '<a href=b>c'.repeat(size / 11),
  'a long title': (size) => `<title>${' a\n'.repeat(size / 3)}</title>x`,
  'a long address': (size) => `<a href="/${'a'.repeat(size)}">b</a>`,
  'images without text': (size) => '<img src=a>'.repeat(size / 11),
  'marks of Markdown': (size) => `<p>${'*_`[]('.repeat(size / 6)}`,
  'a long line of code': (size) => `<pre>${'`a'.repeat(size / 2)}</pre>`,
  'ticks of growing length': (size) =>
    `<code>${Array.from({ length: Math.sqrt(2 * size) }, (_, index) => '`'.repeat(index + 1)).join(' ')}</code>`,
  'one list': (size) => `<ul>${'<li>a'.repeat(size / 5)}</ul>`,
  'short lists': (size) => '<ul><li>a</ul>'.repeat(size / 14),
  headings: (size) => '<h1>a</h1>'.repeat(size / 10),
  'line breaks': (size) => `<p>${'a<br>'.repeat(size / 5)}`,
  'line breaks in a cell': (size) => `<table><tr><td>${'a<br>'.repeat(size / 5)}</table>`,
  'paragraphs in a cell': (size) => `<table><tr><td>${'<p>one two three'.repeat(size / 16)}</table>`,
  'a wide table': (size) => `<table><tr>${'<td>a'.repeat(size / 5)}</table>`,
  'a long table': (size) => `<table>${'<tr><td>a<td>b'.repeat(size / 14)}</table>`,
  'cells that span': (size) => `<table>${'<tr><td rowspan=9 colspan=9>x'.repeat(size / 29)}</table>`,
  'bold text that is never closed': (size) => 'a<b>'.repeat(size / 4),
  'bold and italic text that is never closed': (size) => 'a<b>b<i>'.repeat(size / 8),
  'bold text in a table that is never closed': (size) => `<table>${'a<b>'.repeat(size / 4)}`,
  'many small tables': (size) => '<table><tr><td>1</td></tr></table>'.repeat(size / 34),
  'many small tables in one block': (size) =>
    `<div>${'<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>\n'.repeat(size / 74)}</div>`,
  powers: (size) => `<p>${'a<sup>2</sup>'.repeat(size / 13)}`,
  'empty elements in a line': (size) => `<p>${'<span></span><x-y></x-y><wbr>'.repeat(size / 29)}`,
  'anchors of a list': (size) => `<ul>${'<a name=b></a>'.repeat(size / 14)}`,
  'comments in a list': (size) => `<ul>${'<!--a-->'.repeat(size / 8)}`,
  'character references': (size) => '&amp'.repeat(size / 4),
}

/** A page of this many characters is read in so many milliseconds of processor time, unless reading is slow or not linear. */
const ENOUGH = { size: 60_000, milliseconds: 1500 }

function isFast(read: (size: number) => unknown): boolean {
  const before = process.cpuUsage()
  try {
    read(ENOUGH.size)
  } catch {
    // A page may be refused, but quickly.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 < ENOUGH.milliseconds
}

/** Below the number of nested elements that are refused, growth cannot be measured. */
it('reads 600 marks inside of each other, as one', () => {
  const { text } = readHtml(`x ${'a<b>'.repeat(600)}`)
  expect(text).toBe(`x a**${'a'.repeat(599)}**\n`)
})

it.each(Object.keys(families))('readHtml takes linear time for %s', { tags: 'growth' }, async (family) => {
  const read = (size: number) => readHtml(families[family]!(size))
  if (!isFast(read)) expect(await growthOf(read, 2_000), family).toBeLessThan(1.75)
})
