// Generated from the schema of the model by x-codegen. Do not edit.
import { NodePostprocessor } from '../node-postprocessor.ts'
import type { NodePostprocessorFields, NodePostprocessorOptions } from './node-postprocessor.ts'
import { type EmbeddingModel, modelOf } from '@x/core-model'

/** The fields of {@link MaximalMarginalRelevance}. */
export interface MaximalMarginalRelevanceFields extends NodePostprocessorFields {
  /** The maximum number of nodes returned. @defaultValue 10 */
  readonly topN: number
  /** The weight of relevance against diversity: 1 is relevance only, 0 is diversity only. @defaultValue 0.8 */
  readonly lambda: number
  /** Embeds the query and the nodes that have no embedding. */
  embedModel: EmbeddingModel | null
}

/** Constructor options of {@link MaximalMarginalRelevance}. */
export interface MaximalMarginalRelevanceOptions extends NodePostprocessorOptions {
  /** The maximum number of nodes returned. @defaultValue 10 */
  topN?: number | undefined
  /** The weight of relevance against diversity: 1 is relevance only, 0 is diversity only. @defaultValue 0.8 */
  lambda?: number | undefined
  /** Embeds the query and the nodes that have no embedding. */
  embedModel?: EmbeddingModel | null | undefined
}

declare abstract class Declared extends NodePostprocessor {
  constructor(options?: MaximalMarginalRelevanceOptions)
}
interface Declared extends MaximalMarginalRelevanceFields {}

/** The typed base class of {@link MaximalMarginalRelevance}. */
export const MaximalMarginalRelevanceModel = /* @__PURE__ */ modelOf<typeof Declared>(NodePostprocessor, {
  name: 'MaximalMarginalRelevance',
  description: 'Selects nodes that are relevant and different from each other (maximal marginal relevance).',
  className: 'MaximalMarginalRelevance',
  fields: {
    topN: { schema: { type: 'integer', minimum: 1, description: 'The maximum number of nodes returned.' }, default: 10, bounded: true },
    lambda: { schema: { type: 'number', minimum: 0, maximum: 1, description: 'The weight of relevance against diversity: 1 is relevance only, 0 is diversity only.' }, default: 0.8, bounded: true },
    embedModel: { schema: { type: 'object', description: 'Embeds the query and the nodes that have no embedding.' }, runtime: true, holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'] },
  },
})
