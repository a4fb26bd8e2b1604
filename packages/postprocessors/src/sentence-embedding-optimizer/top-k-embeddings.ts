/**
 * @module
 * The vectors that are closest to a query.
 */
import { similarity } from '@x/core-model'

/** How many vectors are taken, and which. */
export interface TopKOptions<Id> {
  /** How alike two vectors are; larger is closer. Default cosine. */
  similarityFn?: ((a: readonly number[], b: readonly number[]) => number) | undefined
  /** How many at most; absent or null is all. */
  topK?: number | null | undefined
  /** Names of the vectors. Default their places, from 0. */
  ids?: readonly Id[] | undefined
  /** Only similarities greater than this. */
  cutoff?: number | null | undefined
}

/**
 * The similarities of the closest vectors and their ids, closest first; of equals the earlier vector, NaN last.
 * @example
 * getTopKEmbeddings([1, 0], [[0, 1], [2, 0]], { topK: 1 }) // => [[1], [1]]
 */
export function getTopKEmbeddings<Id = number>(
  query: readonly number[],
  embeddings: readonly (readonly number[])[],
  { similarityFn = similarity, topK, ids, cutoff }: TopKOptions<Id> = {},
): [similarities: number[], ids: Id[]] {
  const found = embeddings.map((embedding, index) => ({ index, closeness: similarityFn(query, embedding) }))
  const passed = cutoff === null || cutoff === undefined ? found : found.filter(({ closeness }) => closeness > cutoff)
  passed.sort((a, b) => {
    if (Number.isNaN(a.closeness) || Number.isNaN(b.closeness))
      return Number(Number.isNaN(a.closeness)) - Number(Number.isNaN(b.closeness))
    return b.closeness - a.closeness || 0
  })
  const best = topK === null || topK === undefined ? passed : passed.slice(0, Math.max(0, topK))
  return [best.map(({ closeness }) => closeness), best.map(({ index }) => (ids ? ids[index]! : (index as Id)))]
}
