import { component } from '@x/core-model/schemas'
import { Integer } from 'typebox'
import { tokenizer } from './fields.schema.ts'
import { TextSplitter } from './text-splitter.schema.ts'

export const MetadataAwareTextSplitter = component(
  'MetadataAwareTextSplitter',
  'Splits text into chunks whose size includes their metadata.',
  {
    chunkSize: Integer({
      minimum: 1,
      description: 'The maximum size of a chunk with its metadata, in tokens.',
      default: 1024,
    }),
    chunkOverlap: Integer({
      minimum: 0,
      description: 'The maximum overlap of two adjacent chunks, in tokens.',
      default: 200,
    }),
    tokenizer,
  },
  { className: null, extends: TextSplitter },
)
