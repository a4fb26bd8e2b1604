/**
 * @module
 * Put the most relevant nodes where models read best: at the beginning and the end.
 */
import type { NodeWithScore } from '@x/core-model'
import {
  type LongContextReorderFields,
  type LongContextReorderOptions,
  longContextReorderSpec,
} from './generated/models.ts'
import { NodePostprocessor, type PostprocessRun } from './node-postprocessor.ts'
import { byRelevance } from './relevance.ts'

export interface LongContextReorder extends LongContextReorderFields {}

/**
 * Orders nodes so that the most relevant ones stand at both ends and the least relevant one in the middle; needs no query.
 * With an odd number the best node comes first, with an even number last. Of equal scores the earlier node is the better one;
 * a node without a score is below all others.
 * @see https://arxiv.org/abs/2307.03172
 * @example
 * const nodes = [0.9, 0.8, 0.7].map((score) => new NodeWithScore({ node: new TextNode(), score }))
 * ;(await new LongContextReorder().postprocessNodes(nodes)).map(({ score }) => score) // => [0.9, 0.7, 0.8]
 */
export class LongContextReorder extends NodePostprocessor {
  constructor(options?: LongContextReorderOptions) {
    super(options)
  }

  static override spec() {
    return longContextReorderSpec
  }

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

/** The items of `best`, given best first, so that the worst is in the middle and the others are outside by turns. */
export function spreadToEnds<T>(best: readonly T[]): T[] {
  const result = new Array<T>(best.length)
  // Seen from the worst: it is put down, the next goes behind all, the next before all, and so on.
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
