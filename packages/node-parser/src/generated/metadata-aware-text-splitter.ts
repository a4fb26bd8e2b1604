// Generated from the schema of the model by x-codegen. Do not edit.
import { TextSplitter } from '../text-splitter.ts'
import type { TextSplitterFields, TextSplitterOptions } from './text-splitter.ts'
import { type Tokenizer, modelOf } from '@x/core-model'

/** The fields of {@link MetadataAwareTextSplitter}. */
export interface MetadataAwareTextSplitterFields extends TextSplitterFields {
  /** The maximum size of a chunk with its metadata, in tokens. @defaultValue 1024 */
  readonly chunkSize: number
  /** The maximum overlap of two adjacent chunks, in tokens. @defaultValue 200 */
  readonly chunkOverlap: number
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
}

/** Constructor options of {@link MetadataAwareTextSplitter}. */
export interface MetadataAwareTextSplitterOptions extends TextSplitterOptions {
  /** The maximum size of a chunk with its metadata, in tokens. @defaultValue 1024 */
  chunkSize?: number | undefined
  /** The maximum overlap of two adjacent chunks, in tokens. @defaultValue 200 */
  chunkOverlap?: number | undefined
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
}

declare abstract class Declared extends TextSplitter {
  constructor(options?: MetadataAwareTextSplitterOptions)
}
interface Declared extends MetadataAwareTextSplitterFields {}

/** The typed base class of {@link MetadataAwareTextSplitter}. */
export const MetadataAwareTextSplitterModel = /* @__PURE__ */ modelOf<typeof Declared>(TextSplitter, {
  name: 'MetadataAwareTextSplitter',
  description: 'Splits text into chunks whose size includes their metadata.',
  fields: {
    chunkSize: { schema: { type: 'integer', minimum: 1, description: 'The maximum size of a chunk with its metadata, in tokens.' }, default: 1024, bounded: true },
    chunkOverlap: { schema: { type: 'integer', minimum: 0, description: 'The maximum overlap of two adjacent chunks, in tokens.' }, default: 200, bounded: true },
    tokenizer: { schema: { description: 'Counts the tokens of a string; null assumes one per 4 UTF-8 bytes.' }, runtime: true, holds: 'function' },
  },
})
