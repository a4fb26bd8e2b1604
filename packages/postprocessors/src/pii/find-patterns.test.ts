import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someOf } from '../../../../tools/extent.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { cards, emails, ibans, ips, nothing, phones } from '../../test/pii-forms.ts'
import { findPatterns } from './find-patterns.ts'
import { maskEntities } from './mask-entities.ts'
import { birthDates } from './patterns/birth-dates.ts'
import { credentials } from './patterns/credentials.ts'
import { emails as emailKind, ips as ipKind } from './patterns/find-addresses.ts'
import { cards as cardKind } from './patterns/find-cards.ts'
import { ibans as ibanKind } from './patterns/find-ibans.ts'
import { phones as phoneKind } from './patterns/find-phones.ts'
import { macAddresses, wallets } from './patterns/identifiers.ts'
import { nationalIdsOf } from './patterns/national-ids.ts'
import { numberingPlans } from './patterns/numbering-plans.ts'
import type { PatternKind } from './patterns/pattern-kind.ts'
import { unmask } from './pii-mapping.ts'

const everything = findPatterns({
  kinds: [
    credentials,
    emailKind,
    ibanKind,
    cardKind,
    nationalIdsOf(),
    macAddresses,
    wallets,
    birthDates,
    ipKind,
    phoneKind,
  ],
  regions: numberingPlans('DE', 'US', 'DK', 'AR'),
})

/** The text with the found entities in guillemets, and their kinds. */
function marked(text: string): { text: string; kinds: (string | null | undefined)[] } {
  const found = findPatterns(text)
  let result = ''
  let copied = 0
  for (const { start, end } of found) {
    result += `${text.slice(copied, start!)}«${text.slice(start!, end!)}»`
    copied = end!
  }
  return { text: result + text.slice(copied), kinds: found.map((entity) => entity.entity_group) }
}

describe.each([
  ['CARD', cards],
  ['IBAN', ibans],
  ['EMAIL', emails],
  ['IP', ips],
  ['PHONE', phones],
])('findPatterns for %s', (kind, forms) => {
  it.each(forms)('finds the entity in %j', (form) => {
    const { text, kinds } = marked(form.replace(/[«»]/g, ''))
    expect(text).toBe(form)
    expect(new Set(kinds)).toEqual(new Set([kind]))
  })
})

