import { AutoTokenizer } from '@huggingface/transformers'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import '../test/model-folder.ts'
import { growthOf } from '../../../../tools/growth.ts'
import { ModelFolder } from '../test/model-folder.ts'
import { writeEmbeddingModel } from '../test/tiny-models/tiny-models.ts'
import { byteLevel, sentencePiece, wordPiece } from '../test/tiny-models/tokenizers.ts'
import { tokenizeWords, tokenWindows } from './token-windows.ts'

const folder = new ModelFolder()
afterAll(() => folder.remove())

/** Returns a text whose words have these numbers of tokens. */
function textOf(lengths: readonly number[]) {
  let first = 0
  const words = lengths.map((length, index) => {
    const word = { start: index, end: index, first, chunk: '' }
    first += length
    return word
  })
  return { ids: Array.from({ length: first }, (_, id) => id), words }
}
const places = (lengths: readonly number[], size: number, overlap?: number) =>
  tokenWindows(textOf(lengths), size, overlap).map(({ start, end }) => [start, end])

describe('tokenWindows', () => {
  it.each([
    ['one window for a text that fits', [1, 1, 1], 3, 0, [[0, 3]]],
    ['one window for no tokens', [], 3, 0, [[0, 0]]],
    ['one window of any size', [1, 2], 1e308, 0, [[0, 3]]],
    [
      'whole words where one ends in the last quarter',
      [3, 4, 2, 3],
      8,
      0,
      [
        [0, 7],
        [7, 12],
      ],
    ],
    [
      'full windows where no word ends there',
      [2, 10],
      8,
      0,
      [
        [0, 8],
        [8, 12],
      ],
    ],
    [
      'windows that overlap',
      [1, 1, 1, 1, 1, 1, 1],
      4,
      1,
      [
        [0, 4],
        [3, 7],
      ],
    ],
    [
      'windows that advance, for any overlap',
      [1, 9],
      4,
      3,
      [
        [0, 4],
        [1, 5],
        [2, 6],
        [3, 7],
        [4, 8],
        [5, 9],
        [6, 10],
      ],
    ],
  ])('returns %s', (_, lengths, size, overlap, expected) => {
    expect(places(lengths, size, overlap)).toEqual(expected)
  })

  it('covers all tokens, in windows of at most the size with the requested overlap', () => {
    const cases = fc.record({
      lengths: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 }),
      size: fc.integer({ min: 2, max: 40 }),
      share: fc.double({ min: 0, max: 0.9, noNaN: true }),
    })
    fc.assert(
      fc.property(cases, ({ lengths, size, share }) => {
        const overlap = Math.floor((size - 1) * share)
        const windows = places(lengths, size, overlap) as [number, number][]
        const count = lengths.reduce((sum, length) => sum + length, 0)
        expect(windows[0]![0]).toBe(0)
        expect(windows.at(-1)![1]).toBe(count)
        for (const [index, [start, end]] of windows.entries()) {
          expect(end - start).toBeLessThanOrEqual(size)
          if (index > 0) expect(start).toBe(windows[index - 1]![1] - overlap)
          if (index > 0) expect(end).toBeGreaterThan(windows[index - 1]![1])
        }
      }),
    )
  })
})

describe('tokenizeWords', () => {
  it.each([
    ['WordPiece', wordPiece(['bob', '##by', 'met', 'zoe', ',', '.'], { lowercase: true })],
    ['SentencePiece', sentencePiece(['▁Bob', 'by', '▁met', '▁', 'B', 'o', 'b', ',', '.'])],
    [
      'byte-level pieces',
      byteLevel([
        ['Ġ', 'B'],
        ['o', 'b'],
        ['ĠB', 'ob'],
        ['B', 'ob'],
      ]),
    ],
  ])('returns the tokens of the whole text, in %s', async (_, tokenizer) => {
    const path = writeEmbeddingModel(folder.next(), { vectors: { x: [1] }, tokenizer })
    const own = await AutoTokenizer.from_pretrained(path, { local_files_only: true })
    for (const text of ['Bob met Bobby.', 'Bob\nmet\t Zoë, 🎉Bob', '北京 Bob', 'Bob']) {
      const { ids, words } = tokenizeWords(own, text)
      expect(ids).toEqual(own.encode(text, { add_special_tokens: false }))
      expect(words.map(({ start, end }) => text.slice(start, end))).toEqual(text.split(/\s+/))
    }
  })

  it('needs linear time for blanks', { tags: 'growth' }, async () => {
    const tokenizer = Object.assign(() => ({ input_ids: [] }), {
      encode: () => [1],
      tokenize: () => [],
      model_max_length: 1,
    })
    expect(await growthOf((size) => tokenizeWords(tokenizer, `a${' '.repeat(size)}`), 10_000)).toBeLessThan(1.75)
  })
})
