/**
 * @module
 * Creates the masked copy of a node and stores its mapping.
 */
import { isPlainObject, merge } from '@x/core/values'
import { ConfigurationError, isModel, type NodeWithScore, type RelatedNodeInfo, type TextNode } from '@x/core-model'
import { turns } from '@x/core-model/async'
import { PiiMaskingError } from '../errors.ts'
import type { NodePostprocessor, PostprocessRun } from '../node-postprocessor.ts'
import { changedNode, hiddenMetadata } from '../rewrite.ts'
import { distinctTags } from './distinct-tags.ts'
import { containsOriginal, type MaskedTexts } from './mask-places.ts'
import { mapNodeStrings, nodeStrings } from './node-strings.ts'
import { originalsByTag, type PiiMapping, replacer } from './pii-mapping.ts'

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
  return isModel(obj) && 'getContent' in obj ? (obj as unknown as TextNode) : undefined
}

/** Returns the nodes, and behind them the nodes that index nodes contain, each once. */
export function withObjects(nodes: readonly TextNode[]): TextNode[] {
  const all = new Set(nodes)
  for (const node of all) {
    const object = objectOf(node)
    if (object) all.add(object)
  }
  return [...all]
}

/** Puts the masked nodes into the index nodes that contain them. */
function joinObjects(nodes: readonly TextNode[], masked: readonly TextNode[]): TextNode[] {
  const joined = [...masked]
  const places = new Map(nodes.map((node, index) => [node, index]))
  // Nodes inside of others come behind them.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const object = objectOf(nodes[index]!)
    if (object) joined[index] = changedNode(joined[index]!, { obj: joined[places.get(object)!] })
  }
  return joined
}

/** Returns masked copies of the nodes of an ingestion. */
export async function maskBeforeStoring(
  mask: NodePostprocessor & MappingOptions,
  nodes: readonly TextNode[],
  { signal }: { signal?: AbortSignal | undefined },
  maskNodes: (run: PostprocessRun) => Promise<MaskedNodes>,
): Promise<TextNode[]> {
  const name = (mask.constructor as typeof NodePostprocessor).className()
  if (!mask.mappingSink)
    throw new ConfigurationError(
      `${name}.transform: expected the option mappingSink, received none; without it the stored nodes would contain the originals.`,
    )
  signal?.throwIfAborted()
  const masked = await maskNodes({ query: null, signal })
  signal?.throwIfAborted()
  const ofNodes = nodes.map((node) => masked.get(node)!.node)
  const all = withObjects(ofNodes)
  const byId = new Map(all.map((node) => [node.id, node]))
  const linked = all.map((node) => changedNode(node, { relationships: linksTo(byId, node) }))
  const joined = joinObjects(all, linked)
  const places = new Map(all.map((node, index) => [node, index]))
  return ofNodes.map((node) => joined[places.get(node)!]!)
}

/** Returns the relationships of a node with the masked metadata of the nodes that they name. */
function linksTo(byId: ReadonlyMap<string, TextNode>, { relationships }: TextNode): TextNode['relationships'] {
  const link = (info: RelatedNodeInfo) => {
    const metadata = byId.get(info.nodeId)?.metadata
    const isCopied = metadata !== undefined && Object.keys(info.metadata).length > 0
    return isCopied ? info.copy({ update: { metadata: merge(metadata) } }) : info
  }
  return Object.fromEntries(
    Object.entries(relationships).map(([code, info]) => [
      code,
      Array.isArray(info) ? info.map(link) : info && link(info),
    ]),
  )
}

/** The masked copies of nodes, and how many items are masked in each. */
export type MaskedNodes = ReadonlyMap<TextNode, { node: TextNode; items: number }>

/**
 * Returns masked copies of the nodes and stores their mappings. The mapping is passed to `mappingSink`, or stored in the metadata:
 * hidden from language and embedding models, but part of mode `all` and of stored nodes.
 * @throws {PiiMaskingError} if a model would still receive an original, or the mapping does not restore the node.
 */
export async function maskedNodes(
  className: string,
  nodes: readonly TextNode[],
  masked: readonly MaskedTexts[],
  { piiNodeInfoKey, mappingSink, distinctTags: distinct }: MappingOptions,
  signal: AbortSignal | undefined,
): Promise<MaskedNodes> {
  const turn = turns(signal)
  const results: TextNode[] = []
  const items: number[] = []
  const earlier = nodes.map(({ metadata }): PiiMapping => {
    const mapping = mappingSink ? undefined : metadata[piiNodeInfoKey]
    return isPlainObject(mapping) ? mapping : {}
  })
  const joined = masked.map((one, index) => withEarlier(one, earlier[index]!))
  for (const [index, final] of (distinct ? distinctTags(joined) : joined).entries()) {
    await turn()
    const node = nodes[index]!
    const { texts, mapping } = final
    const restore = replacer(originalsByTag(earlier[index]!))
    assertReversible(
      className,
      nodeStrings(node).map((text) => restore(text)),
      final,
      node.id,
    )
    let next = 0
    const result = changedNode(
      node,
      mapNodeStrings(node, () => texts[next++]!),
    )
    assertNothingLeft(className, result, final)
    if (mappingSink) await mappingSink(node.id, mapping)
    results.push(mappingSink ? result : changedNode(result, hiddenMetadata({ node: result }, piiNodeInfoKey, mapping)))
    items.push(Object.keys(masked[index]!.mapping).length)
  }
  const whole = joinObjects(nodes, results)
  return new Map(nodes.map((node, index) => [node, { node: whole[index]!, items: items[index]! }]))
}

/** Returns masked strings with a mapping that also restores the tags of an earlier mask, in the strings and in the originals. */
function withEarlier(masked: MaskedTexts, earlier: PiiMapping): MaskedTexts {
  if (Object.keys(earlier).length === 0) return masked
  const restore = replacer(originalsByTag(earlier))
  const own = Object.entries(masked.mapping).map(([tag, value]) => [
    tag,
    typeof value === 'string' ? restore(value) : value,
  ])
  const mapping = { ...earlier, ...Object.fromEntries(own) }
  // A tag of the earlier mask that is no longer in the text may have been used again.
  const [first, both] = distinctTags([
    { ...masked, texts: [], mapping: { ...earlier } },
    { ...masked, mapping },
  ])
  return { ...both!, mapping: { ...first!.mapping, ...both!.mapping } }
}

/** Returns the entries with masked nodes. */
export function withMasked(
  entries: readonly NodeWithScore[],
  masked: MaskedNodes,
  { reasons }: PostprocessRun,
): NodeWithScore[] {
  return entries.map((entry) => {
    const { node, items } = masked.get(entry.node)!
    const result = entry.copy({ update: { node } as Partial<NodeWithScore> })
    reasons?.set(result, items === 0 ? 'nothing to mask, mapping {}' : `${items} item${items === 1 ? '' : 's'} masked`)
    return result
  })
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

function assertNothingLeft(className: string, node: TextNode, masked: MaskedTexts): void {
  const isLeft = containsOriginal(masked)
  for (const mode of ['llm', 'embed'] as const)
    if (isLeft(node.getContent(mode))) throw new PiiMaskingError(className, node.id, 'original_left', mode)
}
