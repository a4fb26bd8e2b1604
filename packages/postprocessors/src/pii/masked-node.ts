/**
 * @module
 * Creates the masked copy of a node and stores its mapping.
 */
import { ConfigurationError, isNode, NodeWithScore, type RelatedNodeInfo, type TextNode } from '@x/core-model'
import { PiiMaskingError } from '../errors.ts'
import type { NodePostprocessor, PostprocessRun } from '../node-postprocessor.ts'
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

/** Returns the node that an index node contains, such as its table. */
export function objectOf(node: TextNode): TextNode | undefined {
  const { obj } = node as { obj?: unknown }
  return isNode(obj) ? obj : undefined
}

/** Returns the entries, and behind them the nodes that index nodes contain, each once. */
export function withObjects(nodes: readonly NodeWithScore[]): NodeWithScore[] {
  const all = [...nodes]
  const known = new Set(all.map(({ node }) => node))
  for (const { node } of all) {
    const object = objectOf(node)
    if (object === undefined || known.has(object)) continue
    known.add(object)
    all.push(new NodeWithScore({ node: object }))
  }
  return all
}

/** Puts the masked nodes into the index nodes that contain them, and returns the first `count` entries. */
function joinObjects(
  nodes: readonly NodeWithScore[],
  masked: readonly NodeWithScore[],
  count: number,
): NodeWithScore[] {
  if (!nodes.some(({ node }) => objectOf(node))) return masked.slice(0, count)
  const places = new Map(nodes.map(({ node }, index) => [node, index]))
  const joined = [...masked]
  // Nodes inside of others come behind them.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const object = objectOf(nodes[index]!.node)
    if (object) joined[index] = withNode(joined[index]!, { obj: joined[places.get(object)!]!.node })
  }
  return joined.slice(0, count)
}

/** Returns masked copies of the nodes of an ingestion. */
export async function maskBeforeStoring(
  mask: NodePostprocessor & MappingOptions,
  nodes: readonly TextNode[],
  { signal }: { signal?: AbortSignal | undefined },
): Promise<TextNode[]> {
  const name = (mask.constructor as typeof NodePostprocessor).className()
  if (!mask.mappingSink)
    throw new ConfigurationError(
      `${name}.transform: expected the option mappingSink, received none; without it the stored nodes would contain the originals.`,
    )
  const masked = await mask.postprocessNodes(
    nodes.map((node) => new NodeWithScore({ node })),
    { signal },
  )
  const all = withObjects(masked)
  const byId = new Map(all.map(({ node }) => [node.id, node]))
  return joinObjects(
    all,
    all.map((entry) => withNode(entry, { relationships: linksTo(byId, entry.node) })),
    nodes.length,
  ).map(({ node }) => node)
}

/** Returns the relationships of a node with the masked metadata of the nodes that they name. */
function linksTo(byId: ReadonlyMap<string, TextNode>, { relationships }: TextNode): TextNode['relationships'] {
  const link = (info: RelatedNodeInfo) => {
    const metadata = byId.get(info.nodeId)?.metadata
    const isCopied = metadata !== undefined && Object.keys(info.metadata).length > 0
    return isCopied ? info.copy({ update: { metadata: { ...metadata } } }) : info
  }
  return Object.fromEntries(
    Object.entries(relationships).map(([code, info]) => [
      code,
      Array.isArray(info) ? info.map(link) : info && link(info),
    ]),
  )
}

/**
 * Returns masked copies of the first `count` entries, with those of the others in them, and stores their mappings. The mapping is passed to `mappingSink`, or stored in the metadata:
 * hidden from language and embedding models, but part of mode `all` and of stored nodes.
 * @throws {PiiMaskingError} if a model would still receive an original, or the mapping does not restore the node.
 */
export async function maskedNodes(
  className: string,
  nodes: readonly NodeWithScore[],
  masked: readonly MaskedTexts[],
  { piiNodeInfoKey, mappingSink, distinctTags: distinct }: MappingOptions,
  { reasons }: PostprocessRun,
  count: number,
): Promise<NodeWithScore[]> {
  const results: NodeWithScore[] = []
  const sizes: number[] = []
  for (const [index, final] of (distinct ? distinctTags(masked) : masked).entries()) {
    const entry = nodes[index]!
    const { texts, mapping } = final
    sizes.push(Object.keys(mapping).length)
    assertReversible(className, nodeStrings(entry.node), final, entry.nodeId)
    let next = 0
    let result = withNode(
      entry,
      mapNodeStrings(entry.node, () => texts[next++]!),
    )
    assertNothingLeft(className, result, final)
    if (mappingSink) await mappingSink(entry.nodeId, mapping)
    else result = withNode(result, hiddenMetadata(result, piiNodeInfoKey, mapping))
    results.push(result)
  }
  const joined = joinObjects(nodes, results, count)
  for (const [index, result] of joined.entries()) {
    const items = sizes[index]!
    reasons?.set(result, items === 0 ? 'nothing to mask' : `${items} item${items === 1 ? '' : 's'} masked`)
  }
  return joined
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
