/**
 * @module
 * Make one ranking of several.
 */
import type { NodeWithScore } from '@x/core-model'
import { byRelevance, isMoreRelevant, scoreScale } from '../relevance.ts'
import { withScore } from '../rewrite.ts'

/** How rankings are put together. */
export interface FuseOptions {
  /**
   * `reciprocal_rank`: the sum of `weight / (k + rank)`, which needs no comparable scores. `relative_score`: the sum of
   * the scores, each list scaled to 0 to 1. `best_score`: the highest score, for lists on one scale. Default `reciprocal_rank`.
   */
  mode?: 'reciprocal_rank' | 'relative_score' | 'best_score'
  /** The weight of each list; default 1. `best_score` does not use it. */
  weights?: readonly number[]
  /** Evens out the first ranks; default 60. */
  k?: number
}

/**
 * The nodes of several lists, each once, best first; the first entry of a node stands for it, with the fused score.
 * In a list that holds a node twice its first place counts. Equal scores: in the order of the first mention.
 * @see https://doi.org/10.1145/1571941.1572114 (reciprocal rank fusion)
 * @example
 * const [a, b, c] = ['a', 'b', 'c'].map((id) => new NodeWithScore({ node: new TextNode({ id }) }))
 * fuseNodes([[a, b], [b, c]]).map(({ id }) => id) // => ['b', 'a', 'c']
 */
export function fuseNodes(
  lists: readonly (readonly NodeWithScore[])[],
  { mode = 'reciprocal_rank', weights = [], k = 60 }: FuseOptions = {},
): NodeWithScore[] {
  const fused = new Map<string, { entry: NodeWithScore; score: number | null }>()
  for (const [index, list] of lists.entries()) {
    const weight = weights[index] ?? 1
    const scale = mode === 'relative_score' ? scoreScale(list) : null
    const seen = new Set<string>()
    for (const entry of list) {
      const id = entry.nodeId
      const known = fused.get(id)
      if (seen.has(id)) continue
      seen.add(id)
      if (mode === 'best_score') {
        if (!known) fused.set(id, { entry, score: entry.score })
        else if (isMoreRelevant(entry.score, known.score)) known.score = entry.score
        continue
      }
      const share = scale ? scale(entry.score) : 1 / (k + seen.size)
      fused.set(id, { entry: known?.entry ?? entry, score: (known?.score ?? 0) + weight * share })
    }
  }
  return byRelevance([...fused.values()].map(({ entry, score }) => withScore(entry, score)))
}
