/**
 * @module
 * New entries in the place of given ones, which stay as they are.
 */
import type { NodeWithScore, TextNode } from '@x/core-model'

/** The fields of a node that postprocessors change. */
export type NodeUpdate = Partial<
  Pick<TextNode, 'text' | 'metadata' | 'excludedEmbedMetadataKeys' | 'excludedLlmMetadataKeys'>
>

/** A new entry with a copy of the node that differs in some fields; id, relations and embedding are those of the node. */
export function withNode(entry: NodeWithScore, update: NodeUpdate, score = entry.score): NodeWithScore {
  const { metadata, excludedEmbedMetadataKeys, excludedLlmMetadataKeys } = entry.node
  const own = {
    metadata: { ...metadata },
    excludedEmbedMetadataKeys: [...excludedEmbedMetadataKeys],
    excludedLlmMetadataKeys: [...excludedLlmMetadataKeys],
  }
  const node = entry.node.copy({ update: { ...own, ...update } as Partial<TextNode> })
  return entry.copy({ update: { node, score } as Partial<NodeWithScore> })
}

/** What puts a metadata entry on a node that neither models nor embeddings see. */
export function hiddenMetadata(
  { node }: NodeWithScore,
  key: string,
  value: unknown,
): Required<Omit<NodeUpdate, 'text'>> {
  const hidden = (keys: readonly string[]) => (keys.includes(key) ? [...keys] : [...keys, key])
  return {
    metadata: { ...node.metadata, [key]: value },
    excludedEmbedMetadataKeys: hidden(node.excludedEmbedMetadataKeys),
    excludedLlmMetadataKeys: hidden(node.excludedLlmMetadataKeys),
  }
}

/** A new entry with another score and a copy of the node, which can carry the score before as its hidden metadata entry `retrieval_score`. */
export function withScore(entry: NodeWithScore, score: number | null, keepBefore = false): NodeWithScore {
  return withNode(entry, keepBefore ? hiddenMetadata(entry, 'retrieval_score', entry.score) : {}, score)
}
