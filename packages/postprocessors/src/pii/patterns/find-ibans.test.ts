import { expect, it } from 'vitest'
import { findIbans } from './find-ibans.ts'

const ibansIn = (text: string) => findIbans(text).map(({ start, end }) => text.slice(start, end))

it.each([
  ['in groups', 'DE89 3704 0044 0532 0130 00', ['DE89 3704 0044 0532 0130 00']],
  ['in lower case', 'to gb82west12345698765432!', ['gb82west12345698765432']],
  ['with dashes', 'NL91-ABNA-0417-1643-00', ['NL91-ABNA-0417-1643-00']],
  ['directly after the word', 'IBANDE89370400440532013000', ['DE89370400440532013000']],
])('finds a number %s', (_, text, expected) => {
  expect(ibansIn(text)).toEqual(expected)
})

it.each([
  ['with a wrong check digit', 'DE88 3704 0044 0532 0130 00'],
  ['of an unknown country', 'XX89 3704 0044 0532 0130 00'],
  ['that is too long', 'DE893704004405320130001'],
  ['that is too short', 'DE89 3704 0044'],
  ['within a word', 'aDE89370400440532013000'],
])('finds no number %s', (_, text) => {
  expect(ibansIn(text)).toEqual([])
})
