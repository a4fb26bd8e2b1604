import { expect, it } from 'vitest'
import { phones } from './find-phones.ts'

const phonesIn = (text: string) =>
  [...new Set(phones.find(text).map(({ start, end }) => text.slice(start, end)))].sort()

it.each([
  ['international', 'write to +49 30 901820', ['+49 30 901820']],
  ['international with 00', '0041 44 668 18 00', ['0041 44 668 18 00']],
  ['national after a word', 'Tel.: 030/901820', ['030/901820']],
  ['national before a word', '030 901820 (Fax)', ['030 901820']],
  ['in a list', 'Phone: 030 901820 or 030 901821', ['030 901820', '030 901821']],
  ['in brackets, without them', 'Tel. (030 901820)', ['030 901820']],
  ['in square brackets', 'Tel. [030 901820]', ['030 901820']],
  ['of an unmistakable form', 'or (415) 555-2671', ['(415) 555-2671']],
  [
    'behind a compound or an inflected word',
    'Telefonnummer: 030 901820, Handynr. 0171 2345678',
    ['0171 2345678', '030 901820'],
  ],
  ['behind a name of a field', 'mobilePhone=030901820 contact_phone: 030901821', ['030901820', '030901821']],
  ['in the next cell', '<td>Tel</td><td>030 901820</td>', ['030 901820']],
  [
    'in another script',
    'هاتف: 030 901820 טלפון: 030 901821 電話番号は030-901822',
    ['030 901820', '030 901821', '030-901822'],
  ],
  [
    'behind a word with other meanings, of a national form',
    'Kontakt 0171 234 5678, Bel 030 901 8200',
    ['0171 234 5678', '030 901 8200'],
  ],
  ['without the words that follow', '☎ 030 901820 from 9', ['030 901820']],
])('finds a number %s', (_, text, expected) => {
  expect(phonesIn(text)).toEqual(expected)
})

it.each([
  ['that is a date after a word', 'call on 24.12.2024'],
  ['without a word', 'We sold 030 901820 pieces.'],
  ['that is an identifier', 'Order no. 0049301234567'],
  ['behind the name of another number', 'Order number: 053060989101, Bestellung 0327-3192-1244, ID 930-354-3016'],
  ['before a unit', 'phone 540.89 EUR, mobile 99 18 72 98 %, Mobil 12345 Euro'],
  ['that is a decimal number with zeros', '[00390.985337] and .0027 .2800 .7913'],
  ['that is too short', 'Tel. 1234'],
  ['behind a word with other meanings', 'Kontakt 123456, Standard 200000'],
  ['of a country that does not exist', '+999 1112223333'],
  ['in a sum', 'now() + 3600000, a + 4930901820'],
  ['in the bytes of a file', '<Buffer 00 28 13 02 00 49 30 90 18>'],
  ['in a row of decimal numbers', 'Tel 0.4328 0.0015 0.0019'],
  [
    'that is the name of a reference',
    '[for `Cell`][35627], [Call the owner][42430], phone\n\n[35628]: https://example.org',
  ],
  ['that is in the name of a file', 'mobile-0404881964.log, phone_0404881964.csv'],
  ['that is an amount', 'price +1000000000, +5000000000 and +1 000 000 000'],
])('finds no number %s', (_, text) => {
  expect(phonesIn(text)).toEqual([])
})
