/**
 * @module
 * Follow the relations of nodes through a document store.
 */
import { type DocumentStore, isToolkitError, NodeNotFoundError, type NodeWithScore, type TextNode } from '@x/core-model'
import { untilAborted } from '@x/core-model/internal'
import { isMoreRelevant } from '../relevance.ts'
import { type Links, orderRuns } from './order-runs.ts'

/** What to do at a neighbour that is not in the store, and how to stop. */
export interface WalkOptions {
  onMissing?: 'throw' | 'stop'
  signal?: AbortSignal | undefined
}

/**
 * `entry` and the nodes after it, by id in walking order, at most `numNodes` of them. Fetched nodes have no score.
 * Ends at a node without a next one, or at one that was met before.
 * @throws {NodeNotFoundError} for a next node that is not in the store.
 */
export function getForwardNodes(
  entry: NodeWithScore,
  numNodes: number,
  docstore: DocumentStore,
  options?: WalkOptions,
): Promise<Map<string, NodeWithScore>> {
  return walk(entry, numNodes, docstore, (node) => node.nextNode, options)
}

/** As `getForwardNodes`, towards the beginning of the document. */
export function getBackwardNodes(
  entry: NodeWithScore,
  numNodes: number,
  docstore: DocumentStore,
  options?: WalkOptions,
): Promise<Map<string, NodeWithScore>> {
  return walk(entry, numNodes, docstore, (node) => node.prevNode, options)
}

async function walk(
  entry: NodeWithScore,
  numNodes: number,
  docstore: DocumentStore,
  neighbour: (node: TextNode) => { nodeId: string } | null,
  { onMissing = 'throw', signal }: WalkOptions = {},
): Promise<Map<string, NodeWithScore>> {
  const found = new Map([[entry.nodeId, entry]])
  let { node } = entry
  for (let step = 0; step < numNodes; step++) {
    const id = neighbour(node)?.nodeId
    if (id === undefined || found.has(id)) break
    const next = await lookUp(docstore, id, signal)
    if (!next) {
      if (onMissing === 'stop') break
      throw new NodeNotFoundError(id)
    }
    node = next
    // A copy of the given entry, so that it is of the class the caller has.
    found.set(id, entry.copy({ update: { node, score: null } }))
  }
  return found
}

/** The node, or nothing when the store says in either way that it has none. */
async function lookUp(
  docstore: DocumentStore,
  id: string,
  signal: AbortSignal | undefined,
): Promise<TextNode | null | undefined> {
  try {
    return await untilAborted(signal, () => docstore.getNode(id, { raiseError: false }))
  } catch (error) {
    if (isToolkitError(error, 'node_not_found')) return null
    throw error
  }
}

/** The nodes with these ids that the store has: with one call, when it can give several at once. */
async function lookUpAll(
  docstore: DocumentStore,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<TextNode[]> {
  if (docstore.getNodes && ids.length > 0) {
    try {
      const found: readonly (TextNode | null | undefined)[] = await untilAborted(signal, () =>
        docstore.getNodes!(ids, { raiseError: false }),
      )
      return found.filter((node) => node !== null && node !== undefined)
    } catch (error) {
      // A store without a quiet mode does not say which ones it has.
      if (!isToolkitError(error, 'node_not_found')) throw error
    }
  }
  const nodes: TextNode[] = []
  for (const id of ids) {
    const node = await lookUp(docstore, id, signal)
    if (node) nodes.push(node)
  }
  return nodes
}

/** In which directions an entry is expanded. */
export type WalkMode = 'next' | 'previous' | 'both' | 'none'

/**
 * The entries with their neighbours: each document stretch in document order, stretches in order of relevance, each node once.
 * A given entry wins over a fetched one, the higher score over the lower.
 */
export async function expand(
  nodes: readonly NodeWithScore[],
  modes: readonly WalkMode[],
  numNodes: number,
  docstore: DocumentStore,
  options: WalkOptions,
): Promise<NodeWithScore[]> {
  const fetched = await fetchAhead(nodes, modes, numNodes, docstore, options.signal)
  const collected = new Map<string, NodeWithScore>()
  const given = new Set<string>()
  for (const [index, entry] of nodes.entries()) {
    const mode = modes[index]!
    const id = entry.nodeId
    const before = collected.get(id)
    if (!before || !given.has(id) || isMoreRelevant(entry.score, before.score)) collected.set(id, entry)
    given.add(id)
    const walks = [
      ...(mode === 'next' || mode === 'both' ? [getForwardNodes] : []),
      ...(mode === 'previous' || mode === 'both' ? [getBackwardNodes] : []),
    ]
    for (const follow of walks) {
      for (const [neighbourId, neighbour] of await follow(entry, numNodes, fetched, options)) {
        if (!collected.has(neighbourId)) collected.set(neighbourId, neighbour)
      }
    }
  }
  const links = new Map<string, Links>()
  for (const [id, { node }] of collected)
    links.set(id, { next: node.nextNode?.nodeId ?? null, previous: node.prevNode?.nodeId ?? null })
  return orderRuns(links).map((id) => collected.get(id)!)
}

/** A store of all nodes that the walks will come to. All walks go on together, so each step is one call of a store that can do that. */
async function fetchAhead(
  nodes: readonly NodeWithScore[],
  modes: readonly WalkMode[],
  numNodes: number,
  docstore: DocumentStore,
  signal: AbortSignal | undefined,
): Promise<DocumentStore> {
  const known = new Map<string, TextNode>()
  for (const direction of ['next', 'previous'] as const) {
    const neighbour = (node: TextNode) => (direction === 'next' ? node.nextNode : node.prevNode)?.nodeId
    let front = nodes.flatMap(({ node }, index) =>
      modes[index] === direction || modes[index] === 'both' ? [node] : [],
    )
    // Where a walk comes to a node that another one has passed, that one is ahead and goes on for it.
    const passed = new Set<string>()
    for (let step = 0; step < numNodes && front.length > 0; step++) {
      const reached = new Set<string>()
      for (const node of front) {
        const id = neighbour(node)
        if (id !== undefined && !passed.has(id)) reached.add(id)
      }
      const missing = [...reached].filter((id) => !known.has(id))
      for (const node of await lookUpAll(docstore, missing, signal)) known.set(node.id, node)
      front = [...reached].flatMap((id) => known.get(id) ?? [])
      for (const id of reached) passed.add(id)
    }
  }
  return { getNode: async (id) => known.get(id) }
}
