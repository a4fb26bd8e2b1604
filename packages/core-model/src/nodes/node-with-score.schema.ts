import { component, nested, nullable } from '@x/core/schemas'
import { Number as Num } from 'typebox'
import type { TextNode } from './text-node.ts'

export const NodeWithScore = component('NodeWithScore', 'A node with the score that a retriever assigned to it.', {
  node: nested<TextNode>({ description: 'The node.' }),
  score: nullable(Num(), {
    description:
      "The relevance of the node, on the retriever's scale. Null means that there is no score; 0 is a score.",
  }),
})
