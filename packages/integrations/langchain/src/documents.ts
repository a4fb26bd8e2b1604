/**
 * @module
 * Converts documents of LangChain to scored nodes, and back.
 */
import { merge, pick } from '@x/core/values'
import { NodeWithScore, TextNode } from '@x/core-model'
import type { LangChainDocument } from './langchain-types.ts'

/** The metadata key under which LangChain's rerankers store a score. */
const SCORE = 'relevanceScore'

/** Returns the scored node for a document. Its metadata must be JSON; a `relevanceScore` in it becomes the score. */
export function nodeOf({ id, pageContent, metadata }: LangChainDocument): NodeWithScore {
  const { [SCORE]: score } = metadata
  const rest = pick(metadata, (key) => key !== SCORE)
  return new NodeWithScore({
    node: new TextNode({ ...(id !== undefined && { id }), text: pageContent, metadata: rest }),
    score: typeof score === 'number' ? score : null,
  })
}

/** Returns the document for a scored node: its text without metadata, its id, its metadata, and the score as `relevanceScore`. */
export function documentOf({ node, score }: NodeWithScore): LangChainDocument {
  return {
    id: node.id,
    pageContent: node.getContent('none'),
    metadata: merge(node.metadata, score === null ? {} : { [SCORE]: score }),
  }
}
