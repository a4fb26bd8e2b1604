import { CallbackManager, Document, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { LINE_KEYS } from './build-nodes.ts'
import { checkLimits, hideLineNumbers, nodesOfChunks, type RangeOptions, splitRange } from './chunking.ts'
import { InputText } from './input-text.ts'
import { MarkdownElementNodeParser } from './markdown-element/markdown-element-node-parser.ts'
import { MarkdownNodeParser } from './markdown-node-parser.ts'
import { SentenceSplitter } from './sentence-splitter.ts'
import { TokenTextSplitter } from './token-text-splitter.ts'

const text = 'One two three. Four five six.\n\n'.repeat(8)

it.each([
  ['MarkdownNodeParser', (options: object) => new MarkdownNodeParser({ chunkSize: 8, ...options })],
  [
    'MarkdownElementNodeParser',
    (options: object) => new MarkdownElementNodeParser({ chunkSize: 8, summarizer: 'headers', ...options }),
  ],
  [
    'MarkdownElementNodeParser with a nested parser',
    ({ callbackManager, ...options }: { callbackManager?: CallbackManager }) =>
      new MarkdownElementNodeParser({
        summarizer: 'headers',
        ...options,
        callbackManager,
        nestedNodeParser: new SentenceSplitter({ chunkSize: 8, chunkOverlap: 0, callbackManager }),
      }),
  ],
  ['SentenceSplitter', (options: object) => new SentenceSplitter({ chunkSize: 8, chunkOverlap: 0, ...options })],
  ['TokenTextSplitter', (options: object) => new TokenTextSplitter({ chunkSize: 8, chunkOverlap: 0, ...options })],
])('chunking events of a %s have the parse as parent, even without async context', async (_, parser) => {
  const parents = async (platform: object) => {
    let count = 0
    const handler = new RecordingCallbackHandler()
    const callbackManager = new CallbackManager([handler], { newId: () => `e${++count}`, platform })
    await parser({ callbackManager }).getNodesFromDocuments([new Document({ text })], { parentId: 'outer' })
    return handler.events.flatMap((event) => (event.phase === 'start' ? [`${event.type} < ${event.parent}`] : []))
  }
  const without = await parents({})
  expect(without[0]).toBe('node_parsing < outer')
  expect(without.at(-1)).toMatch(/^chunking < e[12]$/)
  expect(without).toEqual(await parents(globalThis))
})

it.each<[Partial<Parameters<typeof checkLimits>[1]>, string | null]>([
  [{ chunkSize: 10, chunkOverlap: 9 }, null],
  [{ chunkSize: 10, chunkOverlap: 10 }, 'X.chunkOverlap: expected less than chunkSize (10), received 10'],
  [{ chunkSize: null, chunkOverlap: 99, minChunkSize: 99 }, null],
  [{ chunkSize: 10, minChunkSize: 10 }, null],
  [{ chunkSize: 10, minChunkSize: 11 }, 'X.minChunkSize: expected at most chunkSize (10), received 11'],
  [{ chunkSize: 10, minChunkSize: null }, null],
  [{ pageBreak: '\\f' }, null],
  [{ pageBreak: '(' }, 'X.pageBreak: expected a regular expression'],
])('checkLimits checks %j', (options, message) => {
  const check = () => checkLimits('X', { chunkSize: 10, chunkOverlap: 0, pageBreak: null, ...options })
  if (message === null) expect(check).not.toThrow()
  else expect(check).toThrow(message)
})

describe('splitRange', () => {
  const chunksOf = (text: string, options: object, more: Partial<RangeOptions> = {}) => {
    const limits = {
      chunkSize: 5,
      chunkOverlap: 0,
      tokenizer: (part: string) => part.split(/\s+/),
      callbackManager: null,
    }
    const input = new InputText(new Document({ text }))
    return splitRange(input, 0, text.length, { ...limits, ...options }, { parentId: undefined, ...more }).map(
      ({ start, end }) => text.slice(start, end),
    )
  }

  it('splits what has more tokens than a chunk', () => {
    expect(chunksOf('a b c\n\nd e', {})).toEqual(['a b c\n\nd e'])
    expect(chunksOf('a b c\n\nd e', { chunkSize: null })).toEqual(['a b c\n\nd e'])
    expect(chunksOf('a b c\n\nd e', { chunkSize: 4 })).toEqual(['a b c', 'd e'])
    expect(chunksOf('a b c d e\n\nf', {})).toEqual(['a b c d e', 'f'])
  })

  it('leaves room for what is repeated in front of each chunk, and a line break', () => {
    expect(chunksOf('# T\n\na b\n\nc d', {}, { headEnd: 3 })).toEqual(['# T', 'a b', 'c d'])
    expect(chunksOf('# T\n\na b\n\nc d', { chunkOverlap: 4 }, { headEnd: 3 })).toEqual(['# T', 'a b', 'c d'])
  })

  it('reports the text and its chunks in an event', () => {
    const handler = new RecordingCallbackHandler()
    chunksOf('a b c d e\n\nf', { callbackManager: new CallbackManager([handler]) }, { parentId: 'outer' })
    expect(handler.events).toMatchObject([
      { phase: 'start', type: 'chunking', parent: 'outer', payload: { chunks: ['a b c d e\n\nf'] } },
      { phase: 'end', payload: { chunks: ['a b c d e', 'f'] } },
    ])
  })
})

it('nodesOfChunks creates a node for each chunk, with its place', () => {
  const places = [
    { start: 0, end: 3 },
    { start: 4, end: 7 },
  ]
  const nodes = nodesOfChunks(places, new Document({ text: 'one two' }), {})
  expect(nodes.map(({ text, startCharIdx, endCharIdx }) => [text, startCharIdx, endCharIdx])).toEqual([
    ['one', 0, 3],
    ['two', 4, 7],
  ])
})

it('hideLineNumbers excludes the line numbers once, beside what is excluded already', () => {
  const node = new TextNode({
    excludedEmbedMetadataKeys: ['page', LINE_KEYS[0]!],
    excludedLlmMetadataKeys: ['file'],
  })
  hideLineNumbers(node)
  expect(node.excludedEmbedMetadataKeys).toEqual(['page', ...LINE_KEYS])
  expect(node.excludedLlmMetadataKeys).toEqual(['file', ...LINE_KEYS])
})
