/**
 * @module
 * Embeddings of nodes.
 */
import { checkOption, listOf, required } from '@x/core/options'
import { kindOf } from '@x/core/values'
import { ComponentOutputError, type EmbeddingModel, type TextNode } from '@x/core-model'
import type { CancelOptions } from './retriever.ts'

/**
 * Embeds the nodes that have no embedding, in one batch, and returns their vectors. For your own vector index.
 * @throws {ComponentOutputError} if the model does not return one array of numbers per text.
 */
export async function embedNodes(
  nodes: readonly TextNode[],
  embedModel: EmbeddingModel,
  signal?: CancelOptions['signal'],
): Promise<ReadonlyMap<TextNode, number[]>> {
  checkOption('embedNodes', 'nodes', nodes, listOf('a node', 'metadata'))
  checkOption('embedNodes', 'embedModel', embedModel, required('an embedding model', 'getTextEmbeddingBatch'))
  const unembedded = nodes.filter(({ embedding }) => embedding === null)
  const contents = unembedded.map((node) => node.getContent('embed'))
  const vectors = contents.length > 0 ? await embedModel.getTextEmbeddingBatch(contents, { signal }) : []
  checkVectors(vectors, contents.length)
  return new Map(unembedded.map((node, i) => [node, vectors[i]!]))
}

/** Checks the answer of an embedding model. @throws {ComponentOutputError} if it is not one array of numbers per text. */
export function checkVectors(vectors: readonly unknown[], count: number): void {
  const fault = (expected: string, received: unknown) => {
    throw new ComponentOutputError(`The embedding model: expected ${expected}, received ${received}.`)
  }
  if (!Array.isArray(vectors)) fault(`${count} vectors`, kindOf(vectors))
  if (vectors.length !== count) fault(`${count} vectors`, vectors.length)
  for (const vector of vectors)
    if (!(Array.isArray(vector) || ArrayBuffer.isView(vector)) || typeof (vector as number[])[0] !== 'number')
      fault('arrays of numbers', kindOf(vector))
}

/** Returns the nodes with their vectors; a node that receives one is copied. */
export function withVectors(nodes: readonly TextNode[], vectors: ReadonlyMap<TextNode, number[]>): readonly TextNode[] {
  return nodes.map((node) => {
    const embedding = vectors.get(node)
    return embedding ? node.copy({ update: { embedding: Array.from(embedding) } }) : node
  })
}
