import { expect, it } from 'vitest'
import { countUpTo, lineStarts, pageMarks } from './places.ts'

it('counts the items up to an offset', () => {
  const count = (place: number) => countUpTo([0, 5, 5, 9], place, (item) => item)
  expect([-1, 0, 4, 5, 100].map(count)).toEqual([0, 1, 1, 3, 4])
})

it('returns the starts of lines for all line endings', () => {
  expect(lineStarts('a\nb\r\nc\rd')).toEqual([0, 2, 5, 7])
  expect(lineStarts('')).toEqual([0])
})

it('labels ranges with their page or pages', () => {
  const text = 'one\n---\ntwo\n---\nthree'
  const pages = pageMarks(text, '^---$', '1')
  expect([pages.labelOf(0, 3), pages.labelOf(8, 11), pages.labelOf(0, text.length)]).toEqual(['1', '2', '1-3'])
  // Breaks at the start and at the end of a range belong to the adjacent pages.
  expect(pages.labelOf(4, 15)).toBe('2')
})

it('uses labels from the pattern, and counts on from numeric labels', () => {
  const pages = pageMarks('a\n[iv]\nb\n[]\nc', '^\\[(\\w+)?\\]$', '7')
  expect([pages.labelOf(0, 1), pages.labelOf(7, 8), pages.labelOf(12, 13)]).toEqual(['7', 'iv', 'iv'])
})
