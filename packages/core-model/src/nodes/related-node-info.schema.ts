import { component, freeForm, nullable, oneOf } from '@x/core/schemas'
import { String as Text } from 'typebox'
import { ObjectType } from './codes.ts'

export const RelatedNodeInfo = component('RelatedNodeInfo', 'A reference to a related node.', {
  nodeId: Text({ description: 'Id of the related node.' }),
  nodeType: nullable(oneOf(Object.values(ObjectType)), {
    description: 'Kind of the related node, a code of ObjectType.',
  }),
  metadata: freeForm({ description: 'Its metadata.', default: {} }),
  hash: nullable(Text(), { description: 'Its hash.' }),
})
