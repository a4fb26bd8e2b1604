import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { splitSentences } from './split-sentences.ts'

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['', []],
    [' \n ', []],
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. J. Smith met Mrs. Jones. They left.', ['Dr. J. Smith met Mrs. Jones.', 'They left.']],
    ['See Fig. 2 and No. 5. Done.', ['See Fig. 2 and No. 5.', 'Done.']],
    ['She said no. 5 came.', ['She said no. 5 came.']],
    ['He said no. Then he left.', ['He said no.', 'Then he left.']],
    ['Pi is 3.14. Good.', ['Pi is 3.14.', 'Good.']],
    ['A line\nand another. End', ['A line', 'and another.', 'End']],
    ['これは本です。それは猫です。', ['これは本です。', 'それは猫です。']],
    ['这是书。那是猫！好吗？', ['这是书。', '那是猫！', '好吗？']],
    ['No end', ['No end']],
    ['one cat. two dogs! three? "four." five', ['one cat.', 'two dogs!', 'three?', '"four."', 'five']],
    ['we met dr. smith, e.g. there. he left.', ['we met dr. smith, e.g. there.', 'he left.']],
    ['pi is 3.14. good.', ['pi is 3.14.', 'good.']],
    ['ja. кот спит. собака лает.', ['ja.', 'кот спит.', 'собака лает.']],
  ])('splits %j', (text, expected) => {
    expect(splitSentences(text)).toEqual(expected)
  })

  it('loses no text', () => {
    const piece = fc.constantFrom('Dr. ', 'One. ', 'two', '! ', '\n', 'これは。', 'e.g. ', 'x'.repeat(3000), '5', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const text = pieces.join('')
        expect(splitSentences(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
      { numRuns: 50 },
    )
  })

  it.each(['A sentence ends here. ', 'Mr. ', 'no end ', '. ', 'no capital. ', 'e.g. ', '.  '])(
    'takes linear time: many %j',
    { tags: 'growth' },
    async (unit) => {
      expect(await growthOf((size) => splitSentences(unit.repeat(size)), 500)).toBeLessThan(1.75)
    },
  )
})
