// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type CrossEncoder, modelOf } from '@x/core-model'

/** The fields of {@link SentenceTransformerRerank}. */
export interface SentenceTransformerRerankFields extends NodePostprocessorFields {
  /** The name of the model. */
  model: string
  /** The maximum number of nodes returned. */
  readonly topN: number
  /** The device that the model runs on. @defaultValue 'cpu' */
  device: string
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore: boolean
  /** How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval. @defaultValue 'throw' */
  onError: 'throw' | 'keep'
  /** The loaded model. */
  crossEncoder: CrossEncoder | null
}

/** Constructor options of {@link SentenceTransformerRerank}. */
export interface SentenceTransformerRerankOptions extends NodePostprocessorOptions {
  /** The name of the model. */
  model: string
  /** The maximum number of nodes returned. */
  topN: number
  /** The device that the model runs on. @defaultValue 'cpu' */
  device?: string | undefined
  /** Whether the previous score of a node is stored as its metadata entry retrieval_score. @defaultValue false */
  keepRetrievalScore?: boolean | undefined
  /** How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval. @defaultValue 'throw' */
  onError?: 'throw' | 'keep' | undefined
  /** The loaded model. */
  crossEncoder?: CrossEncoder | null | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options: SentenceTransformerRerankOptions)
}
interface Declared extends SentenceTransformerRerankFields {}

/** The typed base class of {@link SentenceTransformerRerank}. */
export const SentenceTransformerRerankModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'SentenceTransformerRerank',
  description: 'Reranks nodes by the scores of a cross-encoder for the query.',
  className: 'SentenceTransformerRerank',
  fields: {
    model: { schema: { type: 'string', description: 'The name of the model.' }, required: true },
    topN: { schema: { type: 'integer', minimum: 0, description: 'The maximum number of nodes returned.' }, required: true, bounded: true },
    device: { schema: { type: 'string', description: 'The device that the model runs on.' }, default: 'cpu' },
    keepRetrievalScore: { schema: { type: 'boolean', description: 'Whether the previous score of a node is stored as its metadata entry retrieval_score.' }, default: false },
    onError: { schema: { type: 'string', enum: ['throw', 'keep'], description: 'How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval.' }, default: 'throw', extension: true },
    crossEncoder: { schema: { type: 'object', description: 'The loaded model.' }, runtime: true, holds: ['predict'], extension: true },
  },
})
