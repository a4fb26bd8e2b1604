import { CallbackManager, Document, type TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds, someOf } from '../../../tools/extent.ts'
import { growthOf } from '../../../tools/growth.ts'
import { countTokens } from './count-tokens.ts'
import { SentenceSplitter } from './sentence-splitter.ts'
import { TokenTextSplitter } from './token-text-splitter.ts'

const words = (text: string) => text.match(/\S+/g) ?? []

/** Checks size, overlap, order and offsets of chunks, and that they contain every character that is not white space. */
function expectChunks(
  nodes: readonly TextNode[],
  text: string,
  size: number,
  overlap: number,
  tokenizer: typeof words | null,
) {
  let covered = 0
  let previous = 0
  for (const { text: own, startCharIdx, endCharIdx } of nodes) {
    const start = startCharIdx ?? -1
    const end = endCharIdx ?? -1
    expect(text.slice(start, end)).toBe(own)
    expect(own).toBe(own.trim())
    expect(start).toBeGreaterThanOrEqual(previous)
    expect(end).toBeGreaterThan(covered)
    expect(countTokens(own, tokenizer)).toBeLessThanOrEqual(size)
    if (start < covered) expect(countTokens(text.slice(start, covered), tokenizer)).toBeLessThanOrEqual(overlap)
    else expect(text.slice(covered, start).trim()).toBe('')
    previous = start
    covered = end
  }
  expect(text.slice(covered).trim()).toBe('')
}

const piece = fc.constantFrom(
  'One. ',
  'two, three; four ',
  'Dr. Smith came. ',
  'no capital. ',
  '\n',
  '\n\n\n',
  '  ',
  'これは本です。',
  '🇩🇪👩‍👩‍👧',
  'x'.repeat(90),
  'a-b-c ',
  '\t',
)

describe.each([
  ['SentenceSplitter', SentenceSplitter],
  ['TokenTextSplitter', TokenTextSplitter],
] as const)('%s', (_, Splitter) => {
  it('returns slices in order that cover the text, within size and overlap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(40),
        fc.boolean(),
        async (pieces, chunkSize, overlap, byWords) => {
          const text = pieces.join('')
          const chunkOverlap = Math.min(overlap, chunkSize)
          const tokenizer = byWords ? words : null
          const splitter = new Splitter({ chunkSize, chunkOverlap, tokenizer })
          const nodes = await splitter.getNodesFromDocuments([new Document({ text })])
          expectChunks(nodes, text, chunkSize, chunkOverlap, tokenizer)
          expect(nodes.map((node) => node.text)).toEqual(splitter.splitText(text))
        },
      ),
      { numRuns: rounds(120, 400) },
    )
  })

  it('leaves room for the metadata for models', async () => {
    const metadata = { title: 'word '.repeat(10).trim(), hidden: 'word '.repeat(50) }
    const excluded = { excludedEmbedMetadataKeys: ['hidden'], excludedLlmMetadataKeys: ['hidden'] }
    const document = new Document({ text: 'one two three. '.repeat(40), metadata, ...excluded })
    const splitter = new Splitter({ chunkSize: 30, chunkOverlap: 0, tokenizer: words })
    const nodes = await splitter.getNodesFromDocuments([document])
    for (const node of nodes)
      expect(words(node.getMetadataStr('embed')).length + words(node.text).length).toBeLessThanOrEqual(30)
    expect(splitter.splitTextMetadataAware(document.text, 'word '.repeat(10))[0]?.length).toBeLessThan(
      splitter.splitText(document.text)[0]?.length ?? 0,
    )
    expect(splitter.splitTextsMetadataAware(['a', 'b c'], ['x', ''])).toEqual(['a', 'b c'])
    expect(splitter.splitTexts(['a', '', 'b c'])).toEqual(['a', 'b c'])

    const without = new Splitter({ chunkSize: 30, chunkOverlap: 0, tokenizer: words, includeMetadata: false })
    expect((await without.getNodesFromDocuments([document])).length).toBeLessThan(nodes.length)
  })

  it('throws for metadata that leaves no room, and for an overlap larger than a chunk', async () => {
    const splitter = new Splitter({ chunkSize: 5, chunkOverlap: 0, tokenizer: words })
    const document = new Document({ text: 'one', metadata: { key: 'a b c d e f' } })
    await expect(splitter.getNodesFromDocuments([document])).rejects.toMatchObject({
      code: 'metadata_too_long',
      chunkSize: 5,
    })
    expect(() => new Splitter({ chunkSize: 5, chunkOverlap: 6 })).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: [expect.objectContaining({ path: 'chunkOverlap' })],
      }),
    )
    expect(() => new Splitter({ chunkSize: 5, chunkOverlap: 5 })).not.toThrow()
  })

  it('returns no chunks for blank text, and one chunk for text that fits', () => {
    const splitter = new Splitter()
    expect(splitter.splitText('')).toEqual([])
    expect(splitter.splitText(' \n\t')).toEqual([])
    expect(splitter.splitText('\n one. two \n')).toEqual(['one. two'])
  })

  it.each(someOf(['One two three. ', 'x', '\n\n\n', '. ', 'no capital. ', 'a,', '。'], 2))(
    'takes linear time for many %j',
    { tags: 'growth' },
    async (unit) => {
      for (const options of [
        { chunkSize: 50, chunkOverlap: 10 },
        { chunkSize: 50, chunkOverlap: 50, tokenizer: words },
      ]) {
        const splitter = new Splitter(options)
        expect(await growthOf((size) => splitter.splitText(unit.repeat(size)), 200)).toBeLessThan(1.75)
      }
    },
  )
})

