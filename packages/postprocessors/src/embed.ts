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
  return counted(calls, contents, await calls.run((options) => model.getTextEmbeddingBatch(contents, options)))
}

/**
 * Returns one vector per query, in the same order: with one call if the model can embed several queries at once, otherwise with one
 * call per query.
 * @throws {EmbeddingDimensionError} when the model returns a different number of vectors.
 */
export async function embedQueries(
  calls: ModelCalls,
  model: EmbeddingModel,
  queries: readonly string[],
): Promise<readonly (readonly number[])[]> {
  if (queries.length > 1 && model.getQueryEmbeddingBatch)
    return counted(calls, queries, await calls.run((options) => model.getQueryEmbeddingBatch!(queries, options)))
  const vectors: number[][] = []
  for (const query of queries) vectors.push(await calls.run((options) => model.getQueryEmbedding(query, options)))
  return vectors
}

function counted(calls: ModelCalls, strings: readonly string[], vectors: number[][]): number[][] {
  const count = Array.isArray(vectors) ? vectors.length : 0
  if (count === strings.length) return vectors
  throw new EmbeddingDimensionError(`${calls.className}: number of vectors`, strings.length, count)
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
  return meanAgg(await embedQueries(calls, model, query.embeddingStrs))
}
