/**
 * @module
 * Embeddings of nodes.
 */
import type { EmbeddingModel, TextNode } from '@x/core-model'
import type { CancelOptions } from './retriever.ts'

/** Embeds the nodes that have no embedding, in one batch, and returns their vectors. */
export async function embedNodes(
  nodes: readonly TextNode[],
  embedModel: EmbeddingModel,
  signal: CancelOptions['signal'],
): Promise<ReadonlyMap<TextNode, number[]>> {
  const unembedded = nodes.filter(({ embedding }) => embedding === null)
  const contents = unembedded.map((node) => node.getContent('embed'))
  const vectors = contents.length > 0 ? await embedModel.getTextEmbeddingBatch(contents, { signal }) : []
  return new Map(unembedded.map((node, i) => [node, vectors[i]!]))
}
