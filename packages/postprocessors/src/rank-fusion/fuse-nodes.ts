/**
 * @module
 * Fuses several rankings into one.
 */
import {
  checkOption,
  checkOptions,
  choice,
  list,
  listOf,
  numberFrom,
  type OptionTable,
  required,
} from '@x/core/options'
import type { NodeWithScore } from '@x/core-model'
import { byRelevance, isMoreRelevant, scoreScale } from '../relevance.ts'
import { withScore } from '../rewrite.ts'

/** The options of {@link fuseNodes}. */
interface FuseOptions {
  /**
   * How scores are computed. `reciprocal_rank`: the sum of `weight / (k + rank)`; scores need not be comparable.
   * `relative_score`: the weighted sum of the scores, each list scaled to the range from 0 to 1.
   * `best_score`: the highest score; all lists must use one scale. @defaultValue 'reciprocal_rank'
   */
  mode?: 'reciprocal_rank' | 'relative_score' | 'best_score'
  /** The weight of each list; 1 for lists without a weight. Ignored by `best_score`. */
  weights?: readonly number[]
  /** The constant of reciprocal rank fusion. A higher value reduces the advantage of the first ranks. @defaultValue 60 */
  k?: number
}

const fuseOptions: OptionTable<FuseOptions> = {
  mode: choice('reciprocal_rank', 'relative_score', 'best_score'),
  weights: list,
  k: numberFrom(0),
}

const scoredNodes = /* @__PURE__ */ listOf('a scored node (NodeWithScore)', 'nodeId')

/**
 * Fuses several ranked lists into one. Returns each node once, best first: its first entry, with the fused score.
 * If a list contains a node twice, its first rank is used. Equal scores keep the order of first occurrence.
 * @see https://doi.org/10.1145/1571941.1572114 (reciprocal rank fusion)
 * @throws {ModelValidationError} if an option is unknown or invalid.
 * @example
 * const [a, b, c] = ['a', 'b', 'c'].map((id) => new NodeWithScore({ node: new TextNode({ id }) }))
 * fuseNodes([[a, b], [b, c]]).map(({ id }) => id) // => ['b', 'a', 'c']
 */
export function fuseNodes(lists: readonly (readonly NodeWithScore[])[], options: FuseOptions = {}): NodeWithScore[] {
  checkOption('fuseNodes', 'lists', lists, required(list))
  for (const [index, one] of lists.entries())
    checkOption('fuseNodes', `lists[${index}]`, one, Array.isArray(one) ? scoredNodes : required(list))
  checkOptions('fuseNodes', options, fuseOptions)
  const { mode, weights = [], k = 60 } = options
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
