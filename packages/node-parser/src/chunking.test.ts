import { CallbackManager, Document } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { expect, it } from 'vitest'
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
