/**
 * @module
 * Keeps the newest nodes.
 */
import type { NodeWithScore } from '@x/core-model'
import { FixedRecencyPostprocessorModel } from '../generated/fixed-recency-postprocessor.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { newestFirst } from './order-by-date.ts'

/**
 * Orders nodes by the date in their metadata, newest first, and returns the first `topK`.
 * @see {@link readDate} for the accepted dates.
 * @throws {ModelValidationError} for a `topK` below 0.
 * @example
 * const newest = new FixedRecencyPostprocessor({ topK: 1 })
 * const nodes = ['2020-01-01', 'Jan 5, 2021'].map((date) => new NodeWithScore({ node: new TextNode({ metadata: { date } }) }))
 * ;(await newest.postprocessNodes(nodes))[0].metadata.date // => 'Jan 5, 2021'
 */
export class FixedRecencyPostprocessor extends FixedRecencyPostprocessorModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const ordered = newestFirst(nodes, this, FixedRecencyPostprocessor.className())
    if (reasons) {
      for (const entry of nodes) reasons.set(entry, `no date that can be read in metadata "${this.dateKey}"`)
      for (const [index, entry] of ordered.entries()) reasons.set(entry, `recency rank ${index + 1}, ${this.topK} kept`)
    }
    return ordered.slice(0, this.topK)
  }
}
