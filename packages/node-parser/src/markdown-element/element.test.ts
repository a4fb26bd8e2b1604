import { expect, it } from 'vitest'
import { type Element, isRejected, newElement, rejectedAsText, runsOf } from './element.ts'

const text = 'one |a| two |b| three'
const at = (type: Element['type'], part: string): Element => {
  const start = text.indexOf(part)
  return newElement(type, part, start, start + part.length)
}
const rejected = (part: string): Element => ({
  ...at('table', part),
  tableOutput: { summary: '', columns: [], shouldKeep: false } as unknown as NonNullable<Element['tableOutput']>,
})

it('merges a rejected table with the text on both sides, as written in the source', () => {
  const elements = [at('text', 'one'), rejected('|a|'), at('text', 'two'), at('table', '|b|'), at('text', 'three')]
  expect(elements.map(isRejected)).toEqual([false, true, false, false, false])
  expect(
    rejectedAsText(elements, text).map(({ type, startCharIdx, endCharIdx }) => [
      type,
      text.slice(startCharIdx!, endCharIdx!),
    ]),
  ).toEqual([
    ['text', 'one |a| two'],
    ['table', '|b|'],
    ['text', 'three'],
  ])
})

it('yields the text elements before each table, and a last run without a table', () => {
  const [one, table, two] = [at('text', 'one'), at('table', '|a|'), at('text', 'two')]
  expect([...runsOf([one, two, table, two])]).toEqual([
    { texts: [one, two], table },
    { texts: [two], table: null },
  ])
  expect([...runsOf([])]).toEqual([])
})
