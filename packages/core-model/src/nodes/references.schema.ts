import { component, freeForm, nested, nullable, oneOf } from '@x/core/schemas'
import { Number as Num, String as Text } from 'typebox'
import { ObjectType } from './codes.ts'
import type { TextNode } from './text-node.ts'

export const NodeWithScore = component('NodeWithScore', 'A node with the score that a retriever assigned to it.', {
  node: nested<TextNode>({ description: 'The node.' }),
  score: nullable(Num(), {
    description:
      "The relevance of the node, on the retriever's scale. Null means that there is no score; 0 is a score.",
  }),
})

export const RelatedNodeInfo = component('RelatedNodeInfo', 'A reference to a related node.', {
  nodeId: Text({ description: 'Id of the related node.' }),
  nodeType: nullable(oneOf(Object.values(ObjectType)), {
    description: 'Kind of the related node, a code of ObjectType.',
  }),
  metadata: freeForm({ description: 'Its metadata.', default: {} }),
  hash: nullable(Text(), { description: 'Its hash.' }),
})
