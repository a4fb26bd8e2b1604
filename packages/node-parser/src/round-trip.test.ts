import { CallbackManager } from '@x/core-model'
import { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { describeRoundTrips } from '../../core-model/test/arbitrary-model.ts'
import * as nodeParser from './index.ts'

// The overlap must be less than the size, and not every string is a regular expression.
const adjust = (options: Record<string, unknown>) => ({
  ...options,
  chunkSize: 100,
  chunkOverlap: 99,
  pageBreak: '^-+$',
})

describeRoundTrips(nodeParser, {
  '': {
    live: {
      callbackManager: new CallbackManager(),
      llm: new ScriptedLLM(),
      embedModel: new TableEmbedding({ texts: {} }),
      parser: { parse: () => null },
      idFunc: () => 'id',
    },
  },
  BaseElementNodeParser: { adjust },
  MarkdownElementNodeParser: { adjust },
  MarkdownNodeParser: { adjust: (options) => ({ ...adjust(options), minChunkSize: 100 }) },
  CodeTextSplitter: { adjust: (options) => ({ ...options, chunkOverlap: 0 }) },
  SentenceSplitter: { adjust: (options) => ({ ...options, chunkOverlap: 0, secondaryChunkingRegex: '[^,]+' }) },
  TokenTextSplitter: { adjust: (options) => ({ ...options, chunkOverlap: 0 }) },
})
