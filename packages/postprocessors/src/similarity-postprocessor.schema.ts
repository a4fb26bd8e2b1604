import { nullable } from '@x/core-model/schemas'
import { Boolean as Bool, Number as Num } from 'typebox'
import { nodePostprocessor } from './node-postprocessor.schema.ts'

export const SimilarityPostprocessor = nodePostprocessor(
  'SimilarityPostprocessor',
  'Keeps the nodes whose score is at least a cutoff.',
  {
    similarityCutoff: nullable(Num(), {
      otherNames: ['minScore', 'scoreThreshold', 'threshold'],
      description: 'The lowest score that is kept, on the scale of the input scores; null keeps every node.',
    }),
    keepUnscored: Bool({
      extension: true,
      description: 'Whether a node without a score is kept.',
      default: false,
    }),
  },
)
