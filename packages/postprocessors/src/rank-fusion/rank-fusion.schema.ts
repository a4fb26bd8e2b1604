import { component, nested, oneOf } from '@x/core-model/schemas'
import { Integer, Array as List, Number as Num } from 'typebox'
import { StepsPostprocessor } from '../steps-postprocessor.schema.ts'
import type { PostprocessorLike } from '../steps-postprocessor.ts'

export const RankFusion = component(
  'RankFusion',
  'Ranks nodes with several postprocessors and fuses the rankings.',
  {
    rankers: List(nested<PostprocessorLike>(), {
      description: 'The postprocessors, at least one, each of which returns one ranking of the nodes.',
    }),
    weights: List(Num({ minimum: 0 }), {
      description: 'The weight of each ranking; 1 for rankers without a weight.',
      default: [],
    }),
    mode: oneOf(['reciprocal_rank', 'relative_score', 'best_score'], {
      description: 'How rankings are fused; see fuseNodes.',
      default: 'reciprocal_rank',
    }),
    k: Num({
      minimum: 0,
      description: 'The constant of reciprocal rank fusion. A higher value reduces the advantage of the first ranks.',
      default: 60,
    }),
    topN: Integer({ minimum: 1, description: 'The maximum number of nodes returned.', default: 10 }),
    maxConcurrency: Integer({
      minimum: 1,
      description: 'The maximum number of rankers that run at the same time.',
      default: 1,
    }),
  },
  { extends: StepsPostprocessor },
)
