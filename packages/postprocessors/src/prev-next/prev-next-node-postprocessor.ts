/**
 * @module
 * Add the nodes that stand before or after each node.
 */
import type { NodeWithScore } from '@x/core-model'
import {
  type PrevNextNodePostprocessorFields,
  type PrevNextNodePostprocessorOptions,
  prevNextNodePostprocessorSpec,
} from '../generated/models.ts'
import { NodePostprocessor, type PostprocessRun } from '../node-postprocessor.ts'
import { expand } from './walk.ts'

export interface PrevNextNodePostprocessor extends PrevNextNodePostprocessorFields {}

/**
 * Adds up to `numNodes` neighbours of each node from the document store, in the direction `mode`; needs no query.
 * Nodes of one stretch of a document come out together in document order, stretches in order of relevance, each node once.
 * Fetched nodes have no score: filter by score before, not after.
 * @example
 * const [a, b] = ['a', 'b'].map((id) => new TextNode({ id, relationships: id === 'a' ? { 3: { nodeId: 'b' } } : {} }))
 * const around = new PrevNextNodePostprocessor({ docstore: new MapDocumentStore([a, b]) })
 * ;(await around.postprocessNodes([new NodeWithScore({ node: a, score: 0.9 })])).map(({ id, score }) => [id, score]) // => [['a', 0.9], ['b', null]]
 */
export class PrevNextNodePostprocessor extends NodePostprocessor {
  /** @throws {ModelValidationError} when the store is missing, or for another mode or a count below 0. */
  constructor(options: PrevNextNodePostprocessorOptions) {
    super(options)
  }

  static override spec() {
    return prevNextNodePostprocessorSpec
  }

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

/** Says which entries were given, which were fetched, and which gave way to another entry of the same node. */
export function explainExpansion(
  nodes: readonly NodeWithScore[],
  result: readonly NodeWithScore[],
  reasons: Map<NodeWithScore, string>,
): void {
  for (const entry of nodes) reasons.set(entry, 'the same node is there with a higher score')
  const given = new Set(nodes)
  for (const entry of result)
    reasons.set(entry, given.has(entry) ? 'was found; in document order' : 'neighbour of a found node')
}
