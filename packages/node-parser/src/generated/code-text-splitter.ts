// Generated from the schema of the model by x-codegen. Do not edit.
import { MetadataAwareTextSplitter } from '../metadata-aware-text-splitter.ts'
import type { SyntaxParser } from '../syntax-pieces.ts'
import type { MetadataAwareTextSplitterFields, MetadataAwareTextSplitterOptions } from './metadata-aware-text-splitter.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link CodeTextSplitter}. */
export interface CodeTextSplitterFields extends MetadataAwareTextSplitterFields {
  /** The maximum overlap of two adjacent chunks, in tokens. @defaultValue 0 */
  readonly chunkOverlap: number
  /** Parses the code: a `Parser` of web-tree-sitter with its language. */
  parser: SyntaxParser
}

/** Constructor options of {@link CodeTextSplitter}. */
export interface CodeTextSplitterOptions extends MetadataAwareTextSplitterOptions {
  /** The maximum overlap of two adjacent chunks, in tokens. @defaultValue 0 */
  chunkOverlap?: number | undefined
  /** Parses the code: a `Parser` of web-tree-sitter with its language. */
  parser: SyntaxParser
}

declare abstract class Declared extends MetadataAwareTextSplitter {
  constructor(options: CodeTextSplitterOptions)
}
interface Declared extends CodeTextSplitterFields {}

/** The typed base class of {@link CodeTextSplitter}. */
export const CodeTextSplitterModel = /* @__PURE__ */ modelOf<typeof Declared>(MetadataAwareTextSplitter, {
  name: 'CodeTextSplitter',
  description: 'Splits source code between classes, functions and statements.',
  className: 'CodeTextSplitter',
  fields: {
    chunkOverlap: { schema: { type: 'integer', minimum: 0, description: 'The maximum overlap of two adjacent chunks, in tokens.' }, default: 0, bounded: true },
    parser: { schema: { description: 'Parses the code: a `Parser` of web-tree-sitter with its language.' }, required: true, runtime: true, holds: ['parse'] },
  },
})
