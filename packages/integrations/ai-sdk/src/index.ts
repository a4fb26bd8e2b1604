/**
 * @module
 * The models of the AI SDK as models of `@x`, and back.
 */
export { AiSdkEmbedding, aiSdkCrossEncoder } from './ai-sdk-embedding.ts'
export { AiSdkLLM } from './ai-sdk-llm.ts'
export { toAiSdkEmbeddingModel, toAiSdkModel } from './ai-sdk-model-of-llm.ts'
export { type RankedDocument, type RerankRequest, toAiSdkRerankingModel } from './ai-sdk-model-of-reranker.ts'
export { type ChatHandlerOptions, chatHandler } from './chat-handler.ts'
export { loadUIMessages, type StoredUIMessage } from './load-ui-messages.ts'
export type {
  AiSdkContent,
  AiSdkEmbeddingModel,
  AiSdkLanguageModel,
  AiSdkProviderTool,
  AiSdkRequest,
  AiSdkRerankingModel,
  AiSdkStreamPart,
  AiSdkWarning,
} from './model-types.ts'
export { type RunUIArguments, runUIMessages, type UIAgent } from './run-ui-messages.ts'
export type { UIChunk, UIMetadata } from './ui-chunk.ts'
export { uiMessageChunks, uiMessageResponse, uiMessageStream } from './ui-message-stream.ts'
