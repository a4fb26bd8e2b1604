import { type Dict, NodeWithScore, TextNode } from '@x/core-model'
import { argument, nullable, number, optional, type Read, shape, string } from '../reader.ts'

/** A text node with a score, in short form. */
export const scoredNode = shape({
  id: string,
  text: optional(string),
  score: optional(nullable(number)),
  metadata: argument<Dict | undefined>(),
})

export function scoredNodeOf({ id, text = '', score = null, metadata = {} }: Read<typeof scoredNode>): NodeWithScore {
  return new NodeWithScore({ node: new TextNode({ id, text, metadata }), score })
}
