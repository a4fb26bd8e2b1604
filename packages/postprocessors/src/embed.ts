/**
 * @module
 * Embeds strings for a postprocessor, with its signal and progress.
 */
import { EmbeddingDimensionError, type EmbeddingModel } from '@x/core-model'
import type { ModelCalls } from './model-calls.ts'

/**
 * Returns one vector per string, in the same order, with one call to the model.
 * @throws {EmbeddingDimensionError} if the model returns a different number of vectors.
 */
export async function embedTexts(
  calls: ModelCalls,
  model: EmbeddingModel,
  contents: readonly string[],
): Promise<readonly (readonly number[])[]> {
  return counted(calls, contents, await calls.run((options) => model.getTextEmbeddingBatch(contents, options)))
}

function counted(calls: ModelCalls, strings: readonly string[], vectors: number[][]): number[][] {
  const count = Array.isArray(vectors) ? vectors.length : 0
  if (count === strings.length) return vectors
  throw new EmbeddingDimensionError(`${calls.className}: number of vectors`, strings.length, count)
}
