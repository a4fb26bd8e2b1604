import type { EmbeddingModelV4, LanguageModelV4, RerankingModelV4 } from '@ai-sdk/provider'
import type { EmbeddingModelV2, LanguageModelV2 } from '@ai-sdk/provider-v2'
import type { EmbeddingModelV3, LanguageModelV3, RerankingModelV3 } from '@ai-sdk/provider-v3'
import { expectTypeOf, it } from 'vitest'
import type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkRerankingModel } from './model-types.ts'

it('models of all specifications fit without a cast', () => {
  expectTypeOf<LanguageModelV2>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV3>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<LanguageModelV4>().toExtend<AiSdkLanguageModel>()
  expectTypeOf<EmbeddingModelV2<string>>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<EmbeddingModelV3>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<EmbeddingModelV4>().toExtend<AiSdkEmbeddingModel>()
  expectTypeOf<RerankingModelV3>().toExtend<AiSdkRerankingModel>()
  expectTypeOf<RerankingModelV4>().toExtend<AiSdkRerankingModel>()
})
