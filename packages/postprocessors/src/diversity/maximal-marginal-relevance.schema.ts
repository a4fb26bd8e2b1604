import { live } from '@x/core-model/schemas'
import { Integer, Number as Num } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const MaximalMarginalRelevance = nodePostprocessor(
  'MaximalMarginalRelevance',
  'Chooses nodes that are relevant and unlike each other.',
  {
    topN: Integer({ minimum: 0, description: 'How many nodes are kept at most.', default: 10 }),
    lambda: Num({
      minimum: 0,
      maximum: 1,
      description: 'Share of relevance against difference: 1 is by relevance alone, 0 by difference alone.',
      default: 0.5,
    }),
    embedModel: live({
      type: 'EmbeddingModel',
      imports: { EmbeddingModel: '@x/core-model' },
      holds: ['getQueryEmbedding', 'getTextEmbeddingBatch'],
      schema: { type: 'object' },
      description: 'Embeds the query, and the nodes that have no embedding.',
    }),
  },
)
