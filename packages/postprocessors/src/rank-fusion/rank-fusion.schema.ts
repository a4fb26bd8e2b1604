import { nested, oneOf } from '@x/core-model/schemas'
import { Integer, Array as List, Number as Num } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const RankFusion = nodePostprocessor(
  'RankFusion',
  'Ranks nodes in several ways and makes one ranking of them.',
  {
    rankers: List(nested({ type: 'NodePostprocessor', imports: { NodePostprocessor: './node-postprocessor.ts' } }), {
      description: 'Each gives one ranking of the nodes.',
    }),
    weights: List(Num({ minimum: 0 }), {
      description: 'The weight of each ranking; 1 for those that have none.',
      default: [],
    }),
    mode: oneOf(['reciprocal_rank', 'relative_score', 'best_score'], {
      description: 'How rankings are put together; see fuseNodes.',
      default: 'reciprocal_rank',
    }),
    k: Num({ minimum: 0, description: 'Evens out the first ranks.', default: 60 }),
    topN: Integer({ minimum: 0, description: 'How many nodes are kept at most.', default: 10 }),
    maxConcurrency: Integer({ minimum: 1, description: 'How many rankers run at once.', default: 1 }),
  },
)
