import { describe, expect, it } from 'vitest'
import { birthDates } from './birth-dates.ts'
import { credentials } from './credentials.ts'
import { macAddresses, wallets } from './identifiers.ts'
import { nationalIdsOf } from './national-ids.ts'
import { numberingPlans } from './numbering-plans.ts'
import type { PatternKind } from './pattern-kind.ts'
import { withPlainSigns } from './plain-signs.ts'

const foundBy = (kind: PatternKind, text: string): string[] =>
  [...new Set(kind.find(withPlainSigns(text)).map(({ start, end }) => text.slice(start, end)))].sort()

describe('credentials', () => {
  it.each([
    'sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ012345',
    'glpat-abcdefghij0123456789',
    'xoxb-123456789012-1234567890123-AbCdEfGhIjKl',
    'AIzaSyA-1234567890abcdefghijklmnopqrst',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END RSA PRIVATE KEY-----',
  ])('finds %s', (key) => {
    expect(foundBy(credentials, `key="${key}".`)).toEqual([key])
  })

  it.each([
    ['password: hunter2.', 'hunter2'],
    ['"apiKey": "Ab12Cd34"', 'Ab12Cd34'],
    ['パスワード：x1y2z3', 'x1y2z3'],
    ['postgres://ann:s3cret@db.example.org/x', 'ann:s3cret'],
    ['Authorization: Bearer abcdefghijklmnopqrstu', 'abcdefghijklmnopqrstu'],
  ])('finds the value in %s', (text, value) => {
    expect(foundBy(credentials, text)).toEqual([value])
  })

  it.each([
    'password: string',
    'password: process.env.PASSWORD_2',
    'password: DB_PASSWORD2',
    'sk-loading-indicator-wrapper',
    'the password is wrong',
    'https://example.org/a:b@c',
    'token = await login(user)',
  ])('finds nothing in %s', (text) => {
    expect(foundBy(credentials, text)).toEqual([])
  })
})

