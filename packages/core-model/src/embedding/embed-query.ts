/**
 * @module
 * The vectors of queries, from any embedding model.
 */
import { checkGiven, list } from '@x/core/options'
import type { EmbeddingModel, EmbedOptions } from '../contracts/embedding.ts'
import type { QueryBundle } from '../nodes/query-bundle.ts'
import { EmbeddingDimensionError, meanAgg } from './similarity.ts'

/** Makes one call of a model: calls `work` with the options of the call, such as its signal. */
export type ModelCall = <T>(work: (options: EmbedOptions) => Promise<T>) => Promise<T>

/**
 * Returns one vector per query, in the same order: with one call if the model can embed several queries at once, otherwise with one
 * call per query.
 * @throws {EmbeddingDimensionError} if the model returns a different number of vectors.
 */
export async function embedQueries(
  model: EmbeddingModel,
  queries: readonly string[],
  call: ModelCall,
): Promise<number[][]> {
  checkGiven('embedQueries', { queries }, list)
  if (queries.length > 1 && model.getQueryEmbeddingBatch) {
    const vectors = await call((options) => model.getQueryEmbeddingBatch!(queries, options))
    const count = Array.isArray(vectors) ? vectors.length : 0
    if (count !== queries.length) throw new EmbeddingDimensionError('Number of vectors', queries.length, count)
    return vectors
  }
  const vectors: number[][] = []
  for (const query of queries) vectors.push(await call((options) => model.getQueryEmbedding(query, options)))
  return vectors
}

/**
 * Returns the vector of a query: its own if it has one, otherwise the mean of the vectors of its strings. An empty query is embedded as
 * an empty string.
 */
export async function embedQuery(
  model: EmbeddingModel,
  query: Pick<QueryBundle, 'embedding' | 'embeddingStrs'>,
  call: ModelCall,
): Promise<readonly number[]> {
  checkGiven('embedQuery', { query }, 'a QueryBundle')
  const { embedding, embeddingStrs } = query
  if (embedding !== null) return embedding
  return meanAgg(await embedQueries(model, embeddingStrs.length > 0 ? embeddingStrs : [''], call))
}
