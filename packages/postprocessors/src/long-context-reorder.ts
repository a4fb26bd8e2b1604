/**
 * @module
 * Moves the most relevant nodes to the beginning and the end of the list, where models use them best.
 */
import type { NodeWithScore } from '@x/core-model'
import { LongContextReorderModel } from './generated/long-context-reorder.ts'
import type { PostprocessRun } from './node-postprocessor.ts'
import { byRelevance } from './relevance.ts'

/**
 * Reorders nodes so that the most relevant are at both ends and the least relevant is in the middle.
 * The best node is first if the number of nodes is odd, and last if it is even. Of equal scores the earlier node ranks higher.
 * A node without a score ranks below all others.
 * @see https://arxiv.org/abs/2307.03172
 * @example
 * const nodes = [0.9, 0.8, 0.7].map((score) => new NodeWithScore({ node: new TextNode(), score }))
 * ;(await new LongContextReorder().postprocessNodes(nodes)).map(({ score }) => score) // => [0.9, 0.7, 0.8]
 */
export class LongContextReorder extends LongContextReorderModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const best = byRelevance(nodes)
    if (reasons)
      for (const [index, entry] of best.entries()) reasons.set(entry, `relevance rank ${index + 1} of ${best.length}`)
    return spreadToEnds(best)
  }
}

/** Reorders items that are sorted best first: the worst moves to the middle, the others alternate outwards. */
export function spreadToEnds<T>(best: readonly T[]): T[] {
  const result = new Array<T>(best.length)
  // From worst to best: the worst is in the middle, the next goes to its right, the next to its left, and so on.
  const worst = best.length - 1
  let left = worst >> 1
  let right = left + 1
  for (let i = 0; i <= worst; i++) {
    const item = best[worst - i]!
    if (i % 2 === 0) result[left--] = item
    else result[right++] = item
  }
  return result
}
