/** `readHtml` takes linear time on long lines, marks that are never closed, nested elements and wide tables. */
import { expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { readHtml } from './read-html.ts'

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
