/**
 * @module
 * Creates the masked copy of a node and stores its mapping.
 */
import type { NodeWithScore } from '@x/core-model'
import { PiiMaskingError } from '../errors.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { hiddenMetadata, withNode } from '../rewrite.ts'
import { distinctTags } from './distinct-tags.ts'
import { containsOriginal, type MaskedTexts } from './mask-places.ts'
import { mapNodeStrings, nodeStrings } from './node-strings.ts'
import { originalsByTag, replacer } from './pii-mapping.ts'

/** Receives the mapping of a node, so that the node does not contain the original data. */
export type MappingSink = (nodeId: string, mapping: Record<string, unknown>) => void | Promise<void>

/** Options for storing mappings, and for distinct tags across nodes. */
interface MappingOptions {
  piiNodeInfoKey: string
  mappingSink: MappingSink | null
  distinctTags: boolean
}

/**
 * Returns masked copies of the entries and stores their mappings. The mapping is passed to `mappingSink`, or stored in the metadata:
 * hidden from language and embedding models, but part of mode `all` and of stored nodes.
 * @throws {PiiMaskingError} if a model would still receive an original, or the mapping does not restore the node.
 */
export async function maskedNodes(
  className: string,
  nodes: readonly NodeWithScore[],
  masked: readonly MaskedTexts[],
  { piiNodeInfoKey, mappingSink, distinctTags: distinct }: MappingOptions,
  { reasons }: PostprocessRun,
): Promise<NodeWithScore[]> {
  const results: NodeWithScore[] = []
  for (const [index, final] of (distinct ? distinctTags(masked) : masked).entries()) {
    const entry = nodes[index]!
    const { texts, mapping } = final
    assertReversible(className, nodeStrings(entry.node), final, entry.nodeId)
    let next = 0
    let result = withNode(
      entry,
      mapNodeStrings(entry.node, () => texts[next++]!),
    )
    assertNothingLeft(className, result, final)
    if (mappingSink) await mappingSink(entry.nodeId, mapping)
    else result = withNode(result, hiddenMetadata(result, piiNodeInfoKey, mapping))
    const count = Object.keys(mapping).length
    reasons?.set(result, count === 0 ? 'nothing to mask' : `${count} item${count === 1 ? '' : 's'} masked`)
    results.push(result)
  }
  return results
}

/** @throws {PiiMaskingError} if unmasking the strings does not return the originals. */
export function assertReversible(
  className: string,
  originals: readonly string[],
  { texts, mapping }: Omit<MaskedTexts, 'inside'>,
  nodeId: string | null = null,
): void {
  const restore = replacer(originalsByTag(mapping))
  if (texts.some((text, index) => restore(text) !== originals[index]))
    throw new PiiMaskingError(className, nodeId, 'not_reversible')
}

function assertNothingLeft(className: string, { node }: NodeWithScore, masked: MaskedTexts): void {
  const isLeft = containsOriginal(masked)
  for (const mode of ['llm', 'embed'] as const)
    if (isLeft(node.getContent(mode))) throw new PiiMaskingError(className, node.id, 'original_left', mode)
}
