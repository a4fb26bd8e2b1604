import { expect, it } from 'vitest'
import { findPhones } from './find-phones.ts'

const phonesIn = (text: string) => [...new Set(findPhones(text).map(({ start, end }) => text.slice(start, end)))].sort()

it.each([
  ['international', 'write to +49 30 901820', ['+49 30 901820']],
  ['international with 00', '0041 44 668 18 00', ['0041 44 668 18 00']],
  ['national after a word', 'Tel.: 030/901820', ['030/901820']],
  ['national before a word', '030 901820 (Fax)', ['030 901820']],
  ['in a list', 'Phone: 030 901820 or 030 901821', ['030 901820', '030 901821']],
  ['in brackets, without them', 'Tel. (030 901820)', ['030 901820']],
  ['of an unmistakable form', 'or (415) 555-2671', ['(415) 555-2671']],
  ['without the words that follow', '☎ 030 901820 from 9', ['030 901820']],
])('finds a number %s', (_, text, expected) => {
  expect(phonesIn(text)).toEqual(expected)
})

it.each([
  ['that is a date after a word', 'call on 24.12.2024'],
  ['without a word', 'We sold 030 901820 pieces.'],
  ['that is an identifier', 'Order no. 0049301234567'],
  ['that is too short', 'Tel. 1234'],
  ['that is an amount', 'price +1000000000, +5000000000 and +1 000 000 000'],
])('finds no number %s', (_, text) => {
  expect(phonesIn(text)).toEqual([])
})
