/**
 * @module
 * Finds the vectors that are most similar to a query vector.
 */
import { callback, checkOption, checkOptions, list, type OptionTable, required, unchecked } from '@x/core/options'
import { similarity } from '@x/core-model'

/** The options of {@link getTopKEmbeddings}. */
interface TopKOptions<Id> {
  /** Returns the similarity of two vectors; higher is more similar. @defaultValue cosine similarity */
  similarityFn?: ((a: readonly number[], b: readonly number[]) => number) | undefined
  /** The maximum number of vectors returned. @defaultValue all vectors */
  topK?: number | null | undefined
  /** The ids of the vectors. @defaultValue their positions, starting at 0 */
  ids?: readonly Id[] | undefined
  /** Only vectors with a similarity greater than this are returned. @defaultValue no cutoff */
  cutoff?: number | null | undefined
}

const OPTIONS: OptionTable<TopKOptions<unknown>> = {
  similarityFn: callback,
  // None of the best for a negative number.
  topK: (value) =>
    value === null || (typeof value === 'number' && !Number.isNaN(value)) ? undefined : 'a number or null',
  ids: list,
  cutoff: unchecked,
}

/**
 * Returns the similarities and the ids of the most similar vectors, most similar first. Equal similarities keep the input order;
 * NaN is last.
 * @example
 * getTopKEmbeddings([1, 0], [[0, 1], [2, 0]], { topK: 1 }) // => [[1], [1]]
 */
export function getTopKEmbeddings<Id = number>(
  query: readonly number[],
  embeddings: readonly (readonly number[])[],
  options: TopKOptions<Id> = {},
): [similarities: number[], ids: Id[]] {
  checkOption('getTopKEmbeddings', 'query', query, required('a vector', 'length'))
  checkOption('getTopKEmbeddings', 'embeddings', embeddings, required(list))
  checkOptions('getTopKEmbeddings', options, OPTIONS)
  const { similarityFn = similarity, topK, ids, cutoff } = options
  const found = embeddings.map((embedding, index) => ({ index, score: similarityFn(query, embedding) }))
  const passed = cutoff === null || cutoff === undefined ? found : found.filter(({ score }) => score > cutoff)
  passed.sort((a, b) => {
    if (Number.isNaN(a.score) || Number.isNaN(b.score))
      return Number(Number.isNaN(a.score)) - Number(Number.isNaN(b.score))
    return b.score - a.score || 0
  })
  const best = topK === null || topK === undefined ? passed : passed.slice(0, Math.max(0, topK))
  return [best.map(({ score }) => score), best.map(({ index }) => (ids ? ids[index]! : (index as Id)))]
}
