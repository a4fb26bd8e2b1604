/**
 * @module
 * Documents of LangChain and scored nodes.
 */
import { NodeWithScore, TextNode } from '@x/core-model'
import type { LangChainDocument } from './langchain-types.ts'

/** Where LangChain's rerankers keep a score in the metadata. */
const SCORE = 'relevanceScore'

/** The scored node for a document. Its metadata must be JSON; a `relevanceScore` in it becomes the score. */
export function nodeOf({ id, pageContent, metadata }: LangChainDocument): NodeWithScore {
  const { [SCORE]: score, ...rest } = metadata
  return new NodeWithScore({
    node: new TextNode({ ...(id !== undefined && { id }), text: pageContent, metadata: rest }),
    score: typeof score === 'number' ? score : null,
  })
}

/** The document for a scored node: its text without metadata, its id, its metadata, and the score as `relevanceScore`. */
export function documentOf({ node, score }: NodeWithScore): LangChainDocument {
  return {
    id: node.id,
    pageContent: node.getContent('none'),
    metadata: { ...node.metadata, ...(score !== null && { [SCORE]: score }) },
  }
}