describe('nationalIdsOf', () => {
  it.each([
    ['AT', 'SVNR 1237 010180'],
    ['AU', 'TFN 123 456 782'],
    ['BE', '85.07.30-033.28'],
    ['BG', 'EGN 7523169263'],
    ['BR', '111.444.777-35'],
    ['CA', 'SIN 046 454 286'],
    ['CH', '756.9217.0769.85'],
    ['CL', '12.345.678-5'],
    ['CN', '11010519491231002X'],
    ['CZ', '710319/2745'],
    ['DE', 'Steuer-ID 86 095 742 719'],
    ['DE', 'Rentenversicherungsnummer 65 170839 J 003'],
    ['EE', 'isikukood 37605030299'],
    ['ES', '12345678Z'],
    ['FI', '131052-308T'],
    ['FR', '1 84 12 76 451 089 46'],
    ['GB', 'National Insurance no. AB123456C'],
    ['GB', 'NHS 943 476 5919'],
    ['HK', 'A123456(3)'],
    ['HR', 'OIB 33392005961'],
    ['IE', 'PPS 1234567FA'],
    ['IL', 'תעודת זהות 123456782'],
    ['IN', 'Aadhaar 2345 6789 0124'],
    ['IS', 'kennitala 120174-3399'],
    ['IT', 'RSSMRA85T10A562S'],
    ['JP', 'マイナンバー 1234 5678 9018'],
    ['KR', '주민등록번호 900101-1234567'],
    ['MX', 'HEGG560427MVZRRL04'],
    ['NL', 'BSN 111222333'],
    ['NO', 'fødselsnummer 17054026641'],
    ['NZ', 'IRD 49-091-850'],
    ['PL', 'PESEL: 44051401359'],
    ['PT', 'NIF 123456789'],
    ['RO', 'CNP 1800101221144'],
    ['RU', 'СНИЛС 112-233-445 95'],
    ['RU', 'ИНН 500100732259'],
    ['SE', '811218-9876'],
    ['SG', 'S1234567D'],
    ['TH', '1-1017-00230-70-8'],
    ['TR', 'TC kimlik no 10000000146'],
    ['TW', 'A123456789'],
    ['US', '536-90-4399'],
    ['US', 'social security: 212 09 9876'],
    ['ZA', 'ID number 8001015009087'],
  ])('finds the number of %s in %s', (region, text) => {
    const written = text.replace(/^[^\d]* (?=\d)|^.*no\. (?=AB)/, '')
    expect(foundBy(nationalIdsOf(region), `(${text})`)).toEqual([written])
    expect(foundBy(nationalIdsOf(), text)).toContain(written)
    // One other digit is no longer a number, unless the last one is no check digit.
    if (['GB', 'US', 'KR', 'IS'].includes(region)) return
    const wrong = text.replace(/(\d)(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
    expect(foundBy(nationalIdsOf(region), wrong)).toEqual([])
  })

  it.each([
    '111222333',
    'order 44051401359',
    '000-12-3456 and 666-12-3456',
    'INV-536-90-4399',
    '536-90-4399-1',
    '12345678-1234-1234-1234-123456789012',
  ])('finds nothing in %s', (text) => {
    expect(foundBy(nationalIdsOf(), text)).toEqual([])
  })

  it('refuses a region whose numbers are not known', () => {
    expect(() => nationalIdsOf('XX')).toThrow('nationalIdsOf.regions: expected regions such as "US"')
  })
})

describe('numberingPlans', () => {
  it.each([
    ['DE', 'Ring 030 901820 now', ['030 901820']],
    ['DE', 'Ring 01512 3456789 now', ['01512 3456789']],
    ['US', 'or 201 555 0123', ['201 555 0123']],
    ['GB', 'or 07400 123456', ['07400 123456']],
    ['DK', 'or 32 12 34 56', ['32 12 34 56']],
    ['AR', 'al 011 15-2345-6789', ['011 15-2345-6789']],
    ['RU', 'или 8 (912) 345-67-89', ['8 (912) 345-67-89']],
    ['PT', 'Ligue para 912345678', ['912345678']],
    ['DE', 'We sold 230 901820 pieces', []],
    ['DK', '21 32 12 34 56 78', []],
    ['US', '201.55 0123 and 201 555 012', []],
    ['US', 'no. 201 555 0123, INV-201 555 0123', []],
  ])('finds numbers of %s in %s', (region, text, expected) => {
    expect(foundBy(numberingPlans(region), text)).toEqual(expected)
  })

  it('refuses a region that does not exist', () => {
    expect(() => numberingPlans('DE', 'de')).toThrow('numberingPlans.regions: expected codes of regions such as "DE"')
  })
})

describe('birthDates', () => {
  it.each([
    ['born 12.04.1985', '12.04.1985'],
    ['DOB: 1985-04-12', '1985-04-12'],
    ['Date of birth: April 12, 1985', 'April 12, 1985'],
    ['geboren am 12. April 1985', '12. April 1985'],
    ['née le 12 avril 1985', '12 avril 1985'],
    ['fecha de nacimiento: 12 de abril de 1985', '12 de abril de 1985'],
    ['дата рождения 12.04.1985', '12.04.1985'],
    ['1985年4月12日生まれ', '1985年4月12日'],
    ['생년월일: 1985.04.12', '1985.04.12'],
    ['תאריך לידה: 12/04/1985', '12/04/1985'],
  ])('finds the date in %s', (text, date) => {
    expect(foundBy(birthDates, text)).toEqual([date])
  })

  it.each(['released 12.04.1985', 'on 1985-04-12', 'newborn screening 2020', 'born in 1985'])(
    'finds nothing in %s',
    (text) => {
      expect(foundBy(birthDates, text)).toEqual([])
    },
  )
})

describe('macAddresses', () => {
  it('finds hardware addresses, and no times or dates', () => {
    expect(foundBy(macAddresses, 'a 00:1A:2B:3C:4D:5E, 00-1a-2b-3c-4d-5e, 001a.2b3c.4d5e')).toHaveLength(3)
    expect(foundBy(macAddresses, '2024-10-11-12-13-14 10:20:30 1234.5678.9012 fe80:1a:2b')).toEqual([])
  })
})

describe('wallets', () => {
  it.each([
    '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ])('finds %s', (address) => {
    expect(foundBy(wallets, `pay ${address}.`)).toEqual([address])
  })

  it.each([
    '1BoatSLRHtKNngkdXEeobR76b53LETtpyU',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    `0x${'0'.repeat(40)}`,
    `0x${'ab'.repeat(32)}`,
  ])('finds nothing in %s', (text) => {
    expect(foundBy(wallets, text)).toEqual([])
  })
})
