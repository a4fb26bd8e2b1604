import type { CrossEncoder } from '@x/core-model'
import { live, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const SentenceTransformerRerank = nodePostprocessor(
  'SentenceTransformerRerank',
  'Reranks nodes by the scores of a cross-encoder for the query.',
  {
    model: Text({ description: 'The name of the model.' }),
    topN: Integer({ minimum: 0, description: 'The maximum number of nodes returned.' }),
    device: Text({ description: 'The device that the model runs on.', default: 'cpu' }),
    keepRetrievalScore: Bool({
      description: 'Whether the previous score of a node is stored as its metadata entry retrieval_score.',
      default: false,
    }),
    onError: oneOf(['throw', 'keep'], {
      extension: true,
      description:
        'How to handle a model that fails: throw its error, or return the first topN nodes in the order of retrieval.',
      default: 'throw',
    }),
    crossEncoder: live<CrossEncoder>({
      holds: ['predict'],
      schema: { type: 'object' },
      extension: true,
      description: 'The loaded model.',
    }),
  },
)
