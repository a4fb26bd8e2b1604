import { describe, expect, it } from 'vitest'
import { stem } from '../words.ts'
import { columnsFor, signOf, translated } from './lexicon.ts'

it.each([
  ['largest', 1],
  ['Bigger', 1],
  ['cheapest', -1],
  ['shorter', -1],
  ['most', 1],
  ['fewest', -1],
  ['oldest', -1],
  ['newest', 1],
  ['heaviest', 1],
  ['fastest', -1],
  ['large', undefined],
])('signOf(%j)', (word, sign) => {
  expect(signOf(word)).toBe(sign)
})

it('returns the columns that a word may stand for', () => {
  expect(columnsFor('costs').has(stem('price'))).toBe(true)
  expect(columnsFor('Who').has(stem('person'))).toBe(true)
  expect(columnsFor('zither').size).toBe(0)
})

describe('translated', () => {
  it.each([
    ['Wie viele Gäste hat die größte Hütte?', 'how many Gäste hat die highest Hütte?'],
    ['Wann öffnet das Museum?', 'when öffnet das Museum?'],
    ['Quel est le prix du billet ?', 'what is le price du billet ?'],
    ['¿Cuándo abre el museo?', '¿when abre el museo?'],
    ['What is the price of the Wurst?', 'What is the price of the Wurst?'],
    ['Zither', 'Zither'],
  ])('%j', (question, english) => {
    expect(translated(question).text).toBe(english)
  })
})
