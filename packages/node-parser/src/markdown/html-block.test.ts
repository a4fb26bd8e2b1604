import { describe, expect, it } from 'vitest'
import { endsHtml, type HtmlKind, htmlEndSearchStart, htmlKind } from './html-block.ts'

describe('htmlKind', () => {
  it.each<[HtmlKind, string[]]>([
    [1, ['<pre>', '<SCRIPT src="a">', '<style']],
    [2, ['<!-- a', '<!-->']],
    [3, ['<?xml?>', '<?']],
    [4, ['<!DOCTYPE html>']],
    [5, ['<![CDATA[ a']],
    [6, ['<table>', '</DIV', '<p/>', '<section class="a">']],
    [7, ['<b>', '</span  >', '<my-tag a=1 b="2" c/>  ']],
    [0, ['<a x=>', '<b> text', '<1>', '<', '<!1', '< b>', '<a x=">', '<b']],
  ])('returns %i', (kind, lines) => {
    expect(lines.map((line) => htmlKind(line))).toEqual(lines.map(() => kind))
  })
})

describe('endsHtml', () => {
  it.each<[HtmlKind, string, string]>([
    [1, 'a </Script> b', '</div>'],
    [2, 'a -->', 'a --'],
    [3, '?>', '>'],
    [4, '>', '?'],
    [5, 'a ]]>', 'a ]]]>'],
  ])('detects the end of kind %i', (kind, end, other) => {
    expect([endsHtml(kind, end), endsHtml(kind, other)]).toEqual([true, false])
  })

  it('returns false for kinds that end at a blank line', () => {
    expect([endsHtml(6, '</table>'), endsHtml(7, '>')]).toEqual([false, false])
  })

  it('searches the first line of a block after its opening', () => {
    const isWhole = (line: string) => endsHtml(htmlKind(line), line, htmlEndSearchStart(htmlKind(line)))
    expect(['<!-->', '<?>', '<!A>', '<![CDATA[]]>', '<!-- a', '<![CDATA[ >'].map(isWhole)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })
})
