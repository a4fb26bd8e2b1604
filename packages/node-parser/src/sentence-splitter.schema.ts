import { component, live, nullable } from '@x/core-model/schemas'
import { String as Text } from 'typebox'
import { MetadataAwareTextSplitter } from './metadata-aware-text-splitter.schema.ts'

export const SentenceSplitter = component(
  'SentenceSplitter',
  'Splits text into chunks of whole sentences.',
  {
    separator: Text({ description: 'The separator between words.', default: ' ' }),
    paragraphSeparator: Text({ description: 'The separator between paragraphs.', default: '\n\n\n' }),
    secondaryChunkingRegex: nullable(Text(), {
      description: 'A regular expression for the parts of a sentence; null splits sentences between words.',
      default: '[^,.;。？！]+[,.;。？！]?',
    }),
    chunkingTokenizerFn: live<(text: string) => readonly string[]>({
      holds: 'function',
      description: 'Splits a paragraph into sentences; null uses the built-in rules.',
    }),
  },
  { extends: MetadataAwareTextSplitter },
)
