// Generated from the schema of the model by x-codegen. Do not edit.
import type { TextNode } from '../nodes/text-node.ts'
import { Model, modelOf } from '@x/core'

/** The fields of {@link NodeWithScore}. */
export interface NodeWithScoreFields {
  /** The node. */
  node: TextNode
  /** The relevance of the node, on the retriever's scale. Null means that there is no score; 0 is a score. @defaultValue null */
  score: number | null
}

/** Constructor options of {@link NodeWithScore}. */
export interface NodeWithScoreOptions {
  /** The node. */
  node: TextNode
  /** The relevance of the node, on the retriever's scale. Null means that there is no score; 0 is a score. @defaultValue null */
  score?: number | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: NodeWithScoreOptions)
}
interface Declared extends NodeWithScoreFields {}

/** The typed base class of {@link NodeWithScore}. */
export const NodeWithScoreModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'NodeWithScore',
  description: 'A node with the score that a retriever assigned to it.',
  className: 'NodeWithScore',
  fields: {
    node: { schema: { 'x-nested': true, description: 'The node.' }, required: true },
    score: { schema: { type: ['number', 'null'], description: 'The relevance of the node, on the retriever\'s scale. Null means that there is no score; 0 is a score.' } },
  },
})
