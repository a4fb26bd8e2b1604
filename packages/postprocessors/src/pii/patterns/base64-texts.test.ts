import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../../tools/extent.ts'
import { growthOf } from '../../../../../tools/growth.ts'
import { findPatterns } from '../find-patterns.ts'
import { maskEntities } from '../mask-entities.ts'
import { NERPIINodePostprocessor } from '../ner-pii-node-postprocessor.ts'
import { unmask } from '../pii-mapping.ts'
import { base64Texts } from './base64-texts.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64')
const inLines = (text: string) => encoded(text).replace(/.{76}/g, '$&\r\n')
const letter = `Dear Ann,\n${'thanks for the letter, grüße, and see you soon. '.repeat(4)}\nTel. 030 901820\n`
const found = (text: string) =>
  findPatterns(text).map(({ word, start, end }) => ({ word, is: text.slice(start!, end!) }))

describe('base64Texts', () => {
  it.each([
    ['ann@a.de, Bob', encoded('ann@a.de, Bob')],
    ['ann@a.de, Bob', encoded('ann@a.de, Bob').replace(/=+$/, '')],
    ['Schöne Grüße an 北京', encoded('Schöne Grüße an 北京')],
    ['?user=ann>>>~~~', Buffer.from('?user=ann>>>~~~').toString('base64url')],
    [letter, inLines(letter)],
    [`${letter}a`, `${inLines(`${letter}a`)}\r\n--end--`],
  ])('reads %j', (text, source) => {
    const texts = base64Texts(`a: ${source}. b`)
    expect(texts.map((one) => one.text)).toEqual([text])
    const end = source.replace(/=*\s*(?:--.*)?$/, '').length
    expect(texts[0]!.placesOf([{ start: 0, end: text.length }])).toEqual([{ start: 3, end: 3 + end }])
  })

  it('reads a part that begins within a group or a character', () => {
    const text = encoded(letter)
    for (let from = 1; from < 120; from++) {
      const [part] = base64Texts(text.slice(from))
      expect(letter.endsWith(part!.text)).toBe(true)
      const [place] = part!.placesOf([{ start: part!.text.indexOf('030'), end: part!.text.length }])
      expect(Buffer.from(text.slice(from + place!.start, from + place!.end), 'base64').toString()).toMatch(
        /^.{0,2}030 901820\n/,
      )
    }
  })

  it('returns the groups of each range once', () => {
    const text = 'aaaabbbb1234'
    const places = base64Texts(encoded(text))[0]!.placesOf([
      { start: 0, end: 4 },
      { start: 4, end: 5 },
      { start: 5, end: 12 },
    ])
    expect(places).toEqual([
      { start: 0, end: 8 },
      { start: 8, end: 16 },
    ])
  })

  it.each([
    'antidisestablishmentarianism and internationalization',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    'd41d8cd98f00b204e9800998ecf8427e 550e8400e29b41d4a716446655440000 /usr/local/lib/node_modules/x',
    'AAAAAAAAAAAAAAAAAAAAAAAA',
  ])('finds no text in %j', (text) => {
    expect(base64Texts(text).map((one) => one.text)).toEqual([])
  })
})

describe('findPatterns in base64', () => {
  it.each([
    ['mail: ', encoded('ann@example.org'), ['ann@example.org']],
    ['Content-Transfer-Encoding: base64\r\n\r\n', inLines(letter), ['030 901820\n']],
    [
      'data:text/plain;base64,',
      encoded('4111 1111 1111 1111, ann@example.org'),
      ['4111 1111 1111 1111, ', 'ann@example.org'],
    ],
    [
      '{"token": "eyJhbGciOiJIUzI1NiJ9.',
      encoded('{"email":"ann@example.org"}').replace(/=+$/, ''),
      ['"ann@example.org"}'],
    ],
    ['key: ', encoded('ann@example.org,bob@example.org'), ['ann@example.org', ',bob@example.org']],
    ['nested: ', encoded('name,phone\nAnn,030 901820\n'), ['030 901820\n']],
  ])('finds the groups behind %j', (before, text, parts) => {
    const all = found(`${before}${text} Text`)
    expect(all.map(({ is }) => Buffer.from(is, 'base64').toString())).toEqual(parts)
    expect(all.map(({ word }) => word)).toEqual(all.map(({ is }) => is))
  })

  it('reads base64 in base64', () => {
    const text = encoded(`a: ${encoded('write to ann@example.org')}, b`)
    const [{ word } = { word: '' }] = findPatterns(text)
    const inner = Buffer.from(word!, 'base64')
      .toString()
      .replace(/^[: ]+/, '')
    expect(Buffer.from(inner, 'base64').toString()).toContain('ann@example.org')
  })

  it('masks and restores it, in long strings too', async () => {
    const short = `a ${encoded('ann@example.org')} b ann@example.org`
    const masked = maskEntities(short, findPatterns(short))
    expect(masked.text).toBe('a [EMAIL_2] b [EMAIL_25]')
    expect(unmask(masked.text, masked.mapping)).toBe(short)
    const mails = Array.from({ length: 100 }, (_, index) => `ann${index}@example.org`)
    const long = encoded(mails.join(`, ${'text '.repeat(5)}`))
    const { text, mapping } = await new NERPIINodePostprocessor().maskPii(findPatterns, long)
    expect(unmask(text, mapping)).toBe(long)
    for (const part of text.split(/\[\w+\]/)) expect(Buffer.from(part, 'base64').toString()).not.toContain('@')
  })

  it('finds nothing in harmless base64', () => {
    const text = 'Order 4111111111111111, version 1.2.3.4, phone 12.50 EUR'
    expect(findPatterns(`${encoded(text)} ${encoded('x'.repeat(99))}`)).toEqual([])
  })

  it.each(
    someOf(
      ['QUFB', 'YW5u', 'YW5uQGV4YW1wbGUub3Jn ', 'YW5uQGV4YW1wbGUub3Jn', `${'YW5u'.repeat(19)}\n`, 'YW5u=', '====', 'A'],
      3,
    ),
  )('takes linear time on many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => findPatterns(unit.repeat(size)), 500)).toBeLessThan(1.75)
  })
})
