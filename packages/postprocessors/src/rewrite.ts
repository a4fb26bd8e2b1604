/**
 * @module
 * Creates changed copies of entries and their nodes. The input is never changed.
 */
import { merge } from '@x/core/values'
import type { ImageNode, NodeWithScore, TextNode } from '@x/core-model'

/** The fields of a node that postprocessors change. */
export type NodeUpdate = { obj?: unknown } & Partial<Pick<ImageNode, 'imagePath' | 'imageUrl'>> &
  Partial<
    Pick<TextNode, 'text' | 'metadata' | 'relationships' | 'excludedEmbedMetadataKeys' | 'excludedLlmMetadataKeys'>
  >

/** Returns a copy of the node that differs in some fields. Id, relationships and embedding stay the same. */
export function changedNode(node: TextNode, update: NodeUpdate): TextNode {
  const { metadata, excludedEmbedMetadataKeys, excludedLlmMetadataKeys } = node
  const own = {
    metadata: merge(metadata),
    excludedEmbedMetadataKeys: [...excludedEmbedMetadataKeys],
    excludedLlmMetadataKeys: [...excludedLlmMetadataKeys],
  }
  return node.copy({ update: { ...own, ...update } as Partial<TextNode> })
}

/** Returns a copy of the entry with a copy of its node that differs in some fields. */
export function withNode(entry: NodeWithScore, update: NodeUpdate, score = entry.score): NodeWithScore {
  return entry.copy({ update: { node: changedNode(entry.node, update), score } as Partial<NodeWithScore> })
}

/** Returns the update that adds a metadata entry which is hidden from language and embedding models. */
export function hiddenMetadata(
  { node }: Pick<NodeWithScore, 'node'>,
  key: string,
  value: unknown,
): Required<Omit<NodeUpdate, 'text' | 'relationships' | 'obj' | 'imagePath' | 'imageUrl'>> {
  const hidden = (keys: readonly string[]) => (keys.includes(key) ? [...keys] : [...keys, key])
  return {
    metadata: merge(node.metadata, { [key]: value }),
    excludedEmbedMetadataKeys: hidden(node.excludedEmbedMetadataKeys),
    excludedLlmMetadataKeys: hidden(node.excludedLlmMetadataKeys),
  }
}

/**
 * Returns a copy of the entry with a new score and a copy of its node.
 * With `keepBefore` the previous score is stored as the hidden metadata entry `retrieval_score`.
 */
export function withScore(entry: NodeWithScore, score: number | null, keepBefore = false): NodeWithScore {
  return withNode(entry, keepBefore ? hiddenMetadata(entry, 'retrieval_score', entry.score) : {}, score)
}
