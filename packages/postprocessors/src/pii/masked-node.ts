/**
 * @module
 * Put a masked text and its mapping on a node.
 */
import type { NodeWithScore } from '@x/core-model'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { hiddenMetadata, withNode } from '../rewrite.ts'
import { withDistinctTags } from './distinct-tags.ts'
import { applyPiiMapping } from './pii-mapping.ts'
import type { MaskedText } from './read-pii-answer.ts'

/** Takes the mapping of a node, so that the node need not carry the original data. */
export type MappingSink = (nodeId: string, mapping: Record<string, unknown>) => void | Promise<void>

/** What becomes of the mappings. */
interface MappingOptions {
  piiNodeInfoKey: string
  mappingSink: MappingSink | null
  distinctTags: boolean
}

/** The entries with their texts masked and their mappings put where they belong. */
export async function maskedNodes(
  nodes: readonly NodeWithScore[],
  masked: readonly MaskedText[],
  options: MappingOptions,
  { reasons }: PostprocessRun,
): Promise<NodeWithScore[]> {
  const texts = options.distinctTags ? withDistinctTags(masked) : masked
  const results: NodeWithScore[] = []
  for (const [index, entry] of nodes.entries()) {
    const result = await maskedNode(entry, texts[index]!, options)
    reasons?.set(result, `${Object.keys(texts[index]!.mapping).length} items masked`)
    results.push(result)
  }
  return results
}

/**
 * A copy of the entry with its text masked, and with its visible texts in metadata masked too.
 * The mapping is on the node, hidden from models and embeddings (not from mode `all`, nor from a store), or goes to `mappingSink`.
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
  // What the model saw was text and metadata together; apart from each other they are masked by the mapping.
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
