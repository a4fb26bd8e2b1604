/**
 * @module
 * Follows the previous and next relationships of nodes through a document store.
 */
import { callOptions, checkOption, checkOptions, choice, listOf, required } from '@x/core/options'
import { type DocumentStore, isToolkitError, NodeNotFoundError, type NodeWithScore, type TextNode } from '@x/core-model'
import { untilAborted } from '@x/core-model/async'
import { isMoreRelevant } from '../relevance.ts'
import { type Links, orderRuns } from './order-runs.ts'

/** The options of {@link getForwardNodes} and {@link getBackwardNodes}. */
interface WalkOptions {
  /** How to handle a neighbour that is not in the store. @defaultValue 'throw' */
  onMissing?: 'throw' | 'stop'
  /** Cancels the walk. */
  signal?: AbortSignal | undefined
}

/**
 * Returns `entry` and up to `numNodes` nodes that follow it in the document, by id, in that order. Fetched nodes have no score.
 * Stops at a node without a next node, and at a node that was already visited.
 * @throws {NodeNotFoundError} for a next node that is not in the store, unless `onMissing` is `stop`.
 */
export function getForwardNodes(
  entry: NodeWithScore,
  numNodes: number,
  docstore: DocumentStore,
  options?: WalkOptions,
): Promise<Map<string, NodeWithScore>> {
  return walk('getForwardNodes', entry, numNodes, docstore, (node) => node.nextNode, options)
}

/** Like `getForwardNodes`, towards the beginning of the document. */
export function getBackwardNodes(
  entry: NodeWithScore,
  numNodes: number,
  docstore: DocumentStore,
  options?: WalkOptions,
): Promise<Map<string, NodeWithScore>> {
  return walk('getBackwardNodes', entry, numNodes, docstore, (node) => node.prevNode, options)
}

async function walk(
  where: string,
  entry: NodeWithScore,
  numNodes: number,
  docstore: DocumentStore,
  neighbour: (node: TextNode) => { nodeId: string } | null,
  options: WalkOptions = {},
): Promise<Map<string, NodeWithScore>> {
  checkOption(where, 'entry', entry, required('a node with a score', 'node'))
  checkOption(where, 'docstore', docstore, required('a document store', 'getNode'))
  checkOptions(where, options, { onMissing: choice('throw', 'stop'), signal: callOptions.signal })
  const { onMissing = 'throw', signal } = options
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
    // A copy of the input entry, so that it has the same class.
    found.set(id, entry.copy({ update: { node, score: null } }))
  }
  return found
}

/** Returns the node; null or undefined if the store returns nothing or throws `node_not_found`. */
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

/** Returns the nodes that the store contains, with one call if the store implements `getNodes`. */
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
      const known = Array.isArray(found) ? found.filter((node) => node !== null && node !== undefined) : found
      checkOption('DocumentStore', 'docstore.getNodes()', known, listOf('a node', 'getContent'))
      return known as TextNode[]
    } catch (error) {
      // The store ignores `raiseError: false` and does not report which nodes exist: look them up one by one.
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

/** The directions in which an entry is expanded. */
export type WalkMode = 'next' | 'previous' | 'both' | 'none'

/**
 * Returns the entries and their neighbours, each node once. Linked nodes are next to each other in document order; groups are
 * ordered by their first input node. An input entry takes precedence over a fetched one, a higher score over a lower one.
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
  const inputIds = new Set<string>()
  for (const [index, entry] of nodes.entries()) {
    const mode = modes[index]!
    const id = entry.nodeId
    const before = collected.get(id)
    if (!before || !inputIds.has(id) || isMoreRelevant(entry.score, before.score)) collected.set(id, entry)
    inputIds.add(id)
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

/** Fetches all nodes that the walks will visit. All walks advance together, so that each step is one call to `getNodes`. */
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
    // A walk that reaches a node of another walk ends there: the other walk is ahead and fetches the rest.
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
