/**
 * @module
 * Embeddings of nodes.
 */
import type { EmbeddingModel, TextNode } from '@x/core-model'
import type { CancelOptions } from './retriever.ts'

/** Embeds the nodes that have no embedding, in one batch, and returns their vectors. For your own vector index. */
export async function embedNodes(
  nodes: readonly TextNode[],
  embedModel: EmbeddingModel,
  signal?: CancelOptions['signal'],
): Promise<ReadonlyMap<TextNode, number[]>> {
  const unembedded = nodes.filter(({ embedding }) => embedding === null)
  const contents = unembedded.map((node) => node.getContent('embed'))
  const vectors = contents.length > 0 ? await embedModel.getTextEmbeddingBatch(contents, { signal }) : []
  return new Map(unembedded.map((node, i) => [node, vectors[i]!]))
}

/** Returns the nodes with their vectors; a node that receives one is copied. */
export function withVectors(nodes: readonly TextNode[], vectors: ReadonlyMap<TextNode, number[]>): readonly TextNode[] {
  return nodes.map((node) => {
    const embedding = vectors.get(node)
    return embedding ? node.copy({ update: { embedding } }) : node
  })
}
