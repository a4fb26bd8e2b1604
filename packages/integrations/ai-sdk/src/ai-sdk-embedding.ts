/**
 * @module
 * The embedding and reranking models of the AI SDK as models of `@x`.
 */

import { required } from '@x/core/options'
import type { EmbedOptions } from '@x/core-model'
import {
  BaseEmbedding,
  type BaseEmbeddingOptions,
  BatchEmbedding,
  checkModelOptions,
  ModelCallError,
  modelCallErrorOf,
} from '@x/llm'
import { errorFacts } from './model-error.ts'
import type { AiSdkEmbeddingModel, AiSdkRerankingModel } from './model-types.ts'

/** Options of {@link AiSdkEmbedding}. */
interface AiSdkEmbeddingOptions extends Omit<BaseEmbeddingOptions, 'modelName'> {
  /** An embedding model of the AI SDK, of specification v2, v3 or v4. */
  model: AiSdkEmbeddingModel
}

/** An embedding model of the AI SDK as a model of `@x`. Requests contain at most as many strings as the provider allows. */
export class AiSdkEmbedding extends BatchEmbedding {
  static override className(): string {
    return 'AiSdkEmbedding'
  }

  readonly model: AiSdkEmbeddingModel

  constructor(options: AiSdkEmbeddingOptions) {
    checkModelOptions(BaseEmbedding, 'AiSdkEmbedding', options, {
      model: required('an embedding model of the AI SDK', 'doEmbed'),
    })
    const { model, ...fields } = options
    super({ ...fields, modelName: model.modelId })
    this.model = model
  }

  override get provider(): string {
    return this.model.provider
  }

  protected override async textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]> {
    const { signal, onUsage } = options
    const { model } = this
    try {
      const most = (await model.maxEmbeddingsPerCall) ?? texts.length
      const vectors: number[][] = []
      for (let start = 0; start < texts.length; start += most) {
        const values = texts.slice(start, start + most)
        const { embeddings, usage } = await model.doEmbed({ values, ...(signal && { abortSignal: signal }) })
        if (usage) onUsage?.(usage.tokens)
        for (const embedding of embeddings) vectors.push([...embedding])
      }
      return vectors
    } catch (error) {
      signal?.throwIfAborted()
      throw explainedError(model, error)
    }
  }
}

/**
 * A reranking model of the AI SDK as the `crossEncoder` of `SentenceTransformerRerank` in `@x/postprocessors`. Pairs with the same query
 * are one request.
 */
export function aiSdkCrossEncoder(model: AiSdkRerankingModel) {
  return {
    async predict(
      pairs: readonly (readonly [query: string, text: string])[],
      { signal }: { signal?: AbortSignal | undefined } = {},
    ): Promise<readonly number[]> {
      const where = `${model.provider}/${model.modelId}`
      const scores: (number | undefined)[] = pairs.map(() => undefined)
      for (const query of new Set(pairs.map(([query]) => query))) {
        const indices = [...pairs.keys()].filter((index) => pairs[index]![0] === query)
        const documents = { type: 'text' as const, values: indices.map((index) => pairs[index]![1]) }
        try {
          const { ranking } = await model.doRerank({ documents, query, ...(signal && { abortSignal: signal }) })
          for (const { index, relevanceScore } of ranking) scores[indices[index]!] = relevanceScore
        } catch (error) {
          signal?.throwIfAborted()
          throw explainedError(model, error)
        }
      }
      return scores.map((score, index) => {
        if (score !== undefined) return score
        throw new ModelCallError(`${where}: document ${index} has no score.`, { kind: 'bad_response' })
      })
    },
  }
}

function explainedError(model: AiSdkEmbeddingModel | AiSdkRerankingModel, error: unknown) {
  const { where, ...facts } = errorFacts(model, error)
  return modelCallErrorOf(where, error, facts)
}
