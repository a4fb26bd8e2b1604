// Generated from the schema of the model by x-codegen. Do not edit.
import { NodeParser } from '../node-parser.ts'
import type { NodeParserFields, NodeParserOptions } from './node-parser.ts'
import { type EmbeddingModel, type Tokenizer, modelOf } from '@x/core-model'

/** The fields of {@link SemanticSplitterNodeParser}. */
export interface SemanticSplitterNodeParserFields extends NodeParserFields {
  /** Embeds the sentences. */
  embedModel: EmbeddingModel
  /** The number of sentences before and after each one that are embedded with it. @defaultValue 1 */
  readonly bufferSize: number
  /** The percentage of the distances between adjacent sentences that are too small for a boundary. @defaultValue 95 */
  readonly breakpointPercentileThreshold: number
  /** Splits text into sentences; null uses the built-in rules. */
  sentenceSplitter: ((text: string) => readonly string[]) | null
  /** The maximum size of a node, in tokens. Larger nodes are split where the subject changes most; null for any. @defaultValue null */
  readonly chunkSize: number | null
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer: Tokenizer | null
}

/** Constructor options of {@link SemanticSplitterNodeParser}. */
export interface SemanticSplitterNodeParserOptions extends NodeParserOptions {
  /** Embeds the sentences. */
  embedModel: EmbeddingModel
  /** The number of sentences before and after each one that are embedded with it. @defaultValue 1 */
  bufferSize?: number | undefined
  /** The percentage of the distances between adjacent sentences that are too small for a boundary. @defaultValue 95 */
  breakpointPercentileThreshold?: number | undefined
  /** Splits text into sentences; null uses the built-in rules. */
  sentenceSplitter?: ((text: string) => readonly string[]) | null | undefined
  /** The maximum size of a node, in tokens. Larger nodes are split where the subject changes most; null for any. @defaultValue null */
  chunkSize?: number | null | undefined
  /** Counts the tokens of a string; null assumes one per 4 UTF-8 bytes. */
  tokenizer?: Tokenizer | null | undefined
}

declare abstract class Declared extends NodeParser {
  constructor(options: SemanticSplitterNodeParserOptions)
}
interface Declared extends SemanticSplitterNodeParserFields {}

/** The typed base class of {@link SemanticSplitterNodeParser}. */
export const SemanticSplitterNodeParserModel = /* @__PURE__ */ modelOf<typeof Declared>(NodeParser, {
  name: 'SemanticSplitterNodeParser',
  description: 'Splits text where its subject changes, by embeddings of its sentences.',
  className: 'SemanticSplitterNodeParser',
  fields: {
    embedModel: { schema: { description: 'Embeds the sentences.' }, required: true, runtime: true, holds: ['getTextEmbeddingBatch'] },
    bufferSize: { schema: { type: 'integer', minimum: 0, description: 'The number of sentences before and after each one that are embedded with it.' }, default: 1, bounded: true },
    breakpointPercentileThreshold: { schema: { type: 'number', minimum: 0, maximum: 100, description: 'The percentage of the distances between adjacent sentences that are too small for a boundary.' }, default: 95, bounded: true },
    sentenceSplitter: { schema: { description: 'Splits text into sentences; null uses the built-in rules.' }, runtime: true, holds: 'function' },
    chunkSize: { schema: { minimum: 1, type: ['integer', 'null'], description: 'The maximum size of a node, in tokens. Larger nodes are split where the subject changes most; null for any.' }, bounded: true, extension: true },
    tokenizer: { schema: { description: 'Counts the tokens of a string; null assumes one per 4 UTF-8 bytes.' }, runtime: true, holds: 'function' },
  },
})
