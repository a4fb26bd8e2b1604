import { nullable, oneOf } from '@x/core-model/schemas'
import { Integer, String as Text } from 'typebox'
import { nodePostprocessor } from '../node-postprocessor.schema.ts'

export const DocumentGrouping = nodePostprocessor('DocumentGrouping', 'Groups nodes by document, in document order.', {
  groupKey: nullable(Text(), {
    description:
      'The metadata key whose value identifies the document of a node; null uses the source relationship of the node.',
  }),
  groupOrder: oneOf(['first', 'best'], {
    description: 'The order of documents: by their first node, or by their best score.',
    default: 'first',
  }),
  maxPerGroup: nullable(Integer({ minimum: 1 }), {
    description: 'The maximum number of nodes per document; the most relevant are kept. Null keeps all.',
  }),
  maxGroups: nullable(Integer({ minimum: 0 }), { description: 'The maximum number of documents; null keeps all.' }),
})
