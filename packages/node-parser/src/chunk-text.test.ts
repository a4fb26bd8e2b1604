import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { growthOf } from '../../../tools/growth.ts'
import { character } from '../../core-model/test/arbitrary-model.ts'
import { generateMarkdown, seededRandom } from '../fuzz/generate.ts'
import { chunkText } from './chunk-text.ts'
import { countTokens, tokenCounter } from './count-tokens.ts'
import { scanBlocks } from './markdown/block-scanner.ts'

const words = (text: string) => text.split(/\s+/).filter(Boolean)

function chunks(text: string, chunkSize: number, chunkOverlap = 0, tokenizer: typeof words | null = words): string[] {
  const count = tokenCounter(text, 0, text.length, tokenizer)
  return chunkText(text, 0, text.length, scanBlocks(text).blocks, { chunkSize, chunkOverlap, count }).map(
    ({ start, end }) => text.slice(start, end),
  )
}

describe('chunkText', () => {
  it('returns whole blocks as long as they fit', () => {
    expect(chunks('one two\n\nthree four\n\nfive', 4)).toEqual(['one two\n\nthree four', 'five'])
  })

  it('returns the text before, between and behind blocks', () => {
    const [text, limits] = [
      'a b, c d, e f',
      { chunkSize: 2, chunkOverlap: 0, count: (from: number, to: number) => (to - from) / 2 },
    ]
    const blocks = [{ kind: 'paragraph', start: 5, end: 8 }] as never
    expect(chunkText(text, 0, text.length, blocks, limits).map(({ start, end }) => text.slice(start, end))).toEqual([
      'a b,',
      'c d,',
      'e f',
    ])
  })

  it('keeps a heading with the block after it', () => {
    expect(chunks('one\n\n# two\n\nthree four', 4)).toEqual(['one', '# two\n\nthree four'])
  })

  it('keeps a heading with the first line of a paragraph that is too large', () => {
    expect(chunks('# A\n\none two\nthree four\nfive six', 4)).toEqual(['# A\n\none two', 'three four\nfive six'])
  })

  it('begins with an indentation, and not with the empty lines before it', () => {
    const [text, limits] = ['\n \n  one two', { chunkSize: 4, chunkOverlap: 0, count: () => 2 }]
    expect(chunkText(text, 0, text.length, [], limits)).toEqual([{ start: 3, end: text.length }])
  })

  it('fills chunks with headings if nothing is between them, and keeps the last ones with the block after them', () => {
    const headings = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => `## ${from + at}`).join('\n\n')
    expect(chunks(headings(1, 7), 6)).toEqual([headings(1, 3), headings(4, 6), headings(7, 7)])
    expect(chunks(`${headings(1, 4)}\n\na b\n\nc`, 6)).toEqual([headings(1, 3), '## 4\n\na b\n\nc'])
    expect(chunks(`${headings(1, 3)}\n\na b`, 6)).toEqual(['## 1', `${headings(2, 3)}\n\na b`])
    expect(chunks(`${headings(1, 3)}\n\na b c d e f`, 6)).toEqual([headings(1, 3), 'a b c d e f'])
    expect(chunks(`x\n\n${headings(1, 5)}\n\na b`, 6)).toEqual(['x', headings(1, 3), `${headings(4, 5)}\n\na b`])
    expect(chunks(headings(1, 1500), 400, 80).length).toBeLessThan(12)
  })

  it('splits a block that is too large at lines, sentences, words and characters', () => {
    expect(chunks('a b\nc d\ne f', 4)).toEqual(['a b\nc d', 'e f'])
    expect(chunks('A b. C d! E f? G', 2)).toEqual(['A b.', 'C d!', 'E f?', 'G'])
    expect(chunks('文一。文二。', 1, 0, (text) => [...text.replaceAll(/[^。]/g, '')])).toEqual(['文一。', '文二。'])
    expect(chunks('a b c', 2)).toEqual(['a b', 'c'])
    expect(chunks('😀😀😀', 1, 0, null)).toEqual(['😀', '😀', '😀'])
  })

  it('keeps the head of a table that is split together, and does not end a chunk with it', () => {
    const [head, ...rows] = ['| a | b |\n|---|---|', '| c | d |', '| e | f |'] as const
    const table = [head, ...rows].join('\n')
    expect(chunks(`x\n\n${table}`, 7)).toEqual(['x', head, ...rows])
    expect(chunks(table, 11)).toEqual([`${head}\n${rows[0]}`, rows[1]])
    expect(chunks(`x\n\n${table}`, 6, 1)).toEqual(['x', head, ...rows])
  })

  it('keeps the first line of code with the next one, and the last one with the line before it', () => {
    const code = ['```js', '  a b', '  c d', '  e f', '```'].join('\n')
    expect(chunks(`x\n\n${code}`, 3)).toEqual(['x', '```js\n  a b', '  c d', '  e f\n```'])
    expect(chunks(code, 4)).toEqual(['```js\n  a b', '  c d', '  e f\n```'])
    expect(chunks('```\na\n\nb c d\n```', 3)).toEqual(['```\na', 'b c d', '```'])
  })

  it('cuts no link and no inline code that fits', () => {
    expect(chunks('x [a b](u) [c d](v) y `e f` z', 2)).toEqual(['x', '[a b](u)', '[c d](v)', 'y', '`e f`', 'z'])
    expect(chunks('x [a b c](u)', 2)).toEqual(['x [a', 'b c](u)'])
  })

  it('leaves room for the text that is repeated around a chunk', () => {
    const text = 'a\n\nb\n\nc\n\nd'
    const repeated = { tokensBefore: (start: number) => (start > 0 ? 1 : 0), tokensAfter: () => 1 }
    const limits = { chunkSize: 3, chunkOverlap: 0, count: tokenCounter(text, 0, text.length, words), repeated }
    const found = chunkText(text, 0, text.length, scanBlocks(text).blocks, limits)
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(['a\n\nb', 'c', 'd'])
  })

  it('fills chunks of many blocks', () => {
    const all = Array.from({ length: 100 }, (_, at) => `w${at}`)
    expect(chunks(all.join('\n\n'), 40).map((chunk) => words(chunk).length)).toEqual([40, 40, 20])
  })

  it('begins a chunk at each break', () => {
    const text = 'a\n\nb\n\nc\n\nd\n\ne'
    const split = (...breaks: string[]) => {
      const count = tokenCounter(text, 0, text.length, words)
      const limits = { chunkSize: 9, chunkOverlap: 0, count, breaks: new Set(breaks.map((word) => text.indexOf(word))) }
      return chunkText(text, 0, text.length, scanBlocks(text).blocks, limits).map(({ start, end }) =>
        words(text.slice(start, end)).join(' '),
      )
    }
    expect(split('c')).toEqual(['a b', 'c d e'])
    expect(split('a', 'b', 'e')).toEqual(['a', 'b c d', 'e'])
  })

  it('overlaps by whole units and always adds a new unit', () => {
    expect(chunks('a\n\nb\n\nc\n\nd', 2, 1)).toEqual(['a\n\nb', 'b\n\nc', 'c\n\nd'])
    expect(chunks('a b c\n\nd e f\n\ng h i', 3, 2)).toEqual(['a b c', 'd e f', 'g h i'])
    expect(chunks('x\n\n# h\n\na b\n\nc', 3, 2)).toEqual(['x', '# h', 'a b\n\nc'])
    expect(chunks('a b\nc d\n\ne', 4, 2)).toEqual(['a b\nc d', 'e'])
    const marks = (text: string) => [...text.replaceAll(/[^!]/g, '')]
    expect(chunks('a!\n\nb\n\nc!', 1, 0, marks)).toEqual(['a!\n\nb', 'c!'])
  })

  it('returns slices in order, without losing text, within the limits', () => {
    const random = seededRandom(9)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(11), (chunkSize, wanted) => {
        const chunkOverlap = Math.min(wanted, chunkSize - 1)
        const text = Array.from({ length: 4 }, () => generateMarkdown(random)).join('\n')
        const count = tokenCounter(text, 0, text.length, words)
        const limits = { chunkSize, chunkOverlap, count }
        let covered = 0
        let from = -1
        for (const { start, end } of chunkText(text, 0, text.length, scanBlocks(text).blocks, limits)) {
          expect(start).toBeGreaterThan(from)
          expect(end).toBeGreaterThan(covered)
          expect(text.slice(covered, start).trim()).toBe('')
          expect(count(start, end)).toBeLessThanOrEqual(chunkSize)
          expect(count(Math.min(start, covered), covered)).toBeLessThanOrEqual(chunkOverlap)
          from = start
          covered = end
        }
        expect(text.slice(covered).trim()).toBe('')
      }),
      { numRuns: rounds(100, 300) },
    )
  })

  it.each(['a\n', 'x'])('takes linear time for many %j', { tags: 'growth' }, async (unit) => {
    expect(await growthOf((size) => chunks(unit.repeat(size), 1024, 200, null), 5000)).toBeLessThan(1.75)
  })
})

describe('the token estimate', () => {
  it('is one token per 4 bytes of UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(countTokens(text, null)).toBe(Math.ceil(new TextEncoder().encode(text).length / 4))
      }),
    )
  })

  it('takes linear time for many lines that are too large', { tags: 'growth' }, async () => {
    const line = `${'word '.repeat(60)}\n`
    expect(chunks(line.repeat(9), 50, 0, null).join(' ').replace(/\s+/g, ' ')).toBe(
      line.repeat(9).replace(/\s+/g, ' ').trim(),
    )
    expect(await growthOf((size) => chunks(line.repeat(size), 50, 0, null), 200)).toBeLessThan(1.75)
  })
})
