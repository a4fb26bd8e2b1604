/**
 * @module
 * Ranks nodes with several postprocessors and fuses the rankings.
 */

import { invalidOption } from '@x/core/options'
import type { NodeWithScore } from '@x/core-model'
import { mapConcurrently } from '@x/core-model/async'
import { RankFusionModel, type RankFusionOptions } from '../generated/rank-fusion.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { runStep, stepClasses } from '../steps-postprocessor.ts'
import { fuseNodes } from './fuse-nodes.ts'

/**
 * Ranks the same nodes with several postprocessors, fuses the rankings (by default by reciprocal rank) and returns the first
 * `topN` nodes. Requires a query if one of the rankers does. A ranker that drops a node adds nothing to its score.
 * To fuse the results of several retrievers, call `fuseNodes`.
 * @throws {ModelValidationError} if there is no ranker, one has no `postprocessNodes` method, or a number is out of range.
 * @example
 * const node = (id: string, date: string, score: number) => new NodeWithScore({ node: new TextNode({ id, metadata: { date } }), score })
 * const both = new RankFusion({ rankers: [new SimilarityPostprocessor(), new FixedRecencyPostprocessor({ topK: 9 })], topN: 2 })
 * const nodes = [node('a', '2020', 0.9), node('b', '2024', 0.8), node('c', '2022', 0.1)]
 * ;(await both.postprocessNodes(nodes)).map(({ id }) => id) // => ['b', 'a']
 */
export class RankFusion extends RankFusionModel {
  constructor(options: RankFusionOptions) {
    super(options)
    if (this.rankers.length === 0) throw invalidOption('RankFusion', 'rankers', 'at least one postprocessor', [])
  }

  static override nested() {
    return { rankers: stepClasses() }
  }

  protected override async process(
    nodes: readonly NodeWithScore[],
    { query, reasons, ledger: _, ...run }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { rankers, weights, mode, k, topN } = this
    const lists = await mapConcurrently(rankers, this.maxConcurrency, (ranker) =>
      runStep(ranker, nodes, { query, ...run }),
    )
    const fused = fuseNodes(lists, { mode, weights, k })
    if (reasons) {
      const ranks = lists.map((list) => new Map(list.map((entry, index) => [entry.nodeId, index + 1])))
      for (const entry of [...nodes, ...fused])
        reasons.set(entry, `ranks ${ranks.map((rank) => rank.get(entry.nodeId) ?? '–').join(', ')}`)
    }
    return fused.slice(0, topN)
  }
}
