/**
 * @module
 * The models of the AI SDK as models of `@x`, and back.
 */
export { AiSdkEmbedding, aiSdkCrossEncoder } from './ai-sdk-embedding.ts'
export { AiSdkLLM } from './ai-sdk-llm.ts'
export { toAiSdkEmbeddingModel, toAiSdkModel } from './ai-sdk-model-of-llm.ts'
export { toAiSdkRerankingModel } from './ai-sdk-model-of-reranker.ts'
export { chatHandler } from './chat-handler.ts'
export { loadUIMessages, type StoredUIMessage } from './load-ui-messages.ts'
export type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkProviderTool, AiSdkRerankingModel } from './model-types.ts'
export { type RunUIArguments, runUIMessages, type UIAgent } from './run-ui-messages.ts'
export {
  type UIChunk,
  type UIMetadata,
  uiMessageChunks,
  uiMessageResponse,
  uiMessageStream,
} from './ui-message-stream.ts'