describe('SentenceSplitter', () => {
  it('splits between paragraphs, then sentences, then their parts, words and characters', () => {
    const split = (text: string, chunkSize: number, options = {}) =>
      new SentenceSplitter({ chunkSize, chunkOverlap: 0, tokenizer: (piece) => piece.length, ...options }).splitText(
        text,
      )
    expect(split('One. Two.\n\n\nThree. Four.', 14)).toEqual(['One. Two.', 'Three. Four.'])
    expect(split('We met Dr. Smith. He left. Bye.', 18)).toEqual(['We met Dr. Smith.', 'He left. Bye.'])
    expect(split('one cat. two dogs! three', 10)).toEqual(['one cat.', 'two dogs!', 'three'])
    expect(split('one two, three four; five', 13)).toEqual(['one two,', 'three four;', 'five'])
    expect(split('one two three', 8)).toEqual(['one two', 'three'])
    expect(split('onetwothree', 4)).toEqual(['onet', 'woth', 'ree'])
    expect(split('one two, three four', 13, { secondaryChunkingRegex: null })).toEqual(['one two,', 'three four'])
    expect(split('a b, c d e', 8)).toEqual(['a b,', 'c d e'])
    for (const secondaryChunkingRegex of [null, ''])
      expect(split('a b, c d e', 8, { secondaryChunkingRegex })).toEqual(['a b, c d', 'e'])
    expect(split('a|b|c', 3, { separator: '|', secondaryChunkingRegex: null })).toEqual(['a|b', '|c'])
    expect(split('One. Two.---Three.', 12, { paragraphSeparator: '---' })).toEqual(['One. Two.', '---Three.'])
  })

  it('splits into the sentences of chunkingTokenizerFn, and keeps text that it omits', () => {
    const chunkingTokenizerFn = (text: string) => text.match(/[a-z]+ [a-z]+/g) ?? []
    const splitter = new SentenceSplitter({
      chunkSize: 7,
      chunkOverlap: 0,
      chunkingTokenizerFn,
      tokenizer: (piece) => piece.length,
    })
    expect(splitter.splitText('a b; c d; e f')).toEqual(['a b', '; c d', '; e f'])
    const other = splitter.copy({ update: { chunkingTokenizerFn: () => ['a b', 'x y z', ' c d', ' e f'] } })
    expect(other.splitText('a b c d e f')).toEqual(['a b c d', 'e f'])
  })

  it('overlaps by whole sentences', () => {
    const splitter = new SentenceSplitter({ chunkSize: 6, chunkOverlap: 3, tokenizer: words })
    expect(splitter.splitText('One two three. Four five. Six seven. Eight nine ten.')).toEqual([
      'One two three. Four five.',
      'Four five. Six seven.',
      'Six seven. Eight nine ten.',
    ])
  })

  it('rejects a pattern that is not a regular expression', () => {
    expect(() => new SentenceSplitter({ secondaryChunkingRegex: '[' })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: 'secondaryChunkingRegex' })] }),
    )
  })

  it('emits a chunking event for each string', () => {
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler])
    new SentenceSplitter({ callbackManager, chunkSize: 2, chunkOverlap: 0, tokenizer: words }).splitText('a b. c d.')
    expect(handler.events).toMatchObject([
      { payload: { chunks: ['a b. c d.'] } },
      { payload: { chunks: ['a b.', 'c d.'] } },
    ])
  })

  it('writes the JSON of LlamaIndex for Python', () => {
    expect(new SentenceSplitter().toDict()).toEqual({
      include_metadata: true,
      include_prev_next_rel: true,
      chunk_size: 1024,
      chunk_overlap: 200,
      separator: ' ',
      paragraph_separator: '\n\n\n',
      secondary_chunking_regex: '[^,.;。？！]+[,.;。？！]?',
      class_name: 'SentenceSplitter',
    })
    expect(new TokenTextSplitter().toDict()).toEqual({
      include_metadata: true,
      include_prev_next_rel: true,
      chunk_size: 1024,
      chunk_overlap: 20,
      separator: ' ',
      backup_separators: ['\n'],
      class_name: 'TokenTextSplitter',
    })
  })
})
