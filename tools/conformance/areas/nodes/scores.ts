/** Nodes with a score. */
import type { Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { nodeWithScore } from '../../stand-ins/nodes.ts'

export const scores: Operations = {
  'NodeWithScore.get_score': ({ node, raiseError }: { node: Dict; raiseError?: boolean }) =>
    nodeWithScore(node).getScore(raiseError),

  'NodeWithScore.passthrough': ({ node }: { node: Dict }) => {
    const built = nodeWithScore(node)
    return {
      node_id: built.nodeId,
      text: built.text,
      metadata: built.metadata,
      embedding: built.embedding,
      content: built.getContent(),
      content_all: built.getContent('all'),
    }
  },
}
