import { expect, it } from 'vitest'
import { findCards } from './find-cards.ts'
import { digitGroups } from './plain-signs.ts'

const cardsIn = (text: string) => findCards(text, digitGroups(text)).map(({ start, end }) => text.slice(start, end))

it.each([
  ['in groups', 'Card 4111 1111 1111 1111.', ['4111 1111 1111 1111']],
  ['without groups', '5555555555554444', ['5555555555554444']],
  ['with fifteen digits', '3782 822463 10005', ['3782 822463 10005']],
  ['directly after a word', 'Visa4111111111111111', ['4111111111111111']],
  ['without the digits after it', '4111-1111-1111-1111 12/27', ['4111-1111-1111-1111']],
  ['several', '4111111111111111, 5555555555554444', ['4111111111111111', '5555555555554444']],
])('finds a number %s', (_, text, expected) => {
  expect(cardsIn(text)).toEqual(expected)
})

it.each([
  ['with a wrong check digit', '4111 1111 1111 1112'],
  ['of no scheme', '1111 1111 1111 1117'],
  ['within an identifier', 'order_a1b4111111111111111'],
  ['whose groups are in different sentences', '4111 1111 and 1111 1111'],
])('finds no number %s', (_, text) => {
  expect(cardsIn(text)).toEqual([])
})
