/**
 * @module
 * Compares the HTML tables that the parser finds with those of parse5, on generated HTML until the time is up.
 */
import { newBlock } from '../src/markdown/block.ts'
import { HtmlTableFinder } from '../src/markdown-element/html-table.ts'
import { shrink } from './compare.ts'
import { plainTables } from './plain-parse5.ts'
import { type FuzzReport, fuzzUntil } from './until.ts'

export function fuzz(seconds: number, seed: number): FuzzReport {
  return fuzzUntil(seconds, seed, (random) => {
    const html = generateHtmlTable(random)
    if (compareWithParse5(html) === null) return []
    const smallest = shrink(html, compareWithParse5)
    const both = compareWithParse5(smallest)
    return [`${JSON.stringify(smallest)}\n  ours   ${both?.ours}\n  parse5 ${both?.plain}`]
  })
}

/** Returns both lists of tables if they differ, otherwise null. Blanks are not compared. */
export function compareWithParse5(html: string): { ours: string; plain: string } | null {
  const finder = new HtmlTableFinder()
  finder.read(html, newBlock('html', 0, html.length))
  const found = finder.take().map(({ start, end, table }) => ({ start, end, table }))
  const expected = plainTables(html)
  // The text that parse5 moves in front of the tables belongs to a table only if there is nothing else.
  if (expected[0]?.start !== 0 || expected[0].end !== html.length)
    for (const { table } of [...found, ...expected]) delete table.caption
  const ours = withoutBlanks(found)
  const plain = withoutBlanks(expected)
  return ours === plain ? null : { ours, plain }
}

function withoutBlanks(tables: unknown): string {
  return JSON.stringify(tables, (_, value) => (typeof value === 'string' ? value.replace(/\s+/g, '') : value))
}

/** Returns a table with tags in their places, with some of them left out, repeated or misplaced. */
export function generateHtmlTable(random: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const chance = (share: number) => random() < share
  const wild = chance(0.5) ? 0 : random() * 0.2
  const times = (most: number, make: () => string) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make).join('')
  const noise = (deep = 0) => {
    if (!chance(wild)) return chance(0.2) ? pick(['\n', ' ', '<!-- c -->']) : ''
    return deep === 0 ? pick(NOISE) : pick(NOISE.slice(0, NOISE.indexOf('<a href=s>s</a>')))
  }
  const attributes = () => (chance(0.35) ? times(3, () => pick(ATTRIBUTES)) : '')
  const closing = (name: string) => (chance(0.8) ? `</${name}>` : '')
  const content = (deep = 0) => times(3, () => pick(deep === 0 ? CONTENT : CONTENT.slice(0, CONTENT.indexOf('<td>'))))
  const cell = (deep: number): string => {
    const name = pick(['td', 'td', 'th'])
    // A table comes first: a link that is left open in front of it would be closed, moved and copied.
    const nested = deep < 2 && chance(0.04) ? `<table>${row(deep + 1)}</table>` : ''
    return `<${name}${attributes()}>${nested}${content(deep)}${closing(name)}${noise(deep)}`
  }
  const row = (deep: number): string =>
    `<tr${chance(0.1) ? ' align=right' : ''}>${noise(deep)}${times(4, () => cell(deep))}${closing('tr')}${noise(deep)}`
  const group = () => {
    const name = pick(['thead', 'tbody', 'tfoot'])
    return `<${name}>${noise()}${times(3, () => row(0))}${closing(name)}`
  }
  const caption = chance(0.15) ? `<caption>${content()}${closing('caption')}` : ''
  const body = times(4, () => (chance(0.4) ? group() : row(0)))
  return `<table${attributes()}>${noise()}${caption}${body}${noise()}</table>`
}

const ATTRIBUTES = [
  ' colspan=2',
  ' colspan="3"',
  " colspan='0'",
  ' colspan=1200',
  ' colspan=" 2x"',
  ' rowspan=2',
  ' rowspan="3"',
  ' rowspan=0',
  ' rowspan=99999',
  ' rowspan=-1',
  ' data-colspan="2"',
  ' data-rowspan=3',
  ' ROWSPAN=2',
  ' title="x > y"',
  " title='a \" < b'",
  " title='</td>'",
  ' colspan = 2',
  ' rowspan',
  ' align=right',
  ' align="center"',
  ' x="colspan=2"',
  ' colspan="&#50;"',
  '/',
  ' =a',
  ' a=b"c',
]

const CONTENT = [
  'a',
  'b c',
  '1',
  '2020',
  ' ',
  '\n',
  '&amp;',
  '&#65;',
  'x < y',
  '<br>',
  '<b>bold</b>',
  '<b>',
  '</b>',
  '<p>para',
  '<div>x</div>',
  '<img alt="Hammer" src=h.png>',
  '<img alt="a [b] > c">',
  '<img src="data:image/png;base64,AA" alt=d>',
  '<a href="u?a=1&amp;b=2">link</a>',
  '<a name=n>anchor</a>',
  '<a href=unclosed>open',
  '</a>',
  '<a href="a b">two</a>',
  '<!-- </td> -->',
  '<!-->',
  '<!--->x-->',
  '<!-- a --!>',
  '<?php </td> ?>',
  '<!x>',
  '</>',
  '</1>',
  '<script>var s = "</td>"</script>',
  '<style>td { }</style>',
  '<textarea><td></textarea>',
  '<title></td></title>',
  '<template><td>t</td></template>',
  '<ul><li>one<li>two</ul>',
  '<3',
  '<h1>H</h1>',
  '</p>',
  // Only outside of tables in cells.
  '<td>',
  '</th>',
]

const NOISE = [
  '<tr>',
  '</tr>',
  '<td>',
  '</td>',
  '<th>',
  '</th>',
  '<tbody>',
  '</tbody>',
  '<thead>',
  '</thead>',
  '<tfoot>',
  '</tfoot>',
  '<caption>',
  '</caption>',
  '<col>',
  '<colgroup>',
  '</colgroup>',
  '<table>',
  '</table>',
  'stray',
  '<i>stray',
  '</i>',
  '<div>',
  '</div>',
  '<br>',
  '</body>',
  '</html>',
  // Only outside of tables in cells.
  '<a href=s>s</a>',
  '<a href=t>',
]
