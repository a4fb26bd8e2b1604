import { describe, expect, it } from 'vitest'
import { attributesOf, decodeReferences, readToken } from './html-token.ts'

describe('readToken', () => {
  it.each([
    ['a start tag', '<TD>x', { kind: 'tag', name: 'td', closing: false, start: 0, end: 4 }],
    ['an end tag', '</td >', { kind: 'tag', name: 'td', closing: true, start: 0, end: 6 }],
    ['a tag with > in a quoted value', '<a t="1>2">', { kind: 'tag', name: 'a', closing: false, start: 0, end: 11 }],
    [
      'a tag without quotes and with a slash',
      '<br a=b/>',
      { kind: 'tag', name: 'br', closing: false, start: 0, end: 9 },
    ],
  ])('reads %s', (_, text, expected) => {
    expect(readToken(text, 0)).toEqual(expected)
  })

  it.each([
    ['a comment', '<!-- a --> b', 4, ' a '],
    ['the short comment', '<!--> b', 4, ''],
    ['a declaration', '<!DOCTYPE html> b', 2, 'DOCTYPE html'],
    ['an instruction', '<?xml?> b', 2, 'xml?'],
    ['an end tag without a name', '</1> b', 2, '1'],
  ])('reads %s', (_, text, bodyStart, body) => {
    const token = readToken(text, 0)
    expect(token).toMatchObject({ kind: 'comment', bodyStart })
    const { until } = token as { until: RegExp }
    until.lastIndex = bodyStart
    expect(text.slice(bodyStart, until.exec(text)?.index)).toBe(body)
  })

  it('returns null for a < that is text, and unclosed for a tag without an end', () => {
    expect(['< td>', '<1>', '<', '</'].map((text) => readToken(text, 0))).toEqual([null, null, null, null])
    expect(['<td', '<td a="', "<td a='>", '<td a='].map((text) => readToken(text, 0))).toEqual(
      Array.from({ length: 4 }, () => 'unclosed'),
    )
  })
})

describe('attributesOf', () => {
  const attributes = (text: string) => {
    const tag = readToken(text, 0)
    return tag !== null && tag !== 'unclosed' && tag.kind === 'tag' ? Object.fromEntries(attributesOf(text, tag)) : null
  }

  it('returns values with and without quotes, decoded, by their name in lower case', () => {
    expect(attributes(`<td COLSPAN=2 title='a "b"' alt="&lt;&#65;" hidden>`)).toEqual({
      colspan: '2',
      title: 'a "b"',
      alt: '<A',
      hidden: '',
    })
  })

  it('keeps the first of equal names, and reads a name that starts with =', () => {
    expect(attributes('<a x=1 X=2 =y=3>')).toEqual({ x: '1', '=y': '3' })
  })
})

it('decodes decimal, hexadecimal and named references', () => {
  expect(decodeReferences('&amp;&#38;&#x26;&Auml;')).toBe('&&&Ä')
})
