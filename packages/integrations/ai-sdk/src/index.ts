/**
 * @module
 * The models of the AI SDK as models of this family.
 */
export { AiSdkEmbedding, type AiSdkEmbeddingOptions, aiSdkCrossEncoder } from './ai-sdk-embedding.ts'
export { AiSdkLLM, type AiSdkLLMOptions } from './ai-sdk-llm.ts'
export type {
  AiSdkCallOptions,
  AiSdkEmbeddingModel,
  AiSdkLanguageModel,
  AiSdkMessage,
  AiSdkPart,
  AiSdkRerankingModel,
  AiSdkResult,
} from './model-types.ts'
