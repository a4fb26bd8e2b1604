import { component, live } from '@x/core-model/schemas'
import { Integer } from 'typebox'
import { MetadataAwareTextSplitter } from './metadata-aware-text-splitter.schema.ts'
import type { SyntaxParser } from './syntax-pieces.ts'

export const CodeTextSplitter = component(
  'CodeTextSplitter',
  'Splits source code between classes, functions and statements.',
  {
    parser: live<SyntaxParser>({
      holds: ['parse'],
      required: true,
      description: 'Parses the code: a `Parser` of web-tree-sitter with its language.',
    }),
    chunkOverlap: Integer({
      minimum: 0,
      description: 'The maximum overlap of two adjacent chunks, in tokens.',
      default: 0,
    }),
  },
  { extends: MetadataAwareTextSplitter },
)
