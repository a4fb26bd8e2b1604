/**
 * @module
 * Adds the nodes before or after each node in its document.
 */
import type { NodeWithScore } from '@x/core-model'
import { PrevNextNodePostprocessorModel } from '../generated/prev-next-node-postprocessor.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { expand } from './walk.ts'

/**
 * Adds up to `numNodes` neighbours of each node from the document store, in the direction `mode`.
 * Linked nodes are returned next to each other in document order; groups of linked nodes are ordered by their first input node.
 * Each node is returned once. Fetched nodes have no score, so filter by score before this step, not after it.
 * @throws {ModelValidationError} if the store is missing, the mode is unknown, or `numNodes` is below 0.
 * @example
 * const [a, b] = ['a', 'b'].map((id) => new TextNode({ id, relationships: id === 'a' ? { 3: { nodeId: 'b' } } : {} }))
 * const around = new PrevNextNodePostprocessor({ docstore: new MapDocumentStore([a, b]) })
 * ;(await around.postprocessNodes([new NodeWithScore({ node: a, score: 0.9 })])).map(({ id, score }) => [id, score]) // => [['a', 0.9], ['b', null]]
 */
export class PrevNextNodePostprocessor extends PrevNextNodePostprocessorModel {
  /** @throws {NodeNotFoundError} for a neighbour that is not in the store, unless `onMissing` is `stop`. */
  protected override async process(
    nodes: readonly NodeWithScore[],
    { signal, reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { mode, numNodes, docstore, onMissing } = this
    const modes = nodes.map(() => mode)
    const result = await expand(nodes, modes, numNodes, docstore, { onMissing, signal })
    if (reasons) explainExpansion(nodes, result, reasons)
    return result
  }
}

/** Sets the reasons for input entries, fetched entries, and entries replaced by another entry of the same node. */
export function explainExpansion(
  nodes: readonly NodeWithScore[],
  result: readonly NodeWithScore[],
  reasons: Map<NodeWithScore, string>,
): void {
  for (const entry of nodes) reasons.set(entry, 'replaced by an entry of the same node with a higher score')
  const inputs = new Set(nodes)
  for (const entry of result)
    reasons.set(entry, inputs.has(entry) ? 'retrieved; in document order' : 'neighbour of a retrieved node')
}
