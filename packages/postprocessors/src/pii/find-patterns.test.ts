import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { findPatterns } from './find-patterns.ts'
import { maskEntities } from './mask-entities.ts'
import { unmask } from './pii-mapping.ts'

const found = (text: string) => findPatterns(text).map(({ entity_group, word }) => `${entity_group} ${word}`)

describe('findPatterns', () => {
  it.each<[string, string[]]>([
    ['Write to ann.lee+news@mail.example.org, please.', ['EMAIL ann.lee+news@mail.example.org']],
    ['jürgen@müller.de', ['EMAIL jürgen@müller.de']],
    [
      'DE89 3704 0044 0532 0130 00 or GB82WEST12345698765432',
      ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN GB82WEST12345698765432'],
    ],
    ['DE89 3704 0044 0532 0130 02', []],
    ['card 4111 1111 1111 1111, not 4111 1111 1111 1112', ['CARD 4111 1111 1111 1111']],
    ['192.168.0.1 and 10.0.0.256 and 1.2.3.4.5', ['IP 192.168.0.1']],
    ['2001:db8:85a3:0:0:8a2e:370:7334 and fe80:0::1', ['IP 2001:db8:85a3:0:0:8a2e:370:7334', 'IP fe80:0::1']],
    ['at 10:30:45', []],
    ['+49 (30) 1234-5678 or 0049 30 123456', ['PHONE +49 (30) 1234-5678', 'PHONE 0049 30 123456']],
    ['version 1.2.3 of 2024-01-02', []],
    ['', []],
  ])('finds in %j', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  it('finds entities that can be masked and restored', () => {
    const part = fc.constantFrom(
      'ann@example.org',
      ' ',
      '4111 1111 1111 1111',
      '+49 30 1234567',
      '.',
      'x',
      '192.168.0.1',
      ':',
      '0',
      '@',
      '-',
      '[EMAIL_0]',
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

  it.each(['a', 'a.', 'a@', '1', '1 ', '1.', 'a:', '::', '+1', 'AA11', 'a-@.'])(
    'takes linear time on many %j',
    async (unit) => {
      expect(await growthOf((size) => findPatterns(unit.repeat(size)), 2000)).toBeLessThan(1.75)
    },
  )
})
