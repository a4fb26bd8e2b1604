/**
 * @module
 * Follow the relations of nodes through a document store.
 */
import { type DocumentStore, isToolkitError, NodeWithScore, type TextNode } from '@x/core-model'
import { NodeNotFoundError } from '../errors.ts'
import { type Links, orderRuns } from './order-runs.ts'

/** What to do at a neighbour that is not in the store, and how to stop. */
export interface WalkOptions {
  onMissing?: 'throw' | 'stop'
  signal?: AbortSignal | undefined
  /** Named in errors. */
  className?: string
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
  { onMissing = 'throw', signal, className = 'getNodes' }: WalkOptions = {},
): Promise<Map<string, NodeWithScore>> {
  const found = new Map([[entry.nodeId, entry]])
  let { node } = entry
  for (let step = 0; step < numNodes; step++) {
    const id = neighbour(node)?.nodeId
    if (id === undefined || found.has(id)) break
    signal?.throwIfAborted()
    const next = await lookUp(docstore, id)
    if (!next) {
      if (onMissing === 'stop') break
      throw new NodeNotFoundError(className, id)
    }
    node = next
    found.set(id, new NodeWithScore({ node }))
  }
  return found
}

/** The node, or nothing when the store says in either way that it has none. */
async function lookUp(docstore: DocumentStore, id: string): Promise<TextNode | null | undefined> {
  try {
    return await docstore.getNode(id, { raiseError: false })
  } catch (error) {
    if (isToolkitError(error, 'node_not_found')) return null
    throw error
  }
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
  const collected = new Map<string, NodeWithScore>()
  const given = new Set<string>()
  for (const [index, entry] of nodes.entries()) {
    const mode = modes[index]!
    const id = entry.nodeId
    const before = collected.get(id)
    if (!before || !given.has(id) || isHigher(entry.score, before.score)) collected.set(id, entry)
    given.add(id)
    const walks = [
      ...(mode === 'next' || mode === 'both' ? [getForwardNodes] : []),
      ...(mode === 'previous' || mode === 'both' ? [getBackwardNodes] : []),
    ]
    for (const follow of walks) {
      for (const [fetchedId, fetched] of await follow(entry, numNodes, docstore, options)) {
        if (!collected.has(fetchedId)) collected.set(fetchedId, fetched)
      }
    }
  }
  const links = new Map<string, Links>()
  for (const [id, { node }] of collected)
    links.set(id, { next: node.nextNode?.nodeId ?? null, previous: node.prevNode?.nodeId ?? null })
  return orderRuns(links).map((id) => collected.get(id)!)
}

function isHigher(score: number | null, than: number | null): boolean {
  return score !== null && (than === null || score > than)
}
