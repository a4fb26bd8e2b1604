import { live } from '@x/core-model/schemas'
import { Boolean as Bool, Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const SentenceTransformerRerank = nodePostprocessor(
  'SentenceTransformerRerank',
  'Orders nodes by the score that a cross-encoder gives them for the query.',
  {
    model: Text({ description: 'Name of the model.' }),
    topN: Integer({ minimum: 0, description: 'How many nodes are kept at most.' }),
    device: Text({ description: 'Where the model computes.', default: 'cpu' }),
    keepRetrievalScore: Bool({
      description: 'Whether the score that a node came with is kept as its metadata entry retrieval_score.',
      default: false,
    }),
    crossEncoder: live({
      type: 'CrossEncoder',
      imports: { CrossEncoder: './cross-encoder/cross-encoder.ts' },
      holds: ['predict'],
      schema: { type: 'object' },
      extension: true,
      description: 'The model, loaded.',
    }),
  },
)
