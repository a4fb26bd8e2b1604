// Generated from the schema of the model by x-codegen. Do not edit.
import { MetadataAwareTextSplitter } from '../metadata-aware-text-splitter.ts'
import type { MetadataAwareTextSplitterFields, MetadataAwareTextSplitterOptions } from './metadata-aware-text-splitter.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link TokenTextSplitter}. */
export interface TokenTextSplitterFields extends MetadataAwareTextSplitterFields {
  /** The maximum overlap of two adjacent chunks, in tokens. @defaultValue 20 */
  readonly chunkOverlap: number
  /** The separator between words. @defaultValue ' ' */
  separator: string
  /** The separators within a piece that is too large, in this order. @defaultValue ["\n"] */
  backupSeparators: string[]
}

/** Constructor options of {@link TokenTextSplitter}. */
export interface TokenTextSplitterOptions extends MetadataAwareTextSplitterOptions {
  /** The maximum overlap of two adjacent chunks, in tokens. @defaultValue 20 */
  chunkOverlap?: number | undefined
  /** The separator between words. @defaultValue ' ' */
  separator?: string | undefined
  /** The separators within a piece that is too large, in this order. @defaultValue ["\n"] */
  backupSeparators?: readonly string[] | undefined
}

declare abstract class Declared extends MetadataAwareTextSplitter {
  constructor(options?: TokenTextSplitterOptions)
}
interface Declared extends TokenTextSplitterFields {}

/** The typed base class of {@link TokenTextSplitter}. */
export const TokenTextSplitterModel = /* @__PURE__ */ modelOf<typeof Declared>(MetadataAwareTextSplitter, {
  name: 'TokenTextSplitter',
  description: 'Splits text into chunks of as many words as fit.',
  className: 'TokenTextSplitter',
  fields: {
    chunkOverlap: { schema: { type: 'integer', minimum: 0, description: 'The maximum overlap of two adjacent chunks, in tokens.' }, default: 20, bounded: true },
    separator: { schema: { type: 'string', description: 'The separator between words.' }, default: ' ' },
    backupSeparators: { schema: { type: 'array', items: { type: 'string' }, description: 'The separators within a piece that is too large, in this order.' }, default: ['\n'] },
  },
})
