import { describe, expect, it } from 'vitest'
import { codePointAt, codePointBefore, isLetterOrDigit, WordBoundaries } from './word-boundaries.ts'

/** The string with `|` at each boundary inside it. */
function marked(text: string, locale = 'en'): string {
  const boundaries = new WordBoundaries(text, new Intl.Segmenter(locale, { granularity: 'word' }))
  return Array.from(text, (_, place) => (place > 0 && boundaries.has(place) ? `|${text[place]}` : text[place])).join('')
}

describe('WordBoundaries', () => {
  it.each([
    ['begins and ends words', 'a cat', 'en', 'a| |cat'],
    ['separates an English clitic', "New York's don't", 'en', "New| |York|'s| |do|n't"],
    ['keeps an apostrophe in other languages', "l'eau d'or", 'de', "l'eau| |d'or"],
    ['keeps plus and hash with the letter before', 'C++ and C#', 'en', 'C++| |and| |C#'],
    ['separates a plus between letters', 'a+b', 'en', 'a|+|b'],
    ['separates at every colon', 'a:b', 'en', 'a|:|b'],
    ['never splits a combining mark from its letter', 'e\u0301t', 'en', 'e\u0301t'],
  ])('%s', (_, text, locale, expected) => {
    expect(marked(text, locale)).toBe(expected)
  })

  it('has the same boundaries in a long string as its segmenter, even without a safe cut nearby', () => {
    const segmenter = new Intl.Segmenter('de', { granularity: 'word' })
    for (const text of ['ab cd, '.repeat(800), 'a-b'.repeat(2000)]) {
      const edges = new Set(Array.from(segmenter.segment(text), ({ index }) => index))
      const boundaries = new WordBoundaries(text, segmenter)
      for (let place = 1; place < text.length; place += 7) expect(boundaries.has(place)).toBe(edges.has(place))
    }
  })

  it('treats both ends of the string as boundaries', () => {
    const boundaries = new WordBoundaries('ab', new Intl.Segmenter('en', { granularity: 'word' }))
    expect([-1, 0, 1, 2, 3].map((place) => boundaries.has(place))).toEqual([true, true, false, true, true])
  })
})

it('codePointAt and codePointBefore return code points of one or two code units', () => {
  expect([codePointAt('a🙂', 1), codePointAt('a', 1), codePointBefore('🙂a', 2), codePointBefore('a', 0)]).toEqual([
    '🙂',
    '',
    '🙂',
    '',
  ])
  expect(['a', '7', '漢', '+', ''].map(isLetterOrDigit)).toEqual([true, true, true, false, false])
})
