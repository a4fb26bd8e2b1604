import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { partsForContext, splitSentences, textWindows } from './text-windows.ts'

const parts = (text: string, options: Parameters<typeof textWindows>[1]) =>
  textWindows(text, options).map(({ start, end }) => text.slice(start, end))

describe('textWindows', () => {
  it('returns one window for a string that fits', () => {
    expect(parts('One two.', { size: 8 })).toEqual(['One two.'])
    expect(parts('', { size: 8 })).toEqual([''])
  })

  it('rejects sizes that would cause an endless loop, or gaps between windows', () => {
    for (const options of [{ size: 0 }, { size: -1 }, { size: Number.NaN }, { size: 5, overlap: -1 }])
      expect(() => textWindows('one two three', options)).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(textWindows('one', { size: Number.POSITIVE_INFINITY })).toEqual([{ start: 0, end: 3 }])
  })

  it('ends a window at the best boundary near its end', () => {
    expect(parts('aaaa bbbb. cc dd', { size: 14 })).toEqual(['aaaa bbbb. ', 'cc dd'])
    expect(parts('aaaa bb\n\ncc dd', { size: 11 })).toEqual(['aaaa bb\n\n', 'cc dd'])
    expect(parts('aaaaaaaa bb', { size: 10 })).toEqual(['aaaaaaaa ', 'bb'])
    expect(parts('aaaaaaaaaaaa', { size: 5 })).toEqual(['aaaaa', 'aaaaa', 'aa'])
  })

  it('measures in the unit of a custom function', () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean).length
    expect(parts('a b c d e f g', { size: 3, measure: words })).toEqual(['a b c ', 'd e f ', 'g'])
  })

  it('covers the string, overlaps at most as configured, never splits characters and always advances', () => {
    const text = fc
      .array(fc.constantFrom('word', ' ', '. ', '\n', '\n\n', '😀', '北京', 'x'.repeat(40)), { maxLength: 60 })
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        (input, size, overlap, measured) => {
          const windows = textWindows(input, {
            size,
            overlap,
            ...(measured && { measure: (part: string) => Math.ceil(part.length / 2) }),
          })
          expect(windows[0]!.start).toBe(0)
          expect(windows.at(-1)!.end).toBe(input.length)
          windows.forEach(({ start, end }, index) => {
            const before = windows[index - 1]
            if (before) {
              expect(start).toBeGreaterThan(before.start)
              expect(start).toBeLessThanOrEqual(before.end)
              expect(before.end - start).toBeLessThanOrEqual(overlap + 1)
            }
            expect(/[\ud800-\udbff]$/.test(input.slice(start, end))).toBe(false)
            if (input.slice(start, end).length > 2) expect(end - start).toBeLessThanOrEqual(measured ? size * 2 : size)
          })
        },
      ),
    )
  })

  it('takes linear time', { tags: 'growth' }, async () => {
    const measure = (text: string) => text.length / 4
    const cut = (size: number) => textWindows('a b. '.repeat(size), { size: 500, overlap: 100, measure })
    expect(await growthOf(cut, 2000)).toBeLessThan(1.75)
  })
})

const text = 'word '.repeat(30)
const partsOf = (contextWindow: number | null, reserved: number, share?: number) =>
  partsForContext(text, new FunctionLLM({ answer: () => '', contextWindow }), {
    className: 'Reader',
    reserved,
    ...(share && { share }),
  })

it('returns the whole string in parts that fit into the unreserved tokens', () => {
  expect(partsOf(100, 70)).toEqual([text])
  expect(partsOf(100, 90).map((part) => part.trim().split(' ').length)).toEqual([10, 10, 10])
  expect(partsOf(100, 80, 0.5)).toEqual(partsOf(100, 90))
  expect(partsOf(100, 90).join('')).toBe(text)
})

it('throws when no tokens are left for a part', () => {
  for (const reserved of [100, 200])
    expect(() => partsOf(100, reserved)).toThrow(expect.objectContaining({ code: 'configuration' }))
})

it('returns one part for a model whose context window is unknown', () => {
  expect(partsOf(null, 10)).toEqual([text])
})

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
