import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../tools/growth.ts'
import { sentenceEnds } from './sentence-ends.ts'

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

describe('sentenceEnds', () => {
  it.each<[string, number[]]>([
    ['', []],
    ['No end', [6]],
    ['One.  Two!\nThree', [6, 11, 16]],
    ['Dr. Smith came. He left.', [16, 24]],
    ['one cat. two dogs', [9, 17]],
  ])('finds the ends in %j, each after the white space behind the sentence', (text, ends) => {
    expect([...sentenceEnds(text, segmenter)]).toEqual(ends)
  })

  it.each(['A sentence. ', 'mr. ', 'x', '\n'])('takes linear time: many %j', async (unit) => {
    expect(await growthOf((size) => [...sentenceEnds(unit.repeat(size), segmenter)], 500)).toBeLessThan(1.75)
  })
})
