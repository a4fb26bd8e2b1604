import { expect, it } from 'vitest'
import { cards } from './find-cards.ts'

const cardsIn = (text: string) => cards.find(text).map(({ start, end }) => text.slice(start, end))

it.each([
  ['in groups', 'Card 4111 1111 1111 1111.', ['4111 1111 1111 1111']],
  ['without groups', '5555555555554444', ['5555555555554444']],
  ['with fifteen digits', '3782 822463 10005', ['3782 822463 10005']],
  ['directly after a word', 'Visa4111111111111111', ['4111111111111111']],
  ['without the digits after it', '4111-1111-1111-1111 12/27', ['4111-1111-1111-1111']],
  ['several', '4111111111111111, 5555555555554444', ['4111111111111111', '5555555555554444']],
  ['of the old length', 'paid with 4222222222222', ['4222222222222']],
  ['in groups of four and three', '6212 3456 7890 0000 003', ['6212 3456 7890 0000 003']],
  ['in other groups behind a word', 'Kartennr.: 411 111 111 111 1111', ['411 111 111 111 1111']],
  ['in each line', '4111 1111 1111 1111\n5555 5555 5555 4444', ['4111 1111 1111 1111', '5555 5555 5555 4444']],
  ['in a list of values', '12,4111111111111111,0', ['4111111111111111']],
])('finds a number %s', (_, text, expected) => {
  expect(cardsIn(text)).toEqual(expected)
})

it.each([
  ['with a wrong check digit', '4111 1111 1111 1112'],
  ['of no scheme', '1111 1111 1111 1117'],
  ['within an identifier', 'order_a1b4111111111111111'],
  ['whose groups are in different sentences', '4111 1111 and 1111 1111'],
  ['in other groups without a word', '411 111 111 111 1111'],
  ['with different separators', '4111 1111-1111 1111'],
  ['in a decimal number', '0.4111111111111111 and 4111111111111111.5'],
  ['in a row of decimal numbers', '434.96 426.45 227.16 206.90'],
  ['in a row of numbers', '6587 7874 7833 3663 3561 371'],
  ['in a table of integers', '6979 9572 1444 9963\n5801 4798 5609 2156\n8000 1234 5678 9012'],
  ['behind the name of another number', 'Order number: 5315540613508393, EAN 4479380920852, tid=349255427306386'],
  ['of an order in groups', 'Order #5782-1847-2298-7539'],
  ['in a path', 'https://example.org/4111111111111111/2 and a/4111111111111111'],
  ['of an order', 'INV-4111-1111-1111-1111'],
  ['in a hash', '6963729393958a4111111111111111'],
  ['that is the number of an article', '4012345678901 and 4006381333931'],
  ['of a device or a time', '490154203237518 and 1700000000000'],
])('finds no number %s', (_, text) => {
  expect(cardsIn(text)).toEqual([])
})
