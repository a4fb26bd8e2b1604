/**
 * @module
 * Creates the masked copy of a node and stores its mapping.
 */
import type { NodeWithScore } from '@x/core-model'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { hiddenMetadata, withNode } from '../rewrite.ts'
import { withDistinctTags } from './distinct-tags.ts'
import { applyPiiMapping } from './pii-mapping.ts'
import type { MaskedText } from './read-pii-answer.ts'

/** Receives the mapping of a node, so that the node does not contain the original data. */
export type MappingSink = (nodeId: string, mapping: Record<string, unknown>) => void | Promise<void>

/** Where mappings are stored, and whether tags are distinct across nodes. */
interface MappingOptions {
  piiNodeInfoKey: string
  mappingSink: MappingSink | null
  distinctTags: boolean
}

/** Returns masked copies of the entries and stores their mappings. */
export async function maskedNodes(
  nodes: readonly NodeWithScore[],
  masked: readonly MaskedText[],
  options: MappingOptions,
  { reasons }: PostprocessRun,
): Promise<NodeWithScore[]> {
  const maskedTexts = options.distinctTags ? withDistinctTags(masked) : masked
  const results: NodeWithScore[] = []
  for (const [index, entry] of nodes.entries()) {
    const result = await maskedNode(entry, maskedTexts[index]!, options)
    reasons?.set(result, `${Object.keys(maskedTexts[index]!.mapping).length} items masked`)
    results.push(result)
  }
  return results
}

/**
 * Returns a copy of the entry with its text and the visible string values of its metadata masked.
 * The mapping is passed to `mappingSink`, or stored in the metadata: hidden from language and embedding models, but part of
 * mode `all` and of stored nodes.
 */
async function maskedNode(
  entry: NodeWithScore,
  { text, mapping }: MaskedText,
  { piiNodeInfoKey: key, mappingSink: sink }: MappingOptions,
): Promise<NodeWithScore> {
  const { node } = entry
  const visible = Object.keys(node.metadata).filter((name) => !node.excludedLlmMetadataKeys.includes(name))
  const metadata = { ...node.metadata }
  for (const name of visible) {
    const value = metadata[name]
    if (typeof value === 'string') metadata[name] = applyPiiMapping(value, mapping)
  }
  // The model saw text and metadata as one string. With metadata, each part is masked separately by the mapping.
  const masked = visible.length === 0 ? text : applyPiiMapping(node.text, mapping)
  if (sink) {
    await sink(node.id, mapping)
    return withNode(entry, { text: masked, metadata })
  }
  return withNode(entry, {
    text: masked,
    ...hiddenMetadata(entry, key, mapping),
    metadata: { ...metadata, [key]: mapping },
  })
}
