/**
 * @module
 * Selects nodes that are relevant and do not repeat each other.
 */

import { type NodeWithScore, type QueryBundle, similarity } from '@x/core-model'
import { mapInTurns, turns } from '@x/core-model/async'
import { embedQuery } from '@x/core-model/components'
import { embedTexts } from '../embed.ts'
import { MissingDependencyError } from '../errors.ts'
import { MaximalMarginalRelevanceModel } from '../generated/maximal-marginal-relevance.ts'
import { ModelCalls } from '../model-calls.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { scoreScale, shortNumber } from '../relevance.ts'

/**
 * Selects up to `topN` nodes by maximal marginal relevance: each next node balances relevance against similarity to the nodes
 * already selected. Returns them in the order of selection, with their scores unchanged. Nodes without an embedding are embedded
 * by `embedModel`. Relevance is the cosine similarity to the query if the query has or can get an embedding, otherwise the score,
 * scaled to the range from 0 to 1. The time is at most proportional to `topN` times the number of nodes.
 * @throws {ModelValidationError} for a `topN` below 0 or a `lambda` outside 0 to 1.
 * @example
 * const entry = (id: string, score: number, embedding: number[]) =>
 *   new NodeWithScore({ node: new TextNode({ id, embedding }), score })
 * const mmr = new MaximalMarginalRelevance({ topN: 2, lambda: 0.5 })
 * const nodes = [entry('a', 0.9, [1, 0]), entry('twin of a', 0.8, [1, 0.1]), entry('b', 0.5, [0, 1])]
 * ;(await mmr.postprocessNodes(nodes)).map(({ id }) => id) // => ['a', 'b']
 */
export class MaximalMarginalRelevance extends MaximalMarginalRelevanceModel {
  /** @throws {MissingDependencyError} if a node has no embedding and `embedModel` is missing. */
  protected override async process(nodes: readonly NodeWithScore[], run: PostprocessRun): Promise<NodeWithScore[]> {
    const { query, reasons, signal } = run
    const calls = new ModelCalls(this, run, 0)
    const vectors = await this.vectors(nodes, calls)
    const target = query && (await this.queryVector(query, calls))
    const scale = scoreScale(nodes)
    const relevances = target
      ? await mapInTurns(vectors, signal, (vector) => similarity(target, vector))
      : nodes.map(({ score }) => scale(score))
    const chosen = await selectDiverse(relevances, vectors, { lambda: this.lambda, count: this.topN, signal })
    if (reasons) {
      for (const [index, entry] of nodes.entries())
        reasons.set(
          entry,
          `relevance ${shortNumber(relevances[index]!)}, less diverse than the ${chosen.length} selected nodes`,
        )
      for (const [place, index] of chosen.entries())
        reasons.set(nodes[index]!, `choice ${place + 1}, relevance ${shortNumber(relevances[index]!)}`)
    }
    return chosen.map((index) => nodes[index]!)
  }

  private async vectors(nodes: readonly NodeWithScore[], calls: ModelCalls): Promise<(readonly number[])[]> {
    const missing = nodes.filter(({ embedding }) => embedding === null)
    if (missing.length === 0) return nodes.map(({ node }) => node.getEmbedding())
    const { embedModel } = this
    if (!embedModel)
      throw new MissingDependencyError(
        MaximalMarginalRelevance.className(),
        `node "${missing[0]!.nodeId}" has no embedding; pass embedModel.`,
      )
    const contents = missing.map(({ node }) => node.getContent('embed'))
    const embedded = await embedTexts(calls, embedModel, contents)
    let at = 0
    return nodes.map(({ embedding }) => embedding ?? embedded[at++]!)
  }

  /** Returns the embedding of the query; null if it has no embedding and cannot be embedded. */
  private async queryVector(query: QueryBundle, calls: ModelCalls): Promise<readonly number[] | null> {
    const { embedModel } = this
    return embedModel && query.embeddingStrs.length > 0
      ? embedQuery(embedModel, query, (work) => calls.run(work))
      : query.embedding
  }
}

/** The options of {@link selectDiverse}. */
interface SelectDiverseOptions {
  /** The weight of relevance against diversity: 1 is relevance only, 0 is diversity only. */
  lambda: number
  /** The maximum number of items selected. */
  count: number
  signal?: AbortSignal | undefined
}

/**
 * Returns the indexes of the selected items, in the order of selection. Each step selects the item with the highest
 * `lambda * relevance - (1 - lambda) * (highest cosine similarity to a selected item)`; of equal items the earlier one.
 * An item is compared with the selected ones only while it may be the best: more selected items never raise its value. The time is at most
 * proportional to `count` times the number of items.
 * @see https://doi.org/10.1145/290941.291025 (maximal marginal relevance)
 */
export async function selectDiverse(
  relevances: readonly number[],
  vectors: readonly (readonly number[])[],
  { lambda, count, signal }: SelectDiverseOptions,
): Promise<number[]> {
  const turn = turns(signal)
  const units = await mapInTurns(vectors, signal, unitVector)
  const closest = new Float64Array(relevances.length)
  /** The number of selected items that each item was compared with, and its value then: the most that it may be worth. */
  const compared = new Uint32Array(relevances.length)
  const bounds = new Float64Array(relevances.length).fill(Number.POSITIVE_INFINITY)
  const left = relevances.map((_, index) => index)
  const chosen: number[] = []
  while (chosen.length < count && left.length > 0) {
    await turn()
    let best = 0
    let bestValue = Number.NEGATIVE_INFINITY
    for (let place = 0; place < left.length; place++) {
      const index = left[place]!
      if (bounds[index]! <= bestValue) continue
      for (let at = compared[index]!; at < chosen.length; at++) {
        const similarity = dot(units[chosen[at]!]!, units[index]!)
        // `closest` is 0 until the first selection; afterwards it may be negative.
        if (at === 0 || similarity > closest[index]!) closest[index] = similarity
      }
      compared[index] = chosen.length
      const value = lambda * relevances[index]! - (1 - lambda) * closest[index]!
      if (chosen.length > 0) bounds[index] = value
      if (value > bestValue) {
        best = place
        bestValue = value
      }
    }
    chosen.push(...left.splice(best, 1))
  }
  return chosen
}

function unitVector(vector: readonly number[]): Float64Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const norm = Math.sqrt(squares)
  return Float64Array.from(vector, (value) => (norm === 0 ? 0 : value / norm))
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
