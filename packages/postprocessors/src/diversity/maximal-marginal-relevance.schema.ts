import type { EmbeddingModel } from '@x/core-model'
import { live } from '@x/core-model/schemas'
import { Integer, Number as Num } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const MaximalMarginalRelevance = nodePostprocessor(
  'MaximalMarginalRelevance',
  'Selects nodes that are relevant and different from each other (maximal marginal relevance).',
  {
    topN: Integer({ minimum: 1, description: 'The maximum number of nodes returned.', default: 10 }),
    lambda: Num({
      minimum: 0,
      maximum: 1,
      description: 'The weight of relevance against diversity: 1 is relevance only, 0 is diversity only.',
      default: 0.8,
    }),
    embedModel: live<EmbeddingModel>({
      holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'],
      schema: { type: 'object' },
      description: 'Embeds the query and the nodes that have no embedding.',
    }),
  },
)
