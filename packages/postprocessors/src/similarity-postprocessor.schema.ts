import { nullable } from '@x/core-model/schemas'
import { Boolean as Bool, Number as Num } from 'typebox'
import { nodePostprocessor } from './node-postprocessor.schema.ts'

export const SimilarityPostprocessor = nodePostprocessor(
  'SimilarityPostprocessor',
  'Keeps the nodes that score at least a cutoff.',
  {
    similarityCutoff: nullable(Num(), {
      description: 'Lowest score kept, inclusive, on the scale of the scores given; null keeps every node.',
    }),
    keepUnscored: Bool({
      extension: true,
      description: 'Whether a node without a score passes a cutoff.',
      default: false,
    }),
  },
)
