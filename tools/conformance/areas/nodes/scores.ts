/** Nodes with a score. */
import { type Operations, operation } from '../../case.ts'
import { argument, shape } from '../../reader.ts'
import { nodeWithScore } from '../../stand-ins/nodes.ts'

export const scores: Operations = {
  'NodeWithScore.get_score': operation(
    shape({ node: nodeWithScore, raise_error: argument<boolean | undefined>() }),
    (given) => given.node().getScore(given.raise_error),
  ),

  'NodeWithScore.passthrough': operation(shape({ node: nodeWithScore }), (given) => {
    const built = given.node()
    return {
      node_id: built.nodeId,
      text: built.text,
      metadata: built.metadata,
      embedding: built.embedding,
      content: built.getContent(),
      content_all: built.getContent('all'),
    }
  }),
}
