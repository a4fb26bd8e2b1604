import type { EmbeddingModelV4, LanguageModelV4, RerankingModelV4 } from '@ai-sdk/provider'
import type { EmbeddingModelV2, LanguageModelV2 } from '@ai-sdk/provider-v2'
import type { EmbeddingModelV3, LanguageModelV3, RerankingModelV3 } from '@ai-sdk/provider-v3'
import type { CrossEncoder, NodesPostprocessor } from '@x/core-model'
import type { ScriptedLLM, TableEmbedding } from '@x/llm/testing'
import { expectTypeOf, it } from 'vitest'
import { toAiSdkEmbeddingModel, toAiSdkModel } from './ai-sdk-model-of-llm.ts'
import { toAiSdkRerankingModel } from './ai-sdk-model-of-reranker.ts'
import type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkRerankingModel } from './model-types.ts'

it('models of all specification versions are accepted without a cast', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<EmbeddingModelV2<string>>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<EmbeddingModelV3>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<EmbeddingModelV4>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<RerankingModelV3>().toExtend<AiSdkRerankingModel>()
  expectTypeOf<RerankingModelV4>().toExtend<AiSdkRerankingModel>()
})

declare const llm: ScriptedLLM
declare const embedModel: TableEmbedding
declare const rerank: NodesPostprocessor
declare const crossEncoder: CrossEncoder

it('the AI SDK accepts models of @x without a cast', () => {
  const v4: LanguageModelV4 = toAiSdkModel(llm)
  const v3: LanguageModelV3 = toAiSdkModel(llm, { specificationVersion: 'v3' })
  const embedding4: EmbeddingModelV4 = toAiSdkEmbeddingModel(embedModel)
  const embedding3: EmbeddingModelV3 = toAiSdkEmbeddingModel(embedModel, { specificationVersion: 'v3' })
  const reranking4: RerankingModelV4 = toAiSdkRerankingModel(crossEncoder)
  const reranking3: RerankingModelV3 = toAiSdkRerankingModel(rerank, { specificationVersion: 'v3' })
  expectTypeOf([v4, v3, embedding4, embedding3, reranking4, reranking3]).toBeArray()
  const model = toAiSdkModel(llm)
  // @ts-expect-error a model of v4 is not one of v3
  const wrong: LanguageModelV3 = model
  expectTypeOf(wrong).toBeObject()
})
