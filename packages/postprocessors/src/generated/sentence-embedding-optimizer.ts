// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type EmbeddingModel, modelOf } from '@x/core-model'

/** The fields of {@link SentenceEmbeddingOptimizer}. */
export interface SentenceEmbeddingOptimizerFields extends NodePostprocessorFields {
  /** The share of the sentences that is kept, at least one sentence; null keeps all above the threshold. @defaultValue null */
  readonly percentileCutoff: number | null
  /** The similarity to the query that a sentence must exceed; null applies no threshold. @defaultValue null */
  thresholdCutoff: number | null
  /** The number of sentences kept before each selected one; null means 1. @defaultValue null */
  readonly contextBefore: number | null
  /** The number of sentences kept after each selected one; null means 1. @defaultValue null */
  readonly contextAfter: number | null
  /** Embeds the query and the sentences. */
  embedModel: EmbeddingModel | null
  /** Splits a string into sentences; default splitSentences. */
  tokenizerFn: ((text: string) => readonly string[]) | null
  /** The language tag of the nodes, for the default tokenizerFn. @defaultValue 'en' */
  lang: string
  /** How to handle a node without a sentence above the threshold: throw, drop it, or keep it unchanged. @defaultValue 'throw' */
  onEmpty: 'throw' | 'drop' | 'keep'
  /** The maximum number of requests at the same time; each embeds up to 256 sentences. @defaultValue 1 */
  readonly maxConcurrency: number
}

/** Constructor options of {@link SentenceEmbeddingOptimizer}. */
export interface SentenceEmbeddingOptimizerOptions extends NodePostprocessorOptions {
  /** The share of the sentences that is kept, at least one sentence; null keeps all above the threshold. @defaultValue null */
  percentileCutoff?: number | null | undefined
  /** The similarity to the query that a sentence must exceed; null applies no threshold. @defaultValue null */
  thresholdCutoff?: number | null | undefined
  /** The number of sentences kept before each selected one; null means 1. @defaultValue null */
  contextBefore?: number | null | undefined
  /** The number of sentences kept after each selected one; null means 1. @defaultValue null */
  contextAfter?: number | null | undefined
  /** Embeds the query and the sentences. */
  embedModel?: EmbeddingModel | null | undefined
  /** Splits a string into sentences; default splitSentences. */
  tokenizerFn?: ((text: string) => readonly string[]) | null | undefined
  /** The language tag of the nodes, for the default tokenizerFn. @defaultValue 'en' */
  lang?: string | undefined
  /** How to handle a node without a sentence above the threshold: throw, drop it, or keep it unchanged. @defaultValue 'throw' */
  onEmpty?: 'throw' | 'drop' | 'keep' | undefined
  /** The maximum number of requests at the same time; each embeds up to 256 sentences. @defaultValue 1 */
  maxConcurrency?: number | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: SentenceEmbeddingOptimizerOptions)
}
interface Declared extends SentenceEmbeddingOptimizerFields {}

/** The typed base class of {@link SentenceEmbeddingOptimizer}. */
export const SentenceEmbeddingOptimizerModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'SentenceEmbeddingOptimizer',
  description: 'Shortens each node to the sentences that are most similar to the query.',
  className: 'SentenceEmbeddingOptimizer',
  fields: {
    percentileCutoff: { schema: { minimum: 0, maximum: 1, type: ['number', 'null'], description: 'The share of the sentences that is kept, at least one sentence; null keeps all above the threshold.' }, bounded: true },
    thresholdCutoff: { schema: { type: ['number', 'null'], description: 'The similarity to the query that a sentence must exceed; null applies no threshold.' } },
    contextBefore: { schema: { minimum: 0, type: ['integer', 'null'], description: 'The number of sentences kept before each selected one; null means 1.' }, bounded: true },
    contextAfter: { schema: { minimum: 0, type: ['integer', 'null'], description: 'The number of sentences kept after each selected one; null means 1.' }, bounded: true },
    embedModel: { schema: { type: 'object', description: 'Embeds the query and the sentences.' }, runtime: true, holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'], extension: true },
    tokenizerFn: { schema: { description: 'Splits a string into sentences; default splitSentences.' }, runtime: true, holds: 'function' },
    lang: { schema: { type: 'string', description: 'The language tag of the nodes, for the default tokenizerFn.' }, default: 'en', extension: true },
    onEmpty: { schema: { type: 'string', enum: ['throw', 'drop', 'keep'], description: 'How to handle a node without a sentence above the threshold: throw, drop it, or keep it unchanged.' }, default: 'throw', extension: true },
    maxConcurrency: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of requests at the same time; each embeds up to 256 sentences.' }, default: 1, bounded: true, extension: true },
  },
})
