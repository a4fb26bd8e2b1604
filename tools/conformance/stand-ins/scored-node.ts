import { type Dict, NodeWithScore, TextNode } from '@x/core-model'

/** A text node with a score, in short form. */
export interface ScoredNode {
  id: string
  text?: string
  score?: number | null
  metadata?: Dict
}

export function scoredNodeOf({ id, text = '', score = null, metadata = {} }: ScoredNode): NodeWithScore {
  return new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })
}
