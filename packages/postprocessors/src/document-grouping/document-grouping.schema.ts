import { nullable, oneOf } from '@x/core-model/schemas'
import { Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const DocumentGrouping = nodePostprocessor(
  'DocumentGrouping',
  'Puts the nodes of one document together, in document order.',
  {
    groupKey: nullable(Text(), {
      description: 'Metadata key that names the document of a node; null takes the source of the node.',
    }),
    groupOrder: oneOf(['first', 'best'], {
      description: 'Documents come in the order of their first node, or of their best score.',
      default: 'first',
    }),
    maxPerGroup: nullable(Integer({ minimum: 1 }), {
      description: 'How many nodes of one document are kept, the most relevant ones; null keeps all.',
    }),
    maxGroups: nullable(Integer({ minimum: 0 }), { description: 'How many documents are kept; null keeps all.' }),
  },
)