describe('findPatterns', () => {
  it('is tested with at least 200 different forms', () => {
    expect(new Set([...cards, ...ibans, ...emails, ...ips, ...phones, ...nothing]).size).toBeGreaterThanOrEqual(200)
  })

  it.each(nothing)('finds nothing in %j', (text) => {
    expect(marked(text)).toEqual({ text, kinds: [] })
  })

  it('returns several kinds in order, without overlaps', () => {
    const text = 'ann@example.org, 4111 1111 1111 1111, DE89370400440532013000, 192.168.0.1, Tel. 030 901820'
    expect(findPatterns(text).map(({ entity_group, word }) => `${entity_group} ${word}`)).toEqual([
      'EMAIL ann@example.org',
      'CARD 4111 1111 1111 1111',
      'IBAN DE89370400440532013000',
      'IP 192.168.0.1',
      'PHONE 030 901820',
    ])
  })

  it.each([
    ['4111 1111 1111 1111', '\u00a0'],
    ['4111 1111 1111 1111', '\u202f'],
    ['4111 1111 1111 1111', '\u2009'],
    ['4111 1111 1111 1111', '–'],
    ['4111 1111 1111 1111', '-'],
    ['4111 1111 1111 1111', '.'],
    ['4111 1111 1111 1111', '  '],
    ['DE89 3704 0044 0532 0130 00', '\u00a0'],
    ['DE89 3704 0044 0532 0130 00', '\u202f'],
    ['DE89 3704 0044 0532 0130 00', '–'],
    ['DE89 3704 0044 0532 0130 00', '.'],
    ['+49 30 901820', '\u00a0'],
    ['+49 30 901820', '\u202f'],
    ['+49 30 901820', '–'],
    ['+49 30 901820', '.'],
  ])('finds %j with %j between its groups, next to any other text', (form, separator) => {
    const number = form.replaceAll(' ', separator)
    for (const [before, after] of [
      ['', ''],
      ['(', ')'],
      ['"', '"'],
      ['Text: ', '.'],
      ['a,', ',b'],
      ['\n', '\n'],
      ['北京', '。'],
      ['[', ']'],
      ['<b>', '</b>'],
      ['*', '*'],
    ] as const)
      expect(marked(before + number + after).text).toBe(`${before}«${number}»${after}`)
  })

  it('finds entities that can be masked and restored', () => {
    const part = fc.constantFrom(
      'ann@example.org',
      ' ',
      '4111 1111 1111 1111',
      '+49 30 1234567',
      'Tel. ',
      '.',
      'x',
      '192.168.0.1',
      ':',
      '0',
      '@',
      '-',
      '[EMAIL_0]',
      '１',
      '\u00a0',
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 20 }).map((parts) => parts.join('')),
        (text) => {
          const masked = maskEntities(text, findPatterns(text))
          expect(unmask(masked.text, masked.mapping)).toBe(text)
        },
      ),
    )
  })

  it.each(
    someOf(
      [
        'a',
        'a.',
        'a@',
        '1',
        '1 ',
        '1.',
        'a:',
        '::',
        '+1',
        'AA11',
        'a-@.',
        'DE89 ',
        'tel',
        'tel. ',
        'tel number ',
        '(1',
        '(at)',
        '"a ',
        '4111 ',
        '00 ',
        ' ',
        '北',
        'Telefon ',
        'Kontakt: 030 ',
        '+49 ',
        '030 901820 ',
        'password: ',
        'sk-',
        'eyJ-',
        'eyJaaaaaaaa.',
        '-----BEGIN PRIVATE KEY-----',
        'http://a:',
        'SSN ',
        '12.34.56-',
        'born ',
        '00:1A:',
        '1A',
        'bc1',
        '電話',
        '<td>',
        '\\_',
        '&#64;',
        'a\\@',
        '%40',
        '%2540%',
        '\\u0040',
        '?a=1+',
        '1+1',
        '&amp;',
        '\u200B',
        '<!-- ',
        '=40=3D',
        '=\n',
      ],
      12,
    ),
  )('takes linear time on many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => everything(unit.repeat(size)), 500)).toBeLessThan(1.75)
  })

  it.each([
    'Write to «eve\\@example.org».',
    '«ann\\_b@example.org», «ann\\_b\\@example\\.org»\\.',
    '«ann&#64;example.org» «ann&#x40;example.org» «ann&commat;example&period;org» «m&uuml;ller@example.org»',
    '«&#97;&#110;&#110;&#64;&#101;&#120;&#97;&#109;&#112;&#108;&#101;&#46;&#111;&#114;&#103;»',
    'Call «+49\\-30\\-901820» or «\\+49 30 901821», Tel. \\(«030 901822»\\)',
    '| «bob\\_lee\\@example.org» | a\\|b | «4111\\-1111\\-1111\\-1111» |',
    '«DE89\\-3704\\-0044\\-0532\\-0130\\-00» from «192\\.168\\.1\\.1»',
    'in `«ann\\@example.org»`',
  ])('reads the escapes and character references of Markdown: %s', (form) => {
    const { text } = marked(form.replace(/[«»]/g, ''))
    expect(text).toBe(form)
  })

  it.each([
    '[Ann](mailto:«ann%40example.org»?subject=Hi%20Ann)',
    'https://example.org/?mail=«ann%40example.org»&tel=«%2B49%2030%20901820»&n=1 and ?tel=«+49+30+901820»',
    'call <tel:«%2B49-30-901820»>, from «192%2E168%2E0%2E1»',
    '{"mail": "«ann\\u0040example.org»", "note": "Tel.\\n«030 901820»\\n«bob@example.org»"}',
    'Card «4111%201111%201111%201111», «DE89%203704%200044%200532%200130%2000»',
    'an «an\u00ADn@exam\u200Bple.org» or \u202A«+49\u200E 30 901820»\u202C, «41\u00AD11 1111 11\u200B11 1111»',
    '«ann<wbr>@example.org», «bob@example<!-- no spam -->.org»',
    'Content-Transfer-Encoding: quoted-printable\n\n«ann=40exam=\nple.org» Tel. «=2B49 30 901820»',
  ])('reads what addresses, JSON and mails encode, and what nobody sees: %s', (form) => {
    const { text } = marked(form.replace(/[«»]/g, ''))
    expect(text).toBe(form)
  })

  it.each([
    '<!-- «ann@example.org», Tel. «030 901820» --> x',
    'Phone «030 901820»,\n    «030 901821»; הטלפונים: «030 901822»',
    'Phones:\r\r- «030 901820»\r- Tel. «030 901821»\r',
  ])('finds the data in %j', (form) => {
    const { text } = marked(form.replace(/[«»]/g, ''))
    expect(text).toBe(form)
  })

  it.each([
    'https://example.org/a%20b%2Fc%3Fd?x=%7B%22a%22%3A1%7D&y=50%25',
    '20%40%60%80% and 12%3456789012%',
    'C:\\new\\x40\\u0040, \\d+\\.\\d, \\u4e2d\\u6587\\u4e2d\\u6587',
    '?a=1+2+3+4+5+6+7+8+9+10&b=40%2B50%2B60',
    'width=3D4050 height=3D=4030=5060\n=2B=2B',
    'icon%402x.png, git%40github.com',
    'ក\u200Bខ\u200B12\u200B345\u200Bគ',
  ])('finds nothing in what %s encodes', (text) => {
    expect(marked(text).text).toBe(text)
  })

  it.each([
    'a\\_b \\@ example, \\[x\\] 1\\. 2\\. 3\\.',
    '$1\\,000\\,000$, \\d{3}\\-\\d{4}, C:\\\\_x\\_y',
    'R&amp;D &copy; 2024 &#49;&#50;&#51;&#52;&#53;&#54;',
    '1\\.2\\.3\\.4\\.5',
  ])('finds nothing in the escapes of %s', (text) => {
    expect(marked(text).text).toBe(text)
  })

  it('refuses what is no kind and options that do not exist', () => {
    expect(() => findPatterns({ kinds: ['emails'] as never })).toThrow(
      'findPatterns.kinds: expected a list of kinds such as [emails], received an array',
    )
    expect(() => findPatterns({ regions: ['DE'] as never })).toThrow('findPatterns.regions: expected a kind')
    expect(() => findPatterns({ region: phoneKind } as never)).toThrow('regions')
  })

  it('finds the kinds that are passed, in their order of precedence', () => {
    const text = 'postgres://ann:s3cret@db.example.org'
    const kinds = (...list: PatternKind[]) => findPatterns({ kinds: list })(text).map(({ word }) => word)
    expect(kinds(credentials, emailKind)).toEqual(['ann:s3cret'])
    expect(kinds(emailKind, credentials)).toEqual(['s3cret@db.example.org'])
    expect(kinds()).toEqual([])
  })
})
