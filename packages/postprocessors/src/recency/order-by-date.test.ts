import { NodeWithScore, TextNode } from '@x/core-model'
import { expect, it } from 'vitest'
import { type DateOptions, newestFirst } from './order-by-date.ts'

const entries = (...dates: unknown[]) =>
  dates.map(
    (date, index) =>
      new NodeWithScore({
        node: new TextNode({ id: `n${index}`, metadata: date === undefined ? {} : { date: date as string } }),
      }),
  )
const ids = (dates: unknown[], own: Partial<DateOptions> = {}) =>
  newestFirst(entries(...dates), { dateKey: 'date', dayFirst: false, onMissingDate: 'throw', ...own }, 'Sorter').map(
    ({ nodeId }) => nodeId,
  )

it('returns the newest first, and equal dates in the order of the input', () => {
  expect(ids(['2021-01-01', '2023-05-01', '2021-01-01', '2022-01-01'])).toEqual(['n1', 'n3', 'n0', 'n2'])
})

it('parses all dates of a list with the same order of day and month', () => {
  expect(ids(['03/02/2021', '28/02/2021', '13/02/2021'])).toEqual(['n1', 'n2', 'n0'])
})

it('throws for a missing and for an unreadable date, with the node and the key', () => {
  expect(() => ids(['2021-01-01', undefined])).toThrow(expect.objectContaining({ code: 'missing_metadata' }))
  expect(() => ids(['2021-01-01', 'unknown'])).toThrow(expect.objectContaining({ code: 'invalid_date' }))
})

it('puts entries without a readable date last, or drops them', () => {
  const dates = [undefined, '2021-01-01', 'unknown', '2022-01-01', null]
  expect(ids(dates, { onMissingDate: 'last' })).toEqual(['n3', 'n1', 'n0', 'n2', 'n4'])
  expect(ids(dates, { onMissingDate: 'drop' })).toEqual(['n3', 'n1'])
})
