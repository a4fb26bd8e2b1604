import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentEdges } from './segment-edges.ts'

describe('segmentEdges', () => {
  it('finds the same edges in slices as in the whole string', () => {
    const word = fc.constantFrom(
      'red ',
      'fox',
      "don't ",
      '3.14 ',
      '東京都',
      '。',
      'ไทย',
      '\n',
      '  ',
      'e\u0301',
      '🇩🇪',
      'a:b',
      'x'.repeat(700),
      '👩‍👩‍👧',
    )
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 900 }), (words) => {
        const text = words.join('')
        const whole = [...segmenter.segment(text)].map(({ index }) => index)
        if (text !== '') whole.push(text.length)
        expect([...segmentEdges(segmenter, text, 0, text.length)]).toEqual(whole)
      }),
      { numRuns: 40 },
    )
  })
})
