// Generated from the schema of the model by x-codegen. Do not edit.
import { MetadataAwareTextSplitter } from '../metadata-aware-text-splitter.ts'
import type { MetadataAwareTextSplitterFields, MetadataAwareTextSplitterOptions } from './metadata-aware-text-splitter.ts'
import { modelOf } from '@x/core-model'

/** The fields of {@link SentenceSplitter}. */
export interface SentenceSplitterFields extends MetadataAwareTextSplitterFields {
  /** The separator between words. @defaultValue ' ' */
  separator: string
  /** The separator between paragraphs. @defaultValue '\n\n\n' */
  paragraphSeparator: string
  /** A regular expression for the parts of a sentence; null splits sentences between words. @defaultValue '[^,.;。？！]+[,.;。？！]?' */
  secondaryChunkingRegex: string | null
  /** Splits a paragraph into sentences; null uses the built-in rules. */
  chunkingTokenizerFn: ((text: string) => readonly string[]) | null
}

/** Constructor options of {@link SentenceSplitter}. */
export interface SentenceSplitterOptions extends MetadataAwareTextSplitterOptions {
  /** The separator between words. @defaultValue ' ' */
  separator?: string | undefined
  /** The separator between paragraphs. @defaultValue '\n\n\n' */
  paragraphSeparator?: string | undefined
  /** A regular expression for the parts of a sentence; null splits sentences between words. @defaultValue '[^,.;。？！]+[,.;。？！]?' */
  secondaryChunkingRegex?: string | null | undefined
  /** Splits a paragraph into sentences; null uses the built-in rules. */
  chunkingTokenizerFn?: ((text: string) => readonly string[]) | null | undefined
}

declare abstract class Declared extends MetadataAwareTextSplitter {
  constructor(options?: SentenceSplitterOptions)
}
interface Declared extends SentenceSplitterFields {}

/** The typed base class of {@link SentenceSplitter}. */
export const SentenceSplitterModel = /* @__PURE__ */ modelOf<typeof Declared>(MetadataAwareTextSplitter, {
  name: 'SentenceSplitter',
  description: 'Splits text into chunks of whole sentences.',
  className: 'SentenceSplitter',
  fields: {
    separator: { schema: { type: 'string', description: 'The separator between words.' }, default: ' ' },
    paragraphSeparator: { schema: { type: 'string', description: 'The separator between paragraphs.' }, default: '\n\n\n' },
    secondaryChunkingRegex: { schema: { type: ['string', 'null'], description: 'A regular expression for the parts of a sentence; null splits sentences between words.' }, default: '[^,.;。？！]+[,.;。？！]?' },
    chunkingTokenizerFn: { schema: { description: 'Splits a paragraph into sentences; null uses the built-in rules.' }, runtime: true, holds: 'function' },
  },
})
