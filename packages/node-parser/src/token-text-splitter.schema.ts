import { component, textList } from '@x/core-model/schemas'
import { Integer, String as Text } from 'typebox'
import { MetadataAwareTextSplitter } from './metadata-aware-text-splitter.schema.ts'

export const TokenTextSplitter = component(
  'TokenTextSplitter',
  'Splits text into chunks of as many words as fit.',
  {
    chunkOverlap: Integer({
      minimum: 0,
      description: 'The maximum overlap of two adjacent chunks, in tokens.',
      default: 20,
    }),
    separator: Text({ description: 'The separator between words.', default: ' ' }),
    backupSeparators: textList({
      description: 'The separators within a piece that is too large, in this order.',
      default: ['\n'],
    }),
  },
  { extends: MetadataAwareTextSplitter },
)
