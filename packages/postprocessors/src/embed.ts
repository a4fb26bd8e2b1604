/**
 * @module
 * Embeds texts and queries on behalf of a postprocessor, with its signal and progress.
 */
import { EmbeddingDimensionError, type EmbeddingModel, meanAgg, type QueryBundle } from '@x/core-model'
import type { ModelCalls } from './model-calls.ts'

/**
 * Returns one vector per text, in the same order, with one call to the model.
 * @throws {EmbeddingDimensionError} when the model returns a different number of vectors.
 */
export async function embedTexts(
  calls: ModelCalls,
  model: EmbeddingModel,
  contents: readonly string[],
): Promise<readonly (readonly number[])[]> {
  const vectors = await calls.run((options) => model.getTextEmbeddingBatch(contents, options))
  const count = Array.isArray(vectors) ? vectors.length : 0
  if (count !== contents.length)
    throw new EmbeddingDimensionError(`${calls.className}: number of vectors`, contents.length, count)
  return vectors
}

/**
 * Returns the embedding of a query: its own if it has one, otherwise the mean of the embeddings of its strings.
 * The query must have an embedding or at least one string.
 */
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
