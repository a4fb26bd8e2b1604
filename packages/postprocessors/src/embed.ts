/**
 * @module
 * The vectors of texts and queries, as the calls of a postprocessor.
 */
import { EmbeddingDimensionError, type EmbeddingModel, meanAgg, type QueryBundle } from '@x/core-model'
import type { ModelCalls } from './model-calls.ts'

/**
 * The vectors of texts, in their order, by one call.
 * @throws {EmbeddingDimensionError} when the model gives another number of vectors.
 */
export async function embedTexts(
  calls: ModelCalls,
  model: EmbeddingModel,
  texts: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const vectors = await calls.run((options) => model.getTextEmbeddingBatch(texts, options))
  const count = Array.isArray(vectors) ? vectors.length : 0
  if (count !== texts.length)
    throw new EmbeddingDimensionError(`${calls.className}: number of vectors`, texts.length, count)
  return vectors
}

/** The vector of a query: its own, else the mean of those of its strings, of which there must be one. */
export async function embedQuery(
  calls: ModelCalls,
  model: EmbeddingModel,
  query: QueryBundle,
): Promise<readonly number[]> {
  if (query.embedding !== null) return query.embedding
  const vectors: number[][] = []
  for (const text of query.embeddingStrs)
    vectors.push(await calls.run((options) => model.getQueryEmbedding(text, options)))
  return meanAgg(vectors)
}
