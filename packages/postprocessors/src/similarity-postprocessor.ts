/**
 * @module
 * Keeps the nodes whose score is at least a cutoff.
 */
import type { NodeWithScore } from '@x/core-model'
import { SimilarityPostprocessorModel } from './generated/similarity-postprocessor.ts'
import type { PostprocessRun } from './node-postprocessor.ts'
import { shortNumber } from './relevance.ts'

/**
 * Keeps the nodes whose score is at least `similarityCutoff`, in input order.
 * With a cutoff, a node without a score is dropped unless `keepUnscored` is set, and a node with the score NaN is always dropped.
 * @throws {ModelValidationError} if a field has the wrong type.
 * @example
 * const atLeast = new SimilarityPostprocessor({ similarityCutoff: 0.7 })
 * const nodes = [0.9, 0.7, 0.2].map((score) => new NodeWithScore({ node: new TextNode(), score }))
 * ;(await atLeast.postprocessNodes(nodes)).map(({ score }) => score) // => [0.9, 0.7]
 */
export class SimilarityPostprocessor extends SimilarityPostprocessorModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { similarityCutoff, keepUnscored } = this
    const kept = keepFrom(nodes, similarityCutoff, keepUnscored)
    if (reasons && similarityCutoff !== null) {
      const passed = new Set(kept)
      for (const entry of nodes) {
        const verdict = passed.has(entry) ? 'reaches' : 'is below'
        reasons.set(
          entry,
          entry.score === null
            ? 'no score'
            : `score ${shortNumber(entry.score, similarityCutoff)} ${verdict} the cutoff ${similarityCutoff}`,
        )
      }
    }
    return kept
  }
}

/** Returns the nodes with `score >= cutoff`, in input order. */
export function keepFrom(
  nodes: readonly NodeWithScore[],
  cutoff: number | null,
  keepUnscored?: boolean,
): NodeWithScore[] {
  if (cutoff === null) return [...nodes]
  // A plain loop is twice as fast as `filter`.
  const kept: NodeWithScore[] = []
  for (const entry of nodes) {
    const { score } = entry
    if (score === null ? keepUnscored : score >= cutoff) kept.push(entry)
  }
  return kept
}
