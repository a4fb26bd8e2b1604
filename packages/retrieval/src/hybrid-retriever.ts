/**
 * @module
 * A retriever that fuses the results of several retrievers, such as a keyword search and a vector search.
 */

import {
  callbackManager,
  checkOption,
  checkOptions,
  choice,
  invalidOption,
  list,
  numberFrom,
  type OptionTable,
  required,
  wholeNumber,
} from '@x/core/options'
import { NodeWithScore, type QueryBundle } from '@x/core-model'
import { type RetrieveOptions, Retriever, type RetrieverLike, type RetrieverOptions } from './retriever.ts'
import { scopeKeys } from './scope.ts'
import { scoredNodes } from './source-ranges.ts'
import { TopMatches } from './top-matches.ts'

/** How the scores of several retrievers are combined into one. */
export type FusionMode = 'reciprocal_rank' | 'relative_score'

/** The options of {@link HybridRetriever}. */
export interface HybridRetrieverOptions extends Omit<RetrieverOptions, 'filters'> {
  /** The retrievers to fuse; at least one. Set their own `similarityTopK` higher than the number of nodes you need. */
  retrievers: readonly RetrieverLike[]
  /** The weight of each retriever, a number of at least 0. @defaultValue 1 for each */
  weights?: readonly number[] | undefined
  /**
   * `reciprocal_rank`: the sum of `weight / (k + rank)`, which needs no comparable scores. `relative_score`: the weighted sum of the
   * scores, those of each retriever scaled to the range from 0 to 1. @defaultValue 'relative_score'
   */
  mode?: FusionMode | undefined
  /** The constant of `reciprocal_rank`: the higher it is, the less the first ranks outweigh later ones. @defaultValue 60 */
  k?: number | undefined
  /** The maximum number of nodes returned, an integer of at least 0. @defaultValue 10 */
  similarityTopK?: number | undefined
}

const hybridRetrieverOptions: OptionTable<HybridRetrieverOptions> = {
  retrievers: required('an array of retrievers', 'length'),
  weights: list,
  mode: choice('reciprocal_rank', 'relative_score'),
  k: numberFrom(0),
  similarityTopK: wholeNumber(0),
  scope: scopeKeys,
  callbackManager,
}

/**
 * Searches with several retrievers at the same time and fuses their results. A node that several of them find is returned once.
 * Equal scores keep the order of the retrievers. When one retriever fails, the search fails.
 * @throws {ModelValidationError} if an option is out of range.
 * @see Cormack, Clarke and Buettcher, Reciprocal Rank Fusion, 2009. https://doi.org/10.1145/1571941.1572114
 * @example
 * const nodes = ['red wine', 'grapes'].map((text) => new TextNode({ id: text, text }))
 * const embedModel = new TableEmbedding({ texts: { 'red wine': [1, 0.1], grapes: [1, 0] }, queries: { wine: [1, 0.05] } })
 * const words = new Bm25Retriever({ nodes, similarityTopK: 50 })
 * const meaning = await VectorRetriever.fromNodes(nodes, { embedModel, similarityTopK: 50 })
 * const hybrid = new HybridRetriever({ retrievers: [words, meaning], similarityTopK: 2 })
 * ;(await hybrid.retrieve('wine')).map(({ id }) => id) // => ['red wine', 'grapes']
 */
export class HybridRetriever extends Retriever {
  similarityTopK: number
  private readonly retrievers: readonly RetrieverLike[]
  private readonly weights: readonly number[]
  private readonly mode: FusionMode
  private readonly k: number

  constructor(options: HybridRetrieverOptions) {
    checkOptions('HybridRetriever', options, hybridRetrieverOptions)
    super(options.callbackManager, options.scope)
    const { retrievers, weights = [], mode = 'relative_score', k = 60, similarityTopK = 10 } = options
    const title = 'HybridRetriever'
    for (const [i, weight] of weights.entries()) checkOption(title, `weights[${i}]`, weight, numberFrom(0))
    if (retrievers.length === 0) throw invalidOption(title, 'retrievers', 'at least one retriever', retrievers)
    if (weights.length > retrievers.length) throw invalidOption(title, 'weights', 'one number per retriever', weights)
    this.similarityTopK = similarityTopK
    this.retrievers = retrievers
    this.weights = weights
    this.mode = mode
    this.k = k
  }

  protected async search(query: QueryBundle, options: RetrieveOptions): Promise<NodeWithScore[]> {
    checkOption('HybridRetriever', 'similarityTopK', this.similarityTopK, wholeNumber(0))
    const lists = await Promise.all(this.retrievers.map((retriever) => retriever.retrieve(query, options)))
    const nodes = new Map<string, NodeWithScore>()
    const scores = new Map<string, number>()
    for (const [i, list] of lists.entries()) {
      checkOption('HybridRetriever', `retrievers[${i}].retrieve()`, list, scoredNodes)
      const weight = this.weights[i] ?? 1
      const shareOf =
        this.mode === 'relative_score' ? relativeScores(list) : (_: NodeWithScore, rank: number) => 1 / (this.k + rank)
      for (const [at, entry] of onceById(list).entries()) {
        if (!nodes.has(entry.nodeId)) nodes.set(entry.nodeId, entry)
        scores.set(entry.nodeId, (scores.get(entry.nodeId) ?? 0) + weight * shareOf(entry, at + 1))
      }
    }
    const entries = [...nodes.values()]
    const top = new TopMatches(this.similarityTopK, [...entries.keys()], undefined)
    for (const [i, { nodeId }] of entries.entries()) top.offer(i, scores.get(nodeId)!)
    return top.sorted().map(({ index, score }) => new NodeWithScore({ node: entries[index]!.node, score }))
  }
}

/** The entries of a list, without repetitions of a node. */
function onceById(list: readonly NodeWithScore[]): NodeWithScore[] {
  const seen = new Set<string>()
  return list.filter(({ nodeId }) => !seen.has(nodeId) && seen.add(nodeId))
}

/** Scales the scores of a list to the range from 0 to 1; if all are equal, each becomes 1; a missing score becomes 0. */
function relativeScores(list: readonly NodeWithScore[]): (entry: NodeWithScore) => number {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const { score } of list) {
    if (score === null) continue
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  const range = highest - lowest
  return ({ score }) => (score === null ? 0 : range > 0 ? (score - lowest) / range : 1)
}
