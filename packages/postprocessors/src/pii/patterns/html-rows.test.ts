import { expect, it } from 'vitest'
import { someOf } from '../../../../../tools/extent.ts'
import { growthOf } from '../../../../../tools/growth.ts'
import { findPatterns } from '../find-patterns.ts'

const [a, b, c] = ['030 901820', '030 901821', '030 901822']
const words = (text: string) =>
  findPatterns(text).map(({ word, start, end }) => (text.slice(start!, end!) === word ? word : 'another place'))

it.each([
  `<table>\n<tr><th>Name</th><th>Phone</th></tr>\n<tr><td rowspan="2">Ann</td><td>${a}</td></tr>\n<tr><td>${b}</td></tr><tr><td>x<td>${c}\n</table>`,
  `<TABLE class="x"><thead><tr><td colspan=2>Staff<td>Phone</thead><tr><td>Ann<td>Lee<td><b>${a}</b></tr><tr><td colspan='2'>Bob</td><td>${b}<br>${c}</td></table>`,
  `<table><tr><th>Phone</th><td>${a}</td><td>x</td></tr><tr><td><table><tr><td>x</td><td>Tel.</td></tr><tr><td>y</td><td>${b}</td></tr></table></td></tr><tr><td>${c}</td></tr></table>`,
  `Phones:\n\n<ul>\n<li>${a}</li>\n<li>${b}\n<li>${c}</ul>`,
  `<h2>Phones</h2><ol><li>${a}</li><li>${b}</li><li>${c}</li></ol>`,
  `<dl><dt>Phones</dt><dd>${a}</dd><dd>${b}</dd><dt>Fax</dt><dd>${c}</dd></dl>`,
])('the header of a column and the label of a list count in HTML: %s', (text) => {
  expect(words(text)).toEqual([a, b, c])
})

it.each([
  '<table><tr><th>month</th><th>mobile</th></tr><tr><td>May</td><td>120000</td></tr><tr><td>June</td><td>345678</td></tr></table>',
  '<table><tr><th>order number</th></tr><tr><td>4111111111111111</td></tr></table>',
  '<ul><li>12345678</li><li>23456789</li></ul>',
  'Phone models: <ul><li>12345678</li><li>23456789</li></ul>',
  '<tr><td>12345678</td></tr></table><td>phone',
])('nothing is found in the harmless numbers of %s', (text) => {
  expect(words(text)).toEqual([])
})

it.each(
  someOf(
    [
      '<td>',
      '<tr>',
      '<table>',
      '<table><tr><td>',
      '<li>',
      '<ul>',
      '<td colspan=999 rowspan=999>',
      '</table>',
      '<td ',
      '<dt>a<dd>1',
    ],
    3,
  ),
)('takes linear time on many %j', { tags: 'growth' }, async (unit) => {
  expect(await growthOf((size) => findPatterns(`Phones: <table>${unit.repeat(size)}`), 500)).toBeLessThan(1.75)
})
