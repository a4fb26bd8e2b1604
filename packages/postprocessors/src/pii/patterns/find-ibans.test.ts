import { expect, it } from 'vitest'
import { ibans } from './find-ibans.ts'

const ibansIn = (text: string) => ibans.find(text).map(({ start, end }) => text.slice(start, end))

it.each([
  ['in groups', 'DE89 3704 0044 0532 0130 00', ['DE89 3704 0044 0532 0130 00']],
  ['in lower case', 'to gb82west12345698765432!', ['gb82west12345698765432']],
  ['with dashes', 'NL91-ABNA-0417-1643-00', ['NL91-ABNA-0417-1643-00']],
  ['in other groups behind a word', 'IBAN: DE 8937 0400 4405 3201 3000', ['DE 8937 0400 4405 3201 3000']],
  ['directly after the word', 'IBANDE89370400440532013000', ['DE89370400440532013000']],
])('finds a number %s', (_, text, expected) => {
  expect(ibansIn(text)).toEqual(expected)
})

it.each([
  ['with a wrong check digit', 'DE88 3704 0044 0532 0130 00'],
  ['of an unknown country', 'XX89 3704 0044 0532 0130 00'],
  ['that is too long', 'DE893704004405320130001'],
  ['that is too short', 'DE89 3704 0044'],
  ['in other groups without a word', 'DE893 70400 44053 20130 00'],
  ['with different separators', 'DE89 3704-0044 0532.0130 00'],
  ['within a word', 'aDE89370400440532013000'],
])('finds no number %s', (_, text) => {
  expect(ibansIn(text)).toEqual([])
})
